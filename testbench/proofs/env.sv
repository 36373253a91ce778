// SPDX-License-Identifier: MIT OR Apache-2.0
// Every assumption of every proof: what the surroundings of a block promise at its pins, and nothing about its inside.
// Behind each one stands who keeps it: another proof of this folder, or the contract of the pins (`docs/interface.md`).
`ifndef LATCHKEY_ENV
`define LATCHKEY_ENV
`include "types.svh"

// Reset is given first, for one cycle at least, and not again.
module env_reset (input logic clock, input logic reset);
    logic begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) assume (reset == !begun);
endmodule

// A request at s5 (kept by `decode`, and by the cache's barrier and tag check, which write 3, 5 and 6).
module env_request (input req_t req);
    always @(*) begin
        assume (req.early <= 6);
        if (req.early == 2) assume (req.len == 0);
    end
endmodule

// Ops into the key cache (kept by `front`: the arbiter and `flush`), seen from one set, `any_set`.
// emptied: the set has been emptied since reset; swept: it holds no line of an older epoch.
module env_ops #(parameter GIVEN = 1) (
    input logic clock, input logic reset, input logic [2:0] kind, input logic [`SETW-1:0] set, input logic [`SETW-1:0] any_set,
    input logic fresh, output logic emptied, output logic swept, output logic [3:0] flipped
);
    initial begin emptied = 0; swept = 0; flipped = 0; end
    wire here = set == any_set;
    always @(posedge clock) begin
        if (kind == 4 && here) emptied <= 1;
        if ((kind == 4 || kind == 5) && here) swept <= 1;
        if (kind == 7) swept <= 0;
        flipped <= kind == 7 ? 8 : flipped == 0 ? 0 : flipped - 1;
        if (reset) begin emptied <= 0; swept <= 0; flipped <= 0; end
    end
    wire kinds = kind != 6 && (!fresh || kind == 1);
    // nothing enters before the sweep after reset is over
    wire first = (emptied || !here || kind == 0 || kind == 4) && (emptied || kind != 7);
    // no new epoch before the sweep behind the last one is over; it begins when the fills ahead have left the pipe
    wire epochs = ((swept && flipped == 0) || kind != 7) && (flipped == 0 || kind != 5);
    always @(*) if (!reset)
        if (GIVEN) assume (kinds && first && epochs); else a_ops: assert (kinds && first && epochs);
endmodule

// One fill at a time (kept by `refill`): its beats come when it is placed, one a lane, in order, the last with `fill_end`.
module env_fill (
    input logic clock, input logic reset, input logic [2:0] kind, input logic placed, input logic [`MPTW-1:0] fill_write,
    input logic fill_end, output logic waiting, output logic writing, output logic [`BEATCW:0] next
);
    initial begin waiting = 0; writing = 0; next = 0; end
    always @(posedge clock) begin
        if (kind == 2) waiting <= 1;
        if (placed) begin waiting <= 0; writing <= 1; next <= 0; end
        if (|fill_write) next <= next + 1;
        if (fill_end) writing <= 0;
        if (reset) begin waiting <= 0; writing <= 0; end
    end
    always @(*) begin
        if (waiting || writing) assume (kind != 2);
        assume (fill_write == 0 || (writing && fill_write == (1 << next)));
        assume (fill_end == (fill_write[`MPTW-1]));
    end
endmodule

// New epochs (kept by `reg_publish`: none is raised while a sweep is under way, and only it raises one).
module env_epochs (input logic op_valid, input logic [1:0] op_kind, input logic busy);
    always @(*) begin
        if (op_valid && op_kind == 1) assume (!busy);
        assume (op_kind <= 2);
    end
endmodule

// What the miss unit sees of kills and of the barrier (kept by `reg_publish` and the arbiter), for any index.
// A kill's kind, index and set stand one cycle before its slot. A barrier falls only after a kill of its index,
// which comes a cycle after it rose at the earliest. `killed`: the kill inside this barrier has been.
module env_kills (
    input logic clock, input logic reset, input logic take, input logic [1:0] kind, input logic [`K-1:0] index,
    input logic [`SETW-1:0] set, input logic barrier, input logic [`K-1:0] barrier_index, output logic killed
);
    logic was = 0;
    initial killed = 0;
    logic [1:0] kind_was;
    logic [`K-1:0] index_was, barrier_was;
    logic [`SETW-1:0] set_was;
    always @(posedge clock) begin
        was <= barrier && !reset;
        kind_was <= kind; index_was <= index; set_was <= set; barrier_was <= barrier_index;
        killed <= barrier && !reset && (killed || (take && kind == 0 && index == barrier_index));
    end
    always @(*) begin
        assume (kind <= 2);
        if (reset) assume (!barrier);
        if (take) assume (kind == kind_was && index == index_was && set == set_was && !reset);
        if (barrier && was) assume (barrier_index == barrier_was);
        if (was && !killed) assume (barrier);
        if (barrier && !was) assume (!take);
    end
endmodule

// Lines the ICM port brings (kept by `icm_port`, given the contract of the ICM's pins): each belongs to a fetch that was
// taken and not yet answered, comes beat by beat without another between, MPTW beats, and stays until it is taken.
module env_lines (
    input logic clock, input logic reset, input logic fetch, input logic [`NMW-1:0] fetch_id,
    input logic valid, input logic ready, input logic [`NMW-1:0] id, input logic last, input logic [`BEAT-1:0] data,
    output logic [`NM-1:0] open, output logic [`BEATCW:0] beat, output logic [`NMW-1:0] id_was
);
    initial begin open = 0; beat = 0; end
    logic stands = 0, inside = 0;
    logic [`BEAT-1:0] data_was;
    always @(posedge clock) begin
        stands <= valid && !ready && !reset;
        inside <= !reset && (valid && ready ? !last : inside);
        data_was <= data;
        if (valid) id_was <= id;
        if (valid && ready) begin
            beat <= last ? 0 : beat + 1;
            if (last) open[id] <= 0;
        end
        if (fetch) open[fetch_id] <= 1;
        if (reset) begin open <= 0; beat <= 0; end
    end
    always @(*) begin
        if (reset) assume (!valid);
        if (stands) assume (valid && data == data_was);
        if (valid && (stands || inside)) assume (id == id_was);
        if (valid) assume (id < `NM && open[id] && last == (beat == `MPTW - 1));
    end
endmodule

// Slots of the key cache's pipe (kept by the arbiter and `mpt_cache`): one op a cycle; a fill that has its slot is placed later.
module env_slots (
    input logic clock, input logic reset, input logic fill, input logic fill_valid, input logic replay, input logic replay_valid,
    input logic kill, input logic placed, output logic filling
);
    initial filling = 0;
    always @(posedge clock) filling <= !reset && (fill || (filling && !placed));
    always @(*) begin
        assume (fill + replay + kill <= 1);
        if (fill) assume (fill_valid);
        if (replay) assume (replay_valid);
        if (placed) assume (filling);
    end
endmodule

// Turns of `reg_publish` (kept by `reg_flow`: one step at a time, its command stands still until the pulse comes back) and the
// answers it waits for: one acknowledgement a write, after its last word; a kill leaves the pipe after it had its slot.
module env_publish (
    input logic clock, input logic reset, input logic raise, input logic sweep, input logic link,
    input logic overdue, input logic job, input logic o_reg, input logic o_del, input logic o_flush, input logic [1:0] mode,
    input logic tired, input logic list_op, input logic flushed, input logic finished, input logic waiting, input logic acks,
    input logic write, input logic last, input logic op_valid, input logic op_take, input logic op_done, output logic busy
);
    initial busy = 0;
    logic killing = 0, unacked = 0;
    logic [6:0] kept;
    wire [6:0] now = {job, o_reg, o_del, o_flush, mode, tired};
    wire start = raise || sweep || link;
    always @(posedge clock) begin
        busy <= !reset && (start || (busy && !flushed && !finished && !waiting));
        killing <= !reset && (op_take || (killing && !op_done));
        unacked <= !reset && ((write && last) || (unacked && !acks));
        kept <= now;
    end
    always @(*) begin
        assume (raise + sweep + link <= 1);
        if (reset) assume (!start);
        if (busy) assume (!start && !list_op && !overdue);
        if (busy) assume (now == kept);
        if (start) assume (now == kept || !busy);
        assume (job + o_reg + o_del + o_flush <= 1);
        if (raise) assume (o_reg || o_del || (o_flush && mode <= 1));
        if (sweep || link) assume (job);
        if (op_done) assume (killing);
        if (acks && busy) assume (unacked);
        if (start) assume (!killing && !unacked && !list_op && !op_valid);
    end
endmodule

// Pulses at `parked` (kept by `reg_flow` and `reg_publish`; in a core with the later commands by `life_flow`: `life_order`): one command
// at a time between `put` and `arm`, and one eviction at a time.
module env_parked (
    input logic clock, input logic reset, input logic room, input logic put, input logic put_seen, input logic watching, input logic arm,
    input logic pop, input logic done_valid
);
    logic unarmed = 0;
    always @(posedge clock) unarmed <= !reset && (put || (unarmed && !arm));
    always @(*) begin
        if (put) assume (room && !unarmed && !reset);
        if (put && put_seen) assume (!watching);
        if (arm) assume (unarmed && !reset);
        if (pop) assume (done_valid);
    end
endmodule

// The lease table as the scan sees it, for one slot (kept by `port_state` and the lease RAM: an answer belongs to the slot asked
// for a cycle before; a slot holds one lease until it is given back). Once a mapping has ended (`ended`: its kill has left the pipe), no
// lease of it begins and no walk of it begins again (kept by `cache` and `verdict`: no lookup behind the kill meets the line; and by
// `publish`, `life_order`: `arm` comes later). An eviction ends no mapping.
module env_leases (
    input logic clock, input logic reset, input logic [`SLOTW-1:0] slot, input logic [`SLOTW-1:0] scan_slot,
    input logic [`K-1:0] scan_index, input logic [`EPW-1:0] scan_epoch, input logic [`PARK-1:0] scan_via, input logic [`PARE-1:0] scan_via_epoch,
    input logic scan_held, input logic scan_walking, input lease_t its, input logic its_held, input logic its_walking,
    input logic ended, input logic match
);
    logic asked = 0, held_was = 0, walking_was = 0, begun = 0;
    lease_t its_was;
    logic match_was = 0, active_was = 0, ended_was = 0;
    always @(posedge clock) begin
        asked <= scan_slot == slot;
        held_was <= its_held; walking_was <= its_walking; its_was <= its;
        match_was <= match; active_was <= match && its_walking;
        ended_was <= ended && !reset;
        begun <= 1;
    end
    always @(*) begin
        if (asked && begun) assume (scan_held == held_was && scan_walking == walking_was);
        if (asked && begun && held_was) assume (scan_index == its_was.index && scan_epoch == its_was.epoch
            && scan_via == its_was.via && scan_via_epoch == its_was.via_epoch);
        if (begun && held_was && its_held) assume (its == its_was);
        assume (!its_walking || its_held);
        if (ended && ended_was && !match_was) assume (!match);
        if (ended && ended_was && !active_was) assume (!(match && its_walking));
    end
endmodule

// Misses at s7 (kept by `tag_life` with `cache`: a tag that is in use does not miss, its request is refused; a waiting
// lookup is asked again once and so misses again once): a slot that waits does not miss. A lookup that asks again comes to s7
// seven cycles later (kept by `cache`, whose pipe never stalls).
module env_misses (
    input logic clock, input logic reset, input logic [2:0] kind, input logic is_miss, input logic [`SLOTW-1:0] slot,
    input logic [`SLOTS-1:0] owed, input logic append, input logic [`SLOTW-1:0] comes, input logic asks, input logic [`SLOTW-1:0] asked
);
    logic [6*`SLOTW-1:0] who;          // the last six to ask, the youngest lowest
    logic [5:0] there = 0;
    logic early;
    integer n;
    always @(posedge clock) begin
        who <= {who, asked};
        there <= reset ? 0 : {there, asks};
    end
    always @(*) begin
        early = asks && asked == slot;
        for (n = 0; n < 6; n = n + 1) if (there[n] && who[n*`SLOTW +: `SLOTW] == slot) early = 1;
    end
    always @(*) if (kind == 1 && is_miss) assume (!owed[slot] && !(append && comes == slot) && !early);
endmodule

// The lists of waiting lookups as `miss` uses them (kept by `waiters`: `i_put`, `a_new`, `i_list`, `i_turn`, `i_mine`, `i_head`). An append is to
// one list, of a slot that is in none. A list is chosen, a cycle later its working copy is fetched, and it stands until it is no longer
// worked on. Who leaves was said to be first, a cycle ago already. A list that holds every slot is not appended to: none is left.
module env_lists (
    input logic clock, input logic reset, input logic [1:0] stage, input logic append, input logic [`NM1-1:0] hot, input logic mine,
    input logic [`NML-1:0] which, input logic [`NM1-1:0] list_hot, input logic [`SLOTW-1:0] asker, input logic pop, input logic has,
    input logic [`SLOTW-1:0] head, input logic gone, input logic full
);
    logic [1:0] stage_was = 0;
    logic [`NML-1:0] which_was;
    logic [`SLOTW-1:0] asker_was;
    always @(posedge clock) begin
        stage_was <= reset ? 0 : stage;
        which_was <= which;
        asker_was <= asker;
    end
    always @(*) begin
        assume (stage == 0 || stage == stage_was + 1 || (stage == 3 && stage_was == 3));
        if (stage >= 2) assume (which == which_was);
        if (stage != 0) assume (!reset && which <= `NM && list_hot == (1 << which) && (!append || mine == hot[which]));
        if (append) assume (!reset && (hot & (hot - 1)) == 0 && hot != 0 && gone);
        assume (!full);
        if (pop) assume (stage == 3 && stage_was == 3 && has && asker == head && asker == asker_was);
    end
endmodule

// What the lists say to `miss` (kept by `lists`: `a_has`, `a_head`, `a_stands`, `a_over`): of the list that is worked on, whether anyone is
// in it and who is first, who stands so until it has left; and whether the last list is empty.
module env_waiting (
    input logic clock, input logic reset, input logic works, input logic has, input logic [`SLOTW-1:0] head, input logic popped,
    input logic [`SLOTS-1:0] ours, input logic over, input logic last
);
    logic stands = 0;
    logic [`SLOTW-1:0] head_was;
    integer n;
    always @(posedge clock) begin
        stands <= works && has && !popped && !reset;
        head_was <= head;
    end
    always @(*) begin
        assume (over == last);
        if (works) assume (has == (ours != 0));
        for (n = 0; n < `SLOTS; n = n + 1) if (works && has && head == n) assume (ours[n]);
        if (works && stands) assume (has && head == head_was);
    end
endmodule

// One tag at `port_state`. A lease begins only for a tag that asked (kept by `verdict` and `cache`: a lookup enters before it has
// a verdict, and has one); a freeing verdict leaves once for a tag that asked (`verdict`, `verdict_queue`); the last segment leaves
// once for a tag that is walked (`walk`). A tag's events of one kind do not meet: its verdict is behind its entering.
// Of `dma_done` nothing is assumed.
module env_tag (
    input logic clock, input logic reset, input logic [1:0] life, input logic ending, input logic enters, input logic leased,
    input logic leaves, input logic lasts, input logic dones
);
    always @(*) begin
        if (leased) assume (life == 1);
        if (leaves) assume (life == 1 && !leased);
        if (lasts) assume (life == 2);
        if (reset) assume (!enters && !leased && !leaves && !lasts && !dones);
    end
endmodule

// Credit for a port's verdict queue (kept by `entrance`: a request enters only while fewer than 2^VDW + 1 verdicts are owed).
module env_credit (input logic push, input logic [`VDW+1:0] count, input logic reset);
    always @(*) if (push) assume (count <= (1 << `VDW) && !reset);
endmodule

// Grants to the walker (kept by `verdict`: a lease has a length; by `tag_life`: a tag is granted again only after its last segment
// has left; and the entry's contract, which `register` sees to: the pages of the region number no more than PNW bits hold).
module env_grant (
    input logic clock, input logic reset, input logic [1:0] grant, input desc_t desc, input logic [`TAGS-1:0] walking, input logic ready
);
    wire [5:0] shift = desc.page == 1 ? 16 : desc.page == 2 ? 21 : desc.page == 3 || desc.page == 4 ? 30 : 12;
    wire [63:0] final_byte = desc.pos + desc.len - 1;
    always @(*) begin
        assume (grant != 3);
        if (reset || !ready) assume (grant == 0);
        if (grant[0]) assume (!walking[desc.tag]);
        if (grant != 0) assume (desc.len != 0 && desc.page <= 4 && (final_byte >> shift) < (1 << `PGW));
    end
endmodule

// The word of a granted request that the slot RAM gives a cycle after it was asked for (kept by `verdict`, which writes it, and
// by the tag, which nobody else has). Of what any tag reads (`read`) its page size is one of the five.
module env_slot_word (input logic asked, input logic read, input word_t word, input desc_t desc);
    always @(*) if (read) assume (word.op[2:0] <= 4);
    always @(*) if (asked) assume (word.addr == desc.pos && word.len == desc.len && word.index == desc.index
        && word.code[`MAW-1:0] == desc.base && word.owner[`EPW-1:0] == desc.epoch && word.op[2:0] == desc.page
        && word.side == desc.write && word.walk == desc.odp);
endmodule

// Lines for the translation cache (kept by `fetch`): one at a time, its words stand until it has left the pipe.
module env_line (
    input logic clock, input logic reset, input logic valid, input logic take, input logic done, input logic [`MELINE-1:0] data,
    output logic filling
);
    initial filling = 0;
    logic [`MELINE-1:0] data_was;
    logic stands = 0;
    always @(posedge clock) begin
        filling <= !reset && (take || (filling && !done));
        stands <= valid && !reset;
        data_was <= data;
    end
    always @(*) begin
        if (filling || reset) assume (!valid);
        if (filling || stands) assume (data == data_was);
    end
endmodule

// The memory at the pins (docs/interface.md, ICM): each read is answered once with len + 1 beats, each write once with one; beats of
// an answer come without another between and stay until taken. What is read is anything.
module env_icm (
    input logic clock, input logic reset, input logic req, input logic [`IDW-1:0] req_id, input logic req_write, input logic req_last,
    input logic [3:0] req_len, input logic rsp_valid, input logic rsp_ready, input logic [`IDW-1:0] rsp_id, input logic rsp_last,
    input logic [`BEAT-1:0] rsp_data
);
    localparam IDS = 1 << `IDW;
    logic [IDS-1:0] reading = 0;
    logic [IDS*3-1:0] writes = 0;
    logic [IDS*4-1:0] lens;
    logic [3:0] beat = 0;
    logic stands = 0, inside = 0;
    logic [`IDW-1:0] id_was;
    logic last_was;
    logic [`BEAT-1:0] data_was;
    wire moves = rsp_valid && rsp_ready;
    // a read is answered before the writes of its id
    wire is_read = reading[rsp_id];
    wire [3:0] len = lens >> (rsp_id * 4);
    wire [2:0] open = writes >> (rsp_id * 3);
    always @(posedge clock) begin
        if (moves && rsp_last && is_read) reading[rsp_id] <= 0;
        if (req && !req_write) begin reading[req_id] <= 1; lens[req_id*4 +: 4] <= req_len; end
        if (req && req_write && req_last && !(moves && !is_read && rsp_id == req_id)) writes[req_id*3 +: 3] <= writes[req_id*3 +: 3] + 1;
        if (moves && !is_read && !(req && req_write && req_last && rsp_id == req_id)) writes[rsp_id*3 +: 3] <= open - 1;
        if (moves) beat <= rsp_last ? 0 : beat + 1;
        inside <= !reset && (moves ? !rsp_last : inside);
        stands <= rsp_valid && !rsp_ready && !reset;
        if (rsp_valid) begin id_was <= rsp_id; last_was <= rsp_last; data_was <= rsp_data; end
        if (reset) begin reading <= 0; writes <= 0; beat <= 0; end
    end
    always @(*) begin
        if (reset) assume (!rsp_valid);
        if (rsp_valid) assume (is_read ? rsp_last == (beat == len) : open != 0 && rsp_last);
        if (rsp_valid && (inside || stands)) assume (rsp_id == id_was);
        if (stands) assume (rsp_valid && rsp_last == last_was && rsp_data == data_was);
    end
endmodule

// A lookup's tag is not in use at the pins (docs/interface.md, Lookup ports), for one tag.
module env_lookup (input logic asks, input logic free, input logic valid, input logic [`TAGW-1:0] tag, input logic [`TAGW-1:0] any_tag);
    always @(*) if (valid && tag == any_tag) assume (free);
endmodule

// The entry of one index in memory, while nothing is written to it: its words are what they are.
module env_entry (input logic beat, input logic written, input logic [3:0] word, input logic [`BEAT-1:0] data, input logic [`MPTW*`BEAT-1:0] entry);
    always @(*) if (beat && !written) assume (data == entry[word*`BEAT +: `BEAT]);
endmodule

// Turns at a port's entrance (kept by the arbiter in `front`, and by `verdict_queue`: what leaves had entered).
module env_entrance (input logic reset, input logic take, input logic offer, input logic left, input logic [`VDW+1:0] owed, input logic enters);
    always @(*) begin
        if (take) assume (offer && !reset);
        if (left) assume (owed != 0 && !reset);
    end
endmodule

// Words for the walker's misses, with one entry a line (kept by `icm_port`, given the contract of the ICM's pins): each fetch is
// answered once, after it was taken. A line that has its slot leaves the pipe later (kept by `pages`). A port misses when it
// is not held and has not been for two cycles (kept by `walk`, `a_held`: while it is held none of its ops counts, and an op takes
// five cycles).
module env_words (
    input logic clock, input logic reset, input logic fetch, input logic [`PORTW-1:0] fetch_port, input logic valid, input logic ready,
    input logic [`PORTW-1:0] port, input logic last, input logic take, input logic fill_valid, input logic done,
    input logic [1:0] missed, input logic [1:0] hold
);
    logic [1:0] owes = 0, held = 0, held2 = 0;
    logic filling = 0;
    always @(posedge clock) begin
        held <= reset ? 0 : hold;
        held2 <= reset ? 0 : held;
        if (valid && ready) owes[port] <= 0;
        if (fetch) owes[fetch_port] <= 1;
        filling <= !reset && (take || (filling && !done));
        if (reset) owes <= 0;
    end
    always @(*) begin
        if (valid) assume (owes[port] && !reset && last);
        if (take) assume (fill_valid);
        if (done) assume (filling);
        assume (missed != 3 && (missed & (hold | held | held2)) == 0 && (!reset || missed == 0));
    end
endmodule

// Steps at `reg_entry` (kept by `reg_flow` and `reg_publish`): one at a time; `still` is low for `retire`, and high for a shift.
module env_steps (input logic shift, input logic take, input logic load, input logic push, input logic keys, input logic clear,
    input logic retire, input logic still, input logic link);
    always @(*) begin
        assume (shift + load + push + keys + clear + retire + link <= 1);
        if (retire) assume (!still);
        if (shift) assume (still);
    end
endmodule

// Steps at `life_entry` (kept by `life_order`, `a_steps`): one at a time; `pair` comes with `fields`, `bump` may come with `freed`.
module env_life_steps (input logic shift, input logic fields, input logic based, input logic pair, input logic fresh, input logic save,
    input logic morph, input logic up, input logic down, input logic retire, input logic rest, input logic freed, input logic bump,
    input logic chain);
    always @(*) begin
        assume (shift + fields + based + fresh + save + morph + up + down + retire + rest + (freed || bump) + chain <= 1);
        assume (!pair || fields);
    end
endmodule

// What the registration port with the later commands is answered. A command stands on its pins until it is taken (docs/interface.md).
// A read of the entry brings its words in order (kept by `icm_port`, given the contract of the pins), those of index `I` as they
// were written last. An op leaves the pipe after it had its slot (`mpt_cache`). A parking place, an eviction's turn and an index are taken
// and given back only by the port's own pulses (`parked`, `alloc`). Without an index a register is refused, and
// the page list asks for ops only when it empties the sets (reading of `reg_list`).
module env_life #(parameter C = 1) (
    input logic clock, input logic reset, input logic reg_valid, input logic reg_ready, input logic [C-1:0] command,
    input logic read, input logic of_I, input logic ricm_valid, input logic ricm_last, input logic [`BEAT-1:0] ricm_data,
    input logic [`MPTN*`BEAT-1:0] memory, input logic takes_op, input logic op_done, input logic room, input logic watching,
    input logic avail, input logic put, input logic grab, input logic give, input logic registers, input logic judged,
    input logic [2:0] list_code, input logic sets, input logic list_op, output logic reading, output logic [3:0] beat
);
    initial begin reading = 0; beat = 0; end
    logic mine, stands = 0, killing = 0, room_was = 0, watching_was = 1, avail_was, put_was = 0, moves = 1, moved = 1;
    logic [C-1:0] command_was;
    always @(posedge clock) begin
        stands <= reg_valid && !reg_ready && !reset;
        command_was <= command;
        if (read) begin reading <= 1; beat <= 0; mine <= of_I; end
        if (reading && ricm_valid) begin beat <= beat + 1; if (ricm_last) reading <= 0; end
        killing <= !reset && (takes_op || (killing && !op_done));
        room_was <= room && !reset; watching_was <= watching || reset; put_was <= put && !reset;
        avail_was <= avail; moves <= grab || give || reset; moved <= moves;
        if (reset) begin reading <= 0; beat <= 0; end
    end
    always @(*) begin
        if (stands) assume (reg_valid && command == command_was);
        if (reading && ricm_valid) assume (ricm_last == (beat == `MPTN - 1));
        if (reading && ricm_valid && mine) assume (ricm_data == memory[beat*`BEAT +: `BEAT]);
        if (op_done) assume (killing);
        if (room_was && !put_was) assume (room);
        if (!watching_was && !put_was) assume (!watching);
        if (!moves && !moved) assume (avail == avail_was);
        if (list_op) assume (sets);
        if (judged && registers && !avail) assume (list_code != 0);
    end
endmodule

// One index at the registration port: what is completed was parked (kept by `parked`, `a_name`), and the index that is offered is not in
// use (kept by `alloc`).
module env_life_index (
    input logic clock, input logic reset, input logic idle, input logic done_valid, input logic [1:0] done_end, input logic done_I, input logic avail,
    input logic pick_I, input logic in_use, input logic owed, input logic [1:0] owed_end
);
    always @(*) begin
        if (idle && done_valid && done_I && done_end != 2) assume (owed && done_end == owed_end);
        if (idle && done_valid) assume (done_end != 3);
        if (avail && pick_I) assume (!in_use);
    end
endmodule

// The words of an index's entry at the start: its generations are not used up (the memory holds zeros, docs/interface.md).
module env_life_first (input logic [23:0] generation);
    always @(*) assume (generation[23:9] != 15'h7fff);
endmodule

// The permutation that makes keys (`key_cipher`), of index `I`, as two of its draws see it: after `go` it is busy for a while, and then gives
// numbers that stay; those of another generation (of another block, if `short`) are others (kept by `cipher`: no two alike).
module env_keys (
    input logic clock, input logic reset, input logic go, input logic busy, input logic mark, input logic then_short, input logic now_short,
    input logic [23:0] then_count, input logic [23:0] now_count, input logic [`DEEP-1:0] then_l, input logic [`DEEP-1:0] then_r,
    input logic [`DEEP-1:0] now_l, input logic [`DEEP-1:0] now_r, input logic [`FLAT-1:0] then_lsec, input logic [`FLAT-1:0] then_rsec,
    input logic [`FLAT-1:0] now_lsec, input logic [`FLAT-1:0] now_rsec
);
    logic went = 0;
    always @(posedge clock) went <= go && !reset;
    always @(*) begin
        if (went) assume (busy);
        if (mark && !then_short && !now_short && then_count != now_count)
            assume (then_l != now_l && then_l != now_r && then_r != now_l && then_r != now_r);
        if (mark && then_short && now_short && then_count[23:8] != now_count[23:8])
            assume (then_lsec != now_lsec && then_lsec != now_rsec && then_rsec != now_lsec && then_rsec != now_rsec);
    end
endmodule

// Pulses at `alloc` (kept by `life_order`: an index is taken, and given back, in a command's last step but one, one that was taken before).
// The `next` field of the first in the list is what was first as it was put there (`life_order`: `a_chained`, `a_succ`): as the last in is
// the first out, that is the one below it.
module env_alloc (
    input logic clock, input logic reset, input logic take, input logic give, input logic avail, input logic [`K-1:0] head,
    input logic [`K-1:0] take_next, input logic [`K-1:0] I, input logic next_is_I, input logic [`K:0] count, input logic give_I,
    input logic [`K-1:0] give_index, input logic used, input logic calm, input logic [`K:0] fresh
);
    always @(*) begin
        assume (!take || !give);
        if (take || give) assume (calm && !reset);
        if (take) assume (avail);
        if (take && head != 0) assume ((take_next == 0) == (count == 1) && (take_next == I && I != 0) == next_is_I);
        // an index given back is in use; so the list holds no more than were ever taken
        if (give) assume (give_index != 0 && (!give_I || used) && count + 1 < fresh);
    end
endmodule

// ---- within how many cycles: what the promises about time assume. The numbers stand in each proof: its bounds are sums of them.

// Who wants gets within MOST cycles more than the first. `left`: how many are left.
module env_prompt #(parameter MOST = 3, W = 4) (
    input logic clock, input logic reset, input logic wants, input logic gets, output logic [W-1:0] left
);
    logic [W-1:0] waited = 0;
    always @(posedge clock) waited <= !reset && wants && !gets ? waited + 1 : 0;
    assign left = MOST - waited;
    always @(*) begin
        assume (waited <= MOST);
        if (wants && waited == MOST) assume (gets);
    end
endmodule

// What the registration port asked the memory for, and the ops it gave the key cache (kept by `icm_port`, given the contract of the
// pins, and by the cache's pipe): a beat comes for each beat of a read, the last marked, and one for each write; an op leaves the pipe
// after it went in.
module env_owed (
    input logic clock, input logic reset, input logic moves, input logic write, input logic last, input logic [3:0] len,
    input logic beat, input logic beat_last, input logic op_take, input logic op_done, output logic [3:0] beats, output logic [3:0] ops
);
    initial begin beats = 0; ops = 0; end
    logic reading = 0;
    wire [3:0] more = !moves ? 0 : !write ? len + 1 : last;
    always @(posedge clock) begin
        beats <= reset ? 0 : beats + more - beat;
        ops <= reset ? 0 : ops + op_take - op_done;
        reading <= !reset && (moves ? !write : reading && beats != 0);
    end
    always @(*) begin
        if (beat) assume (beats != 0 && !reset);
        if (beat && reading) assume (beat_last == (beats == 1));
        if (op_done) assume (ops != 0 && !reset);
    end
endmodule

// The port and what is parked (kept by `live_reg` and `reg_flow`, `live_life` and `life_flow`): while a parked command is chosen the port looks at it for a few cycles, begins
// with it, and looks no more until it has ended it (`pop`, within MOST cycles of the choice).
module env_chosen #(parameter MOST = 7, LOOK = 3) (
    input logic clock, input logic reset, input logic ready, input logic peek, input logic pop,
    output logic [13:0] left, output logic [3:0] looks
);
    logic begun = 0;
    env_prompt #(.MOST(MOST), .W(14)) pops (.clock(clock), .reset(reset), .wants(ready), .gets(pop), .left(left));
    env_prompt #(.MOST(LOOK)) peeks (.clock(clock), .reset(reset), .wants(ready && peek), .gets(!peek), .left(looks));
    logic peeked = 0;
    always @(posedge clock) begin
        peeked <= ready && peek && !pop && !reset;
        begun <= !reset && ready && !pop && (begun || (peeked && !peek));
    end
    always @(*) if (begun) assume (!peek);
endmodule

// All leases a parked command waits for are given back (kept by the user, who gives every `dma_done`, and `live_walk`), for any one
// command, from any moment (`since`) on: the scan finds none (of an eviction: none of those that were held as it was put). No lease of it begins any more (`cache`, `verdict`, as in `env_leases`).
module env_returned (
    input logic clock, input logic reset, input logic since, input logic match, input logic held, input logic walking, input logic contract
);
    always @(*) if (since) assume (!(match && (walking || (held && !contract))));
endmodule

// Clients of the memory's port: who asks goes on asking until it is served (kept by `miss`, `mtt_miss`: registers).
module env_clients (
    input logic clock, input logic reset, input logic mpt, input logic mpt_ready, input logic mtt, input logic mtt_ready
);
    logic mpt_was = 0, mtt_was = 0;
    always @(posedge clock) begin
        mpt_was <= !reset && mpt && !mpt_ready; mtt_was <= !reset && mtt && !mtt_ready;
    end
    always @(*) begin
        if (reset) assume (!mpt && !mtt);
        if (mpt_was) assume (mpt);
        if (mtt_was) assume (mtt);
    end
endmodule

// So does the registration port. It writes at most the words of an entry in one burst, with a cycle between two of them at most, and asks nothing
// in the cycle after the last (kept by `live_reg`, `live_life`: `a_bursts`).
module env_bursts #(parameter GIVEN = 1) (
    input logic clock, input logic reset, input logic valid, input logic ready, input logic last, output logic [3:0] words
);
    logic was = 0, over = 0, gap = 0;
    initial words = 0;
    always @(posedge clock) begin
        was <= !reset && valid && !ready;
        if (valid && ready) words <= last ? 0 : words + 1;
        over <= !reset && valid && ready && last;
        gap <= !reset && words != 0 && !valid;
        if (reset) words <= 0;
    end
    wire fine = (!was || valid) && (!over || !valid) && (!gap || valid) && (!valid || words != `MPTN - 1 || last);
    always @(*) begin
        if (GIVEN && reset) assume (!valid);
        if (!reset)
            if (GIVEN) assume (fine); else a_bursts: assert (fine);
    end
endmodule

// Slots that are asked for at c0: who asks goes on asking; after a fill has gone none is there for a while (kept by `live_miss`, `a_fills`), nor a
// lookup that asks again (`a_replays`); ops come one by one, not more than there are sets, and then none for a while (`live_reg`, `live_life`: `a_few`).
module env_spaced (
    input logic clock, input logic reset, input logic fill, input logic fill_take, input logic replay, input logic replay_take,
    input logic op, input logic op_take, input logic [1:0] offer, input logic [1:0] take
);
    logic [3:0] fills = 0, replays = 0;
    logic op_was = 0, replay_was = 0, few;
    logic [1:0] offers = 0;
    wire [2:0] number;
    env_few ops (.clock(clock), .reset(reset), .valid(op), .take(op_take), .few(few), .number(number));
    always @(posedge clock) begin
        fills <= reset ? 0 : fill_take ? 8 : fills == 0 ? 0 : fills - 1;
        replays <= reset ? 0 : replay_take ? 2 : replays == 0 ? 0 : replays - 1;
        op_was <= !reset && op && !op_take; replay_was <= !reset && replay && !replay_take;
        offers <= reset ? 0 : offer & ~take;
    end
    always @(*) begin
        if (reset) assume (!fill && !replay && !op && offer == 0);
        if (fills != 0) assume (!fill);
        if (replays != 0) assume (!replay);
        if (op_was) assume (op);
        if (replay_was) assume (replay);
        assume ((offers & ~offer) == 0);
        assume (few);
    end
endmodule

// (No assumption but a count, for the one above and for who keeps it.) Ops in a group: none in the cycle after one has gone, as many as there are
// sets at most, and six cycles without any before the next group.
module env_few (input logic clock, input logic reset, input logic valid, input logic take, output logic few, output logic [2:0] number);
    logic [2:0] quiet = 0;
    logic taken = 0;
    initial number = 0;
    always @(posedge clock) begin
        quiet <= reset || valid ? 0 : quiet == 6 ? 6 : quiet + 1;
        number <= reset ? 0 : take ? number + 1 : !valid && quiet >= 5 ? 0 : number;
        taken <= take && !reset;
    end
    always @(*) few = !valid || (!taken && number < (1 << `SETW));
endmodule

// The core opens its ports once, when the sweeps after reset are over (kept by `front`, and `core`: `ready_all`).
module env_enabled (input logic clock, input logic reset, input logic enable);
    logic was = 0;
    always @(posedge clock) was <= enable && !reset;
    always @(*) if (was) assume (enable);
endmodule

// A command holds lookups for MOST cycles at most; between two such there are four cycles, and five after one none asks for a slot (kept by
// `live_reg`, `live_life`: `a_held`).
module env_held #(parameter MOST = 6, GIVEN = 1) (input logic clock, input logic reset, input logic hold, input logic op);
    logic [6:0] held = 0;
    logic [2:0] free = 5;
    always @(posedge clock) begin
        held <= !reset && hold ? held + 1 : 0;
        free <= reset ? 5 : hold ? 0 : free == 5 ? 5 : free + 1;
    end
    wire fine = held <= MOST && !(hold && held == MOST) && (!hold || held != 0 || free >= 4) && (hold || free == 5 || !op);
    always @(*) if (!reset)
        if (GIVEN) assume (fine); else a_held: assert (fine);
endmodule

// A fetch that was taken is answered (the ICM's contract, and `icm_port`): its first beat comes within MOST cycles more than the first, not counting those
// in which an answer of another waits for the same client.
module env_answers #(parameter MOST = 3, W = 4) (
    input logic clock, input logic reset, input logic open, input logic began, input logic stands, output logic [W-1:0] left
);
    logic [W-1:0] waited = 0;
    logic there = 0;
    always @(posedge clock) begin
        waited <= reset || !open || began || there ? 0 : stands ? waited : waited + 1;
        there <= !reset && open && (began || there);
    end
    assign left = MOST - waited;
    always @(*) begin
        assume (waited <= MOST);
        if (open && waited == MOST && !there && !stands) assume (began);
    end
endmodule

// A turn of one list of waiting lookups (kept by `waiters` and `lists`, and by reading: a lookup behind a fill finds its line, so nobody comes to a list
// twice in a turn): not more ask than there are slots; who is on the way to the list is in it within LATE cycles; who has asked leaves within MOST.
module env_turns #(parameter MOST = 7, LATE = 2) (
    input logic clock, input logic reset, input logic [2:0] asks, input logic has, input logic coming, input logic leaves, input logic popped,
    output logic [3:0] number, output logic [5:0] left, output logic [5:0] late
);
    initial number = 0;
    always @(posedge clock) number <= reset || asks <= 2 ? 0 : asks == 3 && has ? number + 1 : number;
    env_prompt #(.MOST(MOST), .W(6)) pops (.clock(clock), .reset(reset), .wants(leaves), .gets(popped), .left(left));
    env_prompt #(.MOST(LATE), .W(6)) comes (.clock(clock), .reset(reset), .wants(asks == 3), .gets(has || !coming), .left(late));
    always @(*) begin
        if (asks >= 3) assume (number <= `SLOTS);
        if (asks == 3 && number == `SLOTS) assume (!has);
    end
endmodule

// A kill while a lookup is starved is of a command that was past its wait when `starved` rose (kept by `publish`, `life_order`, `live_reg` and `live_life`: `a_fed`), and a command
// kills an index once, be it by its set: so one at most hits the line of an MSHR that is fetched or whose waiters ask (`hit`).
module env_fed (input logic clock, input logic reset, input logic starved, input logic hit, output logic late);
    initial late = 0;
    always @(posedge clock) late <= !reset && starved && (late || hit);
    always @(*) if (late && starved) assume (!hit);
endmodule

// The sweep behind a new epoch begins with the slot of a flush, not while the next command waits (kept by `front`, `live_front`: `flush` goes from idle by that slot only).
module env_calm (input logic clock, input logic reset, input logic waits, input logic busy);
    logic calm = 0;
    always @(posedge clock) calm <= waits && !busy && !reset;
    always @(*) if (calm && waits) assume (!busy);
endmodule

// The slot RAM is read for a waiter when it asks (kept by `core`: wires).
module env_reads (input logic valid, input logic take);
    always @(*) assume (take == valid);
endmodule

// A word for the walker stays until it is taken (kept by `icm_port`: a register).
module env_word (input logic clock, input logic reset, input logic valid, input logic ready, input logic [`PORTW-1:0] port);
    logic was = 0;
    logic [`PORTW-1:0] port_was;
    always @(posedge clock) begin was <= valid && !ready && !reset; port_was <= port; end
    always @(*) if (was) assume (valid && port == port_was);
endmodule

// Slots that are asked for at m0: a port asks when the sweep after reset is over, and so does a fill (kept by `walk`: nothing is granted before); a sweep is
// asked for until it is done, and not in the cycle after (kept by `live_reg`: `s_sweep`; `live_life`: `a_sweeps`, `a_swept`).
module env_pages (
    input logic clock, input logic reset, input logic ready, input logic [1:0] asks, input logic fill, input logic fill_take, input logic sweep,
    input logic sweep_done
);
    logic sweep_was = 0, done_was = 0, fill_was = 0;
    always @(posedge clock) begin
        sweep_was <= !reset && sweep && !sweep_done; done_was <= sweep_done && !reset; fill_was <= !reset && fill && !fill_take;
    end
    always @(*) begin
        if (!ready) assume (asks == 0 && !fill && !sweep);
        if (sweep_was) assume (sweep);
        if (done_was) assume (!sweep);
        if (fill_was) assume (fill);
    end
endmodule

// What becomes of a context's look-ups (kept by `mtt_pipe`: five cycles to m5; `walk`, `a_order`, `a_last`): one that counts, and is its request's last, ends it or
// sends the context back; of another nothing is said, or it does the latter. Grants are as many as there are tags at most (`tag_life`). The slot RAM is read for who asked.
module env_judged (
    input logic reset, input logic offer, input logic take, input logic read_valid, input logic read_take, input logic there, input logic ends,
    input logic last, input logic again, input logic over, input logic probed, input logic grant, input logic [`TAGCW-1:0] used
);
    always @(*) begin
        assume (last + again + over + probed <= 1);
        if (take) assume (offer);
        if (read_take) assume (read_valid);
        if (last) assume (there && ends);
        if (again || over || probed) assume (there);
        if (there && ends) assume (last || again || over || probed);
        if (grant) assume (used < `TAGS && !reset);
    end
endmodule

// A segment is pushed only where there is room for it (kept by `mtt_pipe`: `room`).
module env_room (input logic push, input logic [`SEGCW-1:0] held, input logic reset);
    always @(*) if (push) assume (held < (1 << `SEGDW) && !reset);
endmodule

// Requests of a walk context: as long as a request may be (`decode`), of one of the five page sizes (`env_grant`, `env_slot_word`); a look-up comes back as it
// went, and the first pass is ended by one of its own (kept by `walk`, whose ops travel unchanged; `mtt_pipe`: `whole`).
module env_page (
    input logic grant, input desc_t desc, input logic read, input word_t word, input logic again, input logic [2:0] page, input logic [31:0] past,
    input logic [3:0] was, input logic probe, input logic probed, input logic probe_was
);
    always @(*) begin
        if (grant) assume (desc.len != 0 && desc.len <= `MAXREQ && desc.page <= 4);
        if (read) assume (word.len != 0 && word.len <= `MAXREQ && word.op[2:0] <= 4);
        if (again) assume (page <= 4 && past == was && probe == probe_was);
        if (probed) assume (probe_was);
    end
endmodule
`endif

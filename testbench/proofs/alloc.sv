// SPDX-License-Identifier: MIT OR Apache-2.0
// The free list (`key_alloc`), for any index `I`: while it is in use it is not offered, and an offer is an index of the table; one that was given back
// stands in the list until it is taken as the first, and one never used comes in its turn. The list's `next` fields lie in the retired
// entries in memory (`env_alloc`). Keeps `env_life_index`.
`include "env.sv"

module alloc (
    input logic clock,
    input logic reset,
    input logic take, give,
    input logic [`K-1:0] give_index, take_next
);
    wire [`K-1:0] pick, head;
    wire avail;
    \latchkey_core$regs$alloc dut (.clock(clock), .reset(reset), .pick(pick), .avail(avail), .take(take), .take_next(take_next), .give(give),
        .give_index(give_index), .head(head));
    (* anyconst *) wire [`K-1:0] I;
    (* hierconn *) wire [`K:0] \dut.fresh$q ;
    (* hierconn *) wire \dut.some$q ;
    wire [`K:0] fresh = \dut.fresh$q ;

    // is I in use, is it in the list, below how many; and how many are in the list
    logic used = 0, listed = 0, calm = 0;
    logic [`K-1:0] below;
    logic [`K:0] count = 0;
    env_reset starts (.clock(clock), .reset(reset));
    env_alloc turns (.clock(clock), .reset(reset), .take(take), .give(give), .avail(avail), .head(head), .take_next(take_next), .I(I),
        .next_is_I(listed && below == 1), .count(count), .give_I(give_index == I), .give_index(give_index), .used(used), .calm(calm), .fresh(fresh));
    always @(posedge clock) begin
        calm <= !take && !give && !reset;
        if (take) begin
            if (pick == I) begin used <= 1; listed <= 0; end
            if (head != 0) begin count <= count - 1; below <= below - 1; end
        end
        if (give) begin
            if (give_index == I) begin used <= 0; listed <= 1; end
            below <= give_index == I ? 0 : below + 1;
            count <= count + 1;
        end
        if (reset) begin used <= 0; listed <= 0; count <= 0; end
    end
    wire possible = I != 0 && I < `MRS;
    always @(*) if (!reset) begin
        i_list: assert ((count == 0) == (head == 0) && count < fresh && (!listed || (below < count && !used)));
        i_head: assert ((head == I && head != 0) == (listed && below == 0));
        i_fresh: assert (fresh >= 1 && fresh <= `MRS);
        if (possible) i_once: assert (I < fresh ? used != listed : !used && !listed);
        else i_never: assert (!used && !listed);
        if (calm) i_some: assert (\dut.some$q == (head != 0));
        if (calm) i_avail: assert (avail == (head != 0 || fresh != `MRS));
        // K: what is offered is nobody's
        if (calm && avail && pick == I) a_free: assert (!used && possible);
        // none is lost: one that is not in use is in the list, or its turn has not come
        if (possible && !used) a_kept: assert (listed || I >= fresh);
        // who is first in the list is told, so that who comes can be put before it
        if (calm) a_head: assert (head == 0 || pick == head);
        if (calm && listed) a_offers: assert (avail);
    end
    logic [1:0] back = 0;
    always @(posedge clock) if (reset) back <= 0; else if (take && head == I && listed && back != 3) back <= back + 1;
    always @(*) if (!reset) begin
        c_again: cover (back == 2 && count == 1);
        c_deep: cover (count == 3 && listed && below == 2);
        c_behind: cover (take && head != 0 && take_next == I && listed);
    end
endmodule

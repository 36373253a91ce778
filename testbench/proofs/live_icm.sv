// SPDX-License-Identifier: MIT OR Apache-2.0
// Liveness (F) at the memory's port (`icm_port`): a client that asks has its turn within a number of cycles, given that the memory takes what
// is at the pins within some; and a beat that is at the pins is with its client within a number, given that the clients take theirs.
`include "env.sv"

module live_icm (
    input logic clock,
    input logic reset,
    input logic mpt_valid, mtt_valid, reg_valid, reg_write, reg_last,
    input logic [`NMW-1:0] mpt_id,
    input logic [`PORTW-1:0] mtt_port,
    input logic mptr_ready, mttr_ready, icm_req_ready, icm_rsp_valid, icm_rsp_last,
    input logic [`IDW-1:0] icm_rsp_id,
    input logic [`BEAT-1:0] icm_rsp_data
);
    wire mpt_ready, mtt_ready, reg_ready, mptr_valid, mttr_valid, ricm_valid, icm_req_valid, icm_rsp_ready;
    \latchkey_core$icm dut (
        .clock(clock), .reset(reset), .mpt_valid(mpt_valid), .mpt_ready(mpt_ready), .mpt_id(mpt_id), .mpt_index(0), .mtt_valid(mtt_valid),
        .mtt_ready(mtt_ready), .mtt_port(mtt_port), .mtt_addr(0), .reg_valid(reg_valid), .reg_ready(reg_ready), .reg_write(reg_write),
        .reg_space(0), .reg_addr(0), .reg_len(0), .reg_data(0), .reg_last(reg_last), .mptr_valid(mptr_valid), .mptr_ready(mptr_ready),
        .mttr_valid(mttr_valid), .mttr_ready(mttr_ready), .ricm_valid(ricm_valid), .icm_req_valid(icm_req_valid),
        .icm_req_ready(icm_req_ready), .icm_rsp_valid(icm_rsp_valid), .icm_rsp_ready(icm_rsp_ready), .icm_rsp_id(icm_rsp_id),
        .icm_rsp_data(icm_rsp_data), .icm_rsp_last(icm_rsp_last)
    );
    env_reset starts (.clock(clock), .reset(reset));
    localparam Q = 2;                           // the memory takes a request
    localparam C = 3;                           // a client takes a beat
    wire [3:0] q, c;
    env_prompt #(.MOST(Q)) pins (.clock(clock), .reset(reset), .wants(icm_req_valid), .gets(icm_req_ready), .left(q));
    wire beat = mptr_valid || mttr_valid;
    wire taken = (mptr_valid && mptr_ready) || (mttr_valid && mttr_ready);
    env_prompt #(.MOST(C)) clients (.clock(clock), .reset(reset), .wants(beat), .gets(taken), .left(c));
    wire [3:0] words;
    env_clients asks (.clock(clock), .reset(reset), .mpt(mpt_valid), .mpt_ready(mpt_ready), .mtt(mtt_valid), .mtt_ready(mtt_ready));
    env_bursts bursts (.clock(clock), .reset(reset), .valid(reg_valid), .ready(reg_ready), .last(reg_last), .words(words));

    (* hierconn *) wire \dut.mpt_turn$q , \dut.mtt_turn$q , \dut.reg_turn$q , \dut.burst$q , \dut.valid$q , \dut.m_valid$q , \dut.s_valid$q ,
        \dut.ready$q ;
    wire mpt_turn = \dut.mpt_turn$q , mtt_turn = \dut.mtt_turn$q , reg_turn = \dut.reg_turn$q , burst = \dut.burst$q ;
    // one transfer; what the registration port's turn takes, from a word at hand to the turn of who is next
    localparam ONE = Q + 1;
    wire [7:0] now = (\dut.valid$q ? q : 0) + 1;
    localparam TURN = `MPTN * (ONE + 1) + 1;
    wire [7:0] turn = reg_valid ? now + 1 + (`MPTN - 1 - words) * (ONE + 1) + 1 : burst ? 1 + (`MPTN - words) * (ONE + 1) : 1;
    wire [7:0] mpt_rank = mpt_turn ? now : mtt_turn ? (mtt_valid ? now : 1) + TURN + ONE : turn + ONE;
    wire [7:0] mtt_rank = mtt_turn ? now : mpt_turn ? (mpt_valid ? now : 1) + ONE : turn + ONE + ONE;
    wire [7:0] reg_rank = reg_turn ? now : mtt_turn ? (mtt_valid ? now : 1) + ONE : (mpt_valid ? now : 1) + ONE + ONE;
    localparam MPT = ONE + TURN + ONE, MTT = TURN + ONE + ONE, REG = 3 * ONE;

    logic [7:0] mpt_waits = 0, mtt_waits = 0, reg_waits = 0, rsp_waits = 0;
    always @(posedge clock) begin
        mpt_waits <= !reset && mpt_valid && !mpt_ready ? mpt_waits + 1 : 0;
        mtt_waits <= !reset && mtt_valid && !mtt_ready ? mtt_waits + 1 : 0;
        reg_waits <= !reset && reg_valid && !reg_ready ? reg_waits + 1 : 0;
        rsp_waits <= !reset && icm_rsp_valid && !icm_rsp_ready ? rsp_waits + 1 : 0;
    end
    // beats inside, and how long the main one stays
    wire [7:0] stays = beat ? c + 1 : 1;
    // two beats inside, the last one in the main register when it came
    logic [1:0] inside = 0;
    always @(posedge clock) inside <= reset ? 0 : inside + (icm_rsp_valid && icm_rsp_ready) - (\dut.m_valid$q && (!beat || taken));
    logic begun = 0;
    always @(posedge clock) begun <= !reset;

    always @(*) if (!reset) begin
        i_turns: assert (mpt_turn + mtt_turn + reg_turn == 1);
        i_burst: assert (!burst || (reg_turn && words != 0));
        i_words: assert (words < `MPTN && (words == 0 || burst));
        i_inside: assert (inside == \dut.m_valid$q + \dut.s_valid$q && (!\dut.s_valid$q || \dut.m_valid$q ));
        if (begun) i_ready: assert (\dut.ready$q != \dut.s_valid$q );
        if (mpt_valid) i_mpt: assert (mpt_waits + mpt_rank <= MPT);
        if (mtt_valid) i_mtt: assert (mtt_waits + mtt_rank <= MTT);
        if (reg_valid) i_reg: assert (reg_waits + reg_rank <= REG);
        // who asks is served
        if (mpt_valid) a_mpt: assert (mpt_waits < MPT);
        if (mtt_valid) a_mtt: assert (mtt_waits < MTT);
        if (reg_valid) a_reg: assert (reg_waits < REG);
        // a beat at the pins is taken in, when the clients take theirs; and what is inside, is with its client
        if (begun && icm_rsp_valid && !icm_rsp_ready) i_beat: assert (rsp_waits + stays <= C + 1);
        if (!begun) i_begun: assert (rsp_waits == 0 && inside == 0 && !\dut.ready$q );
        a_beat: assert (rsp_waits <= C + 2);
    end
    always @(*) if (!reset) begin
        c_all: cover (mpt_ready && mpt_valid && mpt_waits > 4);
        c_burst: cover (mtt_valid && mtt_ready && mtt_waits > `MPTN);
        c_reg: cover (reg_valid && reg_ready && reg_waits > 4);
        c_full: cover (icm_rsp_valid && icm_rsp_ready && rsp_waits == 1);
    end
endmodule

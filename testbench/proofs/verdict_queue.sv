// SPDX-License-Identifier: MIT OR Apache-2.0
// Property C on the way out: the verdict queue of a port (`ram_fifo`) gives every word that was pushed once, unchanged and in order,
// with the credit of the port's entrance. One word is watched, any one; its RAM remembers the address it lies at.
`include "env.sv"
`include "queue.svh"

module verdict_queue (
    input logic clock,
    input logic reset,
    input logic push,
    input verdict_t data_in,
    input logic pop,
    input logic pick
);
    localparam N = `VDW;
    localparam MOST = (1 << N) + 1;
    wire valid;
    verdict_t data;
    \latchkey_core$verdicts$0 dut (.clock(clock), .reset(reset), .push(push), .data_in(data_in), .valid(valid), .data(data), .pop(pop));
    env_reset starts (.clock(clock), .reset(reset));

    (* hierconn *) wire \dut.full$q , \dut.second$q , \dut.ready$q ;
    (* hierconn *) wire [N-1:0] \dut.rd$q , \dut.wr$q , \dut.ram.kept_address , \dut.ram.write_address ;
    (* hierconn *) wire \dut.ram.write_enable ;
    (* hierconn *) wire [`TAGW+8:0] \dut.head$q , \dut.spare$q , \dut.ram.kept , \dut.ram.read_data ;
    wire full = \dut.full$q , second = \dut.second$q , ready = \dut.ready$q ;

    logic starts_now, watching, done;
    logic [N+1:0] count, ahead;
    wire leaves = valid && pop;
    watched #(.N(N)) one (.clock(clock), .reset(reset), .push(push), .leaves(leaves), .pick(pick), .starts(starts_now), .watching(watching),
        .done(done), .count(count), .ahead(ahead), .waited());
    verdict_t word;
    always @(posedge clock) if (starts_now) word <= data_in;
    env_credit credit (.push(push), .count(count), .reset(reset));
    always @(*) if (starts_now && \dut.ram.write_enable ) assume (\dut.ram.write_address == \dut.ram.kept_address );

    wire [N-1:0] held = \dut.wr$q - \dut.rd$q ;
    wire [N+1:0] deep = ahead - full - second;
    wire [N-1:0] lies = \dut.rd$q + deep[N-1:0];
    always @(*) if (!reset) begin
        i_count: assert (count == full + second + held && count <= MOST);
        i_full: assert (full == (count != 0));
        i_second: assert (!second || full);
        i_ready: assert (!ready || held != 0);
        i_wait: assert (held == 0 || ready || second);
        if (watching) begin
            i_inside: assert (ahead < count);
            if (ahead == 0) i_head: assert (\dut.head$q == word);
            if (ahead == 1 && second) i_spare: assert (\dut.spare$q == word);
            if (ahead >= full + second) i_ram: assert (lies == \dut.ram.kept_address && \dut.ram.kept == word);
            if (ahead == full + second && ready) i_read: assert (\dut.ram.read_data == word);
        end
        // C: something is at the pins while something is inside, and the watched word leaves in its turn, as it came
        a_there: assert (valid == (count != 0));
        if (watching && ahead == 0) a_word: assert (valid && data == word);
    end
    always @(*) if (!reset) begin
        c_full: cover (count == 6);
        c_through: cover (done && count == 2);
        c_ram: cover (watching && ahead == 4);
    end
endmodule

// SPDX-License-Identifier: MIT OR Apache-2.0
// One word of a queue is watched, any one: how many are inside, how many are ahead of it, how long it has waited.
module watched #(parameter N = 2) (
    input logic clock, input logic reset, input logic push, input logic leaves, input logic pick,
    output logic starts, output logic watching, output logic done,
    output logic [N+1:0] count, output logic [N+1:0] ahead, output logic [N+3:0] waited
);
    initial begin count = 0; watching = 0; done = 0; end
    assign starts = push && pick && !watching && !done;
    always @(posedge clock) begin
        count <= count + push - leaves;
        waited <= watching ? waited + 1 : 0;
        if (starts) begin watching <= 1; ahead <= count - leaves; end
        if (watching && leaves) begin
            ahead <= ahead - 1;
            if (ahead == 0) begin watching <= 0; done <= 1; end
        end
        if (reset) begin count <= 0; watching <= 0; done <= 0; end
    end
endmodule

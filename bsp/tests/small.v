// SPDX-License-Identifier: MIT OR Apache-2.0
// A stand-in for the core: one RAM, one adder, one instance below the top.
module small$sum(clock,a,b,s);
    input wire  clock;
    input wire [15:0] a;
    input wire [15:0] b;
    output reg [15:0] s;
    always @(posedge clock) s <= a + b;
endmodule

module small(clock,reset,a_valid,a_data,b_valid,b_data);
    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  a_valid;
    input wire [15:0] a_data;
    output wire  b_valid;
    output wire [15:0] b_data;
    reg [15:0] memory [0:255];
    reg [15:0] read;
    reg valid;
    always @(posedge clock) begin
        if (a_valid) memory[a_data[7:0]] <= a_data;
        read <= memory[a_data[15:8]];
        valid <= a_valid & ~reset;
    end
    assign b_valid = valid;
    small$sum sum(.clock(clock), .a(read), .b(a_data), .s(b_data));
endmodule

// SPDX-License-Identifier: MIT OR Apache-2.0
// A memory of 36 block RAMs: four more than the HX8K has.
module overfull(clock,write,address,data,read);
    input wire  clock;
    input wire  write;
    input wire [9:0] address;
    input wire [143:0] data;
    output reg [143:0] read;
    reg [143:0] memory [0:1023];
    always @(posedge clock) begin
        if (write) memory[address] <= data;
        read <= memory[address];
    end
endmodule

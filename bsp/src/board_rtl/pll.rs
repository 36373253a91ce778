// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board's clock, made from the oscillator by the chip's PLL: the core does not reach the oscillator's 100 MHz.
//!
//! ```text
//!  oscillator ─► / (DIVR + 1) ─► x (DIVF + 1), 533 to 1066 MHz ─► / 2^DIVQ ─► slow (global net)
//! ```
//! Contract: `slow` may be anything until `locked`. In synthesis this is `SB_PLL40_CORE`; without `SYNTHESIS` (simulators) a model in its
//! place: `slow` is the oscillator itself and `locked` is high, so one simulated cycle is one cycle of the board's clock.

use super::prelude::*;
use latchkey_hdl::link::{CLOCK_HZ, OSCILLATOR_HZ};

/// Divider of the oscillator, less one.
const DIVR: u32 = 4;
/// Factor of the loop, less one.
const DIVF: u32 = 31;
/// Divider behind it, as a power of two.
const DIVQ: u32 = 3;
/// Range of the loop filter for a compared clock of 17 to 26 MHz (as `icepll` says).
const FILTER: u32 = 2;
const COMPARED_HZ: u32 = OSCILLATOR_HZ / (DIVR + 1);
const LOOP_HZ: u32 = COMPARED_HZ * (DIVF + 1);
const _: () = assert!(LOOP_HZ >> DIVQ == CLOCK_HZ);
const _: () = assert!(LOOP_HZ >= 533_000_000 && LOOP_HZ <= 1_066_000_000);
const _: () = assert!(COMPARED_HZ >= 17_000_000 && COMPARED_HZ < 26_000_000);

/// See the module's text. Not among the modules of the gate by itself: a bench sees a clock only as an input. It is in the board, which is.
#[derive(LogicBlock, Default)]
pub(crate) struct Pll {
    /// Oscillator.
    pub clock: Signal<In, Clock>,
    /// The board's clock.
    pub slow: Signal<Out, Clock>,
    /// It stands.
    pub locked: Signal<Out, Bit>,
}

impl Logic for Pll {
    fn update(&mut self) {
        self.slow.next = self.clock.val();
        self.locked.next = true;
    }

    fn connect(&mut self) {
        self.slow.connect();
        self.locked.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Wrapper(Wrapper {
            code: format!(
                "
`ifdef SYNTHESIS
SB_PLL40_CORE #(.FEEDBACK_PATH(\"SIMPLE\"), .DIVR(4'd{DIVR}), .DIVF(7'd{DIVF}), .DIVQ(3'd{DIVQ}), .FILTER_RANGE(3'd{FILTER})) loop (
  .REFERENCECLK(clock), .PLLOUTGLOBAL(slow), .LOCK(locked), .RESETB(1'b1), .BYPASS(1'b0)
);
`else
assign slow = clock;
assign locked = 1'b1;
`endif
"
            ),
            cores: "
`ifdef SYNTHESIS
(* blackbox *)
module SB_PLL40_CORE #(
  parameter FEEDBACK_PATH = \"SIMPLE\", parameter DIVR = 4'd0, parameter DIVF = 7'd0, parameter DIVQ = 3'd0, parameter FILTER_RANGE = 3'd0
) (input REFERENCECLK, input RESETB, input BYPASS, output PLLOUTGLOBAL, output LOCK);
endmodule
`endif
"
            .into(),
        })
    }
}

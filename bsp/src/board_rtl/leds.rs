// SPDX-License-Identifier: MIT OR Apache-2.0
//! The eight LEDs.
//!
//! | LED | lit |
//! |---:|---|
//! | 0 | blinks 0.6 times a second: clock and configuration are there |
//! | 1 | the core has ended its sweep after reset |
//! | 2 | the self-test passed |
//! | 3 | the self-test failed |
//! | 4 | the link is open: the host serves the tables |
//! | 5 | a good frame came within the last 0.84 to 1.7 s |
//! | 6 | a bad or refused frame came within the last 0.84 to 1.7 s |
//! | 7 | the host does not answer: a message was sent again |

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
#[allow(missing_docs)]
pub struct Leds {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub ready: Signal<In, Bit>,
    pub passed: Signal<In, Bit>,
    pub failed: Signal<In, Bit>,
    pub hosted: Signal<In, Bit>,
    pub frame: Signal<In, Bit>,
    pub trouble: Signal<In, Bit>,
    pub silent: Signal<In, Bit>,
    pub led: Signal<Out, Bits<8>>,
    timer: DFF<Bits<27>>,
    tick: DFF<Bit>,
    seen: DFF<Bit>,
    seen_before: DFF<Bit>,
    error: DFF<Bit>,
    error_before: DFF<Bit>,
    lamps: DFF<Bits<8>>,
    lit: Signal<Local, Bits<8>>,
    alive: Signal<Local, Bit>,
    wrong: Signal<Local, Bit>,
}

impl Logic for Leds {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            timer,
            tick,
            seen,
            seen_before,
            error,
            error_before,
            lamps
        );
        self.timer.d.next = self.timer.q.val() + 1;
        self.tick.d.next = self.timer.q.val().get_bits::<26>(0).all();
        if self.tick.q.val() {
            self.seen_before.d.next = self.seen.q.val();
            self.error_before.d.next = self.error.q.val();
            self.seen.d.next = false;
            self.error.d.next = false;
        }
        if self.frame.val() {
            self.seen.d.next = true;
        }
        if self.trouble.val() {
            self.error.d.next = true;
        }
        self.alive.next = self.seen.q.val() || self.seen_before.q.val();
        self.wrong.next = self.error.q.val() || self.error_before.q.val();
        self.lit.next = 0.into();
        self.lit.next = self
            .lit
            .val()
            .replace_bit(0, self.timer.q.val().get_bit(26));
        self.lit.next = self.lit.val().replace_bit(1, self.ready.val());
        self.lit.next = self.lit.val().replace_bit(2, self.passed.val());
        self.lit.next = self.lit.val().replace_bit(3, self.failed.val());
        self.lit.next = self.lit.val().replace_bit(4, self.hosted.val());
        self.lit.next = self.lit.val().replace_bit(5, self.alive.val());
        self.lit.next = self.lit.val().replace_bit(6, self.wrong.val());
        self.lit.next = self.lit.val().replace_bit(7, self.silent.val());
        self.lamps.d.next = self.lit.val();
        self.led.next = self.lamps.q.val();
        if self.reset.val() {
            self.seen.d.next = false;
            self.seen_before.d.next = false;
            self.error.d.next = false;
            self.error_before.d.next = false;
        }
    }
}

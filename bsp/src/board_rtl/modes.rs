// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who serves the core's tables, the self-test's state, and the core's reset.
//!
//! ```text
//!   reset or SELF_TEST ─► testing ─► passed | failed (by the script, or 2^17 cycles)
//!   HELLO with fresh tables ─► hosted
//! ```
//! Contract: `core_reset` stands for 16 cycles after the board's reset, after `test` and after `open`. `ready`: the core has taken
//! itself through its sweep since. `hosted` and `testing` never stand together. `open` ends a test that runs: neither passed nor failed.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, Default)]
pub struct Modes {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Reset of the board.
    pub reset: Signal<In, Bit>,
    /// The host opens the link with empty tables.
    pub open: Signal<In, Bit>,
    /// A self-test is asked for.
    pub test: Signal<In, Bit>,
    /// It has ended well.
    pub pass: Signal<In, Bit>,
    /// It has not.
    pub fail: Signal<In, Bit>,
    /// The core accepts lookups.
    pub lookup_ready: Signal<In, Bit>,
    /// Reset of the core.
    pub core_reset: Signal<Out, Bit>,
    /// The host serves the tables.
    pub hosted: Signal<Out, Bit>,
    /// The self-test runs.
    pub testing: Signal<Out, Bit>,
    /// It has passed.
    pub passed: Signal<Out, Bit>,
    /// It has failed.
    pub failed: Signal<Out, Bit>,
    /// The core has ended its sweep.
    pub ready: Signal<Out, Bit>,
    count: DFF<Bits<4>>,
    resetting: DFF<Bit>,
    host: DFF<Bit>,
    run: DFF<Bit>,
    good: DFF<Bit>,
    bad: DFF<Bit>,
    swept: DFF<Bit>,
    timer: DFF<Bits<17>>,
}

impl Logic for Modes {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, resetting, host, run, good, bad, swept, timer);
        if self.resetting.q.val() {
            self.count.d.next = self.count.q.val() + 1;
            self.resetting.d.next = !self.count.q.val().all();
        }
        // in the first cycles of a reset the core still shows what it was
        if self.lookup_ready.val() && !self.resetting.q.val() {
            self.swept.d.next = true;
        }
        self.timer.d.next = self.timer.q.val() + 1;
        if self.run.q.val() {
            if self.pass.val() {
                self.run.d.next = false;
                self.good.d.next = true;
            } else if self.fail.val() || self.timer.q.val().all() {
                self.run.d.next = false;
                self.bad.d.next = true;
            }
        }
        if self.open.val() || self.test.val() || self.reset.val() {
            self.host.d.next = self.open.val();
            self.run.d.next = !self.open.val();
            self.resetting.d.next = true;
            self.count.d.next = 0.into();
            self.swept.d.next = false;
        }
        if self.test.val() || self.reset.val() {
            self.good.d.next = false;
            self.bad.d.next = false;
            self.timer.d.next = 0.into();
        }
        if self.reset.val() {
            self.host.d.next = false;
            self.run.d.next = true;
        }
        self.core_reset.next = self.resetting.q.val();
        self.hosted.next = self.host.q.val();
        self.testing.next = self.run.q.val();
        self.passed.next = self.good.q.val();
        self.failed.next = self.bad.q.val();
        self.ready.next = self.swept.q.val() && !self.resetting.q.val();
    }
}

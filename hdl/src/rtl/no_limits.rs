// SPDX-License-Identifier: MIT OR Apache-2.0
//! In the place of `limits.rs` where `feature.limits` is off: the same pins, nothing counted, nothing refused, nothing to set.

use super::prelude::*;

/// See the module's text.
#[derive(LogicBlock, SmartDefault)]
pub struct NoLimits {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub wrote: Signal<In, Bit>,
    pub wrote_at: Signal<In, Bits<8>>,
    pub wrote_to: Signal<In, Bits<32>>,
    pub shown: Signal<Out, Bits<32>>,
    pub quotas: Signal<Out, Bits<32>>,
    pub refused: Signal<Out, Bits<32>>,
    pub req: Signal<In, Req>,
    pub limited: Signal<Out, Bit>,
    pub told: Signal<In, Bit>,
    pub cause: Signal<In, Bits<4>>,
    pub qpn: Signal<In, Bits<QPW>>,
    pub report: Signal<Out, Bit>,
    pub report_qpn: Signal<Out, Bits<24>>,
}

impl Logic for NoLimits {
    #[hdl_gen]
    fn update(&mut self) {
        self.shown.next = 0.into();
        self.quotas.next = 0.into();
        self.refused.next = 0.into();
        self.limited.next = false;
        self.report.next = false;
        self.report_qpn.next = 0.into();
    }
}

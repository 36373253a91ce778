// SPDX-License-Identifier: MIT OR Apache-2.0
//! Structs shared between modules. First field is the least significant.

use super::super::p::*;
use rust_hdl::prelude::*;

/// A finished request, as the checks hand it on: verdict of one tag.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Verdict {
    /// Tag of the request on its port.
    pub tag: Bits<TAGW>,
    /// 1 granted.
    pub granted: Bit,
    /// Completion class.
    pub class: Bits<3>,
    /// Cause.
    pub cause: Bits<4>,
}

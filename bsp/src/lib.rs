// SPDX-License-Identifier: MIT OR Apache-2.0
//! Board top levels and the host link.

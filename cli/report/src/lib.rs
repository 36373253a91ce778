// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pages and pictures of the reports.
//!
//! A page is one file without scripts and without anything fetched from elsewhere; its pictures are SVG inside it, in
//! colours that a style sheet gives for light, dark and paper. What they show is told in words or a table beside them.

pub mod charts;
pub mod page;
pub mod replay;
pub mod scale;
pub mod sim;
mod sim_parts;
pub mod synth;
pub mod waves;

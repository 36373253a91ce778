// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures made in code, read and replayed on the compiled core.

mod answers;
mod broken;
mod formats;
mod kinds;
mod make;
mod shipped;

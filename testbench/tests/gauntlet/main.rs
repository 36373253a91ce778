// SPDX-License-Identifier: MIT OR Apache-2.0
//! The peer gauntlet: cases on which published designs were seen to fail, each a test named after it.

mod bounds;
mod eviction;
mod invalidation;
mod keys;

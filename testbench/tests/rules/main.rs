// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of the design that one changed line could break (streams, leases, registration, cache), each a directed test.
//! `scripts/break-rules` breaks such lines one by one and sees these tests fail (docs/mutations.md).

mod cache;
mod counters;
mod deregister;
mod epochs;
mod fast;
mod flush;
mod leases;
mod limits;
mod paging;
mod parked;
mod register;
mod reregister;
mod reset;
mod secrets;
mod speed;
mod streams;
mod walks;
mod windows;

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every block of the registration side exports in every configuration, and the lint has nothing to say.

use latchkey_hdl::{configs, export::export, lint::lint};
use rust_hdl::prelude::*;

fn gate<B: Block + Default>(name: &str) {
    let mut b = Box::<B>::default();
    let text = export(b.as_mut(), name).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(lint(b.as_ref()), Vec::<String>::new(), "{name}");
    if let Ok(folder) = std::env::var("LATCHKEY_EXPORTS") {
        std::fs::write(format!("{folder}/{name}.v"), text).expect("folder can be written");
    }
}

macro_rules! gates {
    ($($config:ident),*) => { $(
        #[test]
        fn $config() {
            use configs::$config::rtl::*;
            gate::<entry::HotUnpack>(concat!(stringify!($config), "_hot_unpack"));
            gate::<key_alloc::KeyPerm>(concat!(stringify!($config), "_key_perm"));
            gate::<key_alloc::KeyAlloc>(concat!(stringify!($config), "_key_alloc"));
            gate::<reg_args::RegArgs>(concat!(stringify!($config), "_reg_args"));
            gate::<reg_entry::RegEntry>(concat!(stringify!($config), "_reg_entry"));
            gate::<reg_list::RegList>(concat!(stringify!($config), "_reg_list"));
            gate::<reg_flow::RegFlow>(concat!(stringify!($config), "_reg_flow"));
            gate::<reg_publish::RegPublish>(concat!(stringify!($config), "_reg_publish"));
            gate::<parked::Parked>(concat!(stringify!($config), "_parked"));
            gate::<reg_port::RegPort>(concat!(stringify!($config), "_reg_port"));
            gate::<life_entry::LifeEntry>(concat!(stringify!($config), "_life_entry"));
            gate::<life_sums::LifeSums>(concat!(stringify!($config), "_life_sums"));
            gate::<life_flow::LifeFlow>(concat!(stringify!($config), "_life_flow"));
            gate::<life_port::LifePort>(concat!(stringify!($config), "_life_port"));
            gate::<icm_port::IcmPort>(concat!(stringify!($config), "_icm_port"));
            gate::<counters::Counters>(concat!(stringify!($config), "_counters"));
            gate::<events::Events>(concat!(stringify!($config), "_events"));
            gate::<csr_port::CsrPort>(concat!(stringify!($config), "_csr_port"));
            gate::<icm_bram::IcmBram>(concat!(stringify!($config), "_icm_bram"));
        }
    )* };
}

gates!(tiny, life, alchitry_cu, nic);

//! Any text against a type with something of everything. What binds encodes to what binds as the same value, and the
//! second reading finds a problem exactly when the first refuses.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use outrigger_contract::{Any, Limits, WirePlan, bind, check, encode, shape_of};

type Arguments = BTreeMap<String, Vec<(Option<String>, u8, f64, [bool; 2], Any)>>;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (plan, limits) = (WirePlan::default(), Limits::default());
    let bound = bind::<Arguments>(text, &plan, &limits);
    let checked = check(&shape_of::<Arguments>(), text, &plan, &limits);
    assert_eq!(bound.is_ok(), checked.is_ok());
    if let Ok(bound) = bound {
        let again = bind::<Arguments>(&encode(&bound.value), &plan, &limits);
        assert_eq!(again.map(|again| again.value), Ok(bound.value));
    }
});

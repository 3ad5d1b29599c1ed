//! Section 9: the valid path allocates only what the value itself needs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::alloc::System;
use std::collections::BTreeMap;

use outrigger_contract::{Limits, WirePlan, bind};
use outrigger_macros::Contract;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[derive(Contract, Clone)]
struct Order {
    customer: String,
    lines: Vec<Line>,
    priority: Priority,
    note: Option<String>,
    labels: BTreeMap<String, String>,
    payment: Payment,
    #[arg(default)]
    dry_run: bool,
}

#[derive(Contract, Clone)]
struct Line {
    sku: String,
    #[arg(min = 1)]
    quantity: u32,
    price: f64,
}

#[derive(Contract, Clone)]
enum Priority {
    Low,
    High,
}

#[derive(Contract, Clone)]
enum Payment {
    Invoice { number: String },
    Card { last: u16, holder: String },
}

const VALID: &str = r#"{"customer":"Ada","lines":[{"sku":"A","quantity":2,"price":19.99},{"sku":"B","quantity":1,"price":5.5}],
    "priority":"High","note":"Leave at the door.","labels":{"team":"north","origin":"web"},
    "payment":{"last":4242,"holder":"Ada L.","type":"Card"},"dry_run":false}"#;

// The allocator counts for the whole process: one test, and nothing beside it.
#[test]
fn a_valid_bind_allocates_as_often_as_cloning_its_value() {
    let (plan, limits) = (WirePlan::default(), Limits::default());
    let value = bind::<Order>(VALID, &plan, &limits).unwrap().value;

    let region = Region::new(ALLOCATOR);
    let clone = value.clone();
    let needed = region.change().allocations;
    drop(clone);

    let region = Region::new(ALLOCATOR);
    let bound = bind::<Order>(VALID, &plan, &limits).unwrap();
    let spent = region.change().allocations;
    drop(bound);

    assert_eq!(spent, needed);
}

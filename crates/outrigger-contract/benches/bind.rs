//! What a bind costs, beside serde and beside serde with a schema validator, in one run.
//!
//! `cargo bench -p outrigger-contract` prints medians and ratios; `-- --check` fails if a ratio is over its bound.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use outrigger_contract::{Contract, Limits, SchemaProfile, WirePlan, bind, project};
use outrigger_macros::Contract;
use serde::Deserialize;

#[derive(Contract, Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Order {
    customer: Customer,
    lines: Vec<Line>,
    priority: Priority,
    note: Option<String>,
    labels: BTreeMap<String, String>,
    #[serde(default)]
    dry_run: bool,
}

#[derive(Contract, Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Customer {
    id: u64,
    name: String,
    email: Option<String>,
}

#[derive(Contract, Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Line {
    sku: String,
    quantity: u32,
    price: f64,
}

#[derive(Contract, Deserialize, Debug, PartialEq)]
enum Priority {
    Low,
    Normal,
    High,
}

const VALID: &str = r#"{"customer":{"id":48213,"name":"Ada Lovelace","email":"ada@example.org"},"lines":[{"sku":"A-1001","quantity":2,"price":19.99},{"sku":"B-2040","quantity":1,"price":5.5},{"sku":"C-0007","quantity":12,"price":0.25},{"sku":"D-9120","quantity":3,"price":149.0},{"sku":"E-4411","quantity":7,"price":2.75}],"priority":"High","note":"Leave at the door \"B\", ring twice, please.","labels":{"team":"north","origin":"web","flow":"express"},"dry_run":false}"#;

const INVALID: &str = r#"{"customer":{"id":"48213","name":"Ada Lovelace","mail":"ada@example.org"},"lines":[{"sku":"A-1001","quantity":-2,"price":19.99},{"sku":"B-2040","quantity":1.5,"price":5.5},{"sku":"C-0007","quantity":12},{"sku":"D-9120","quantity":3,"price":149.0},{"sku":5,"quantity":7,"price":2.75}],"priority":"high","note":"Leave at the door \"B\", ring twice, please.","labels":{"team":"north","origin":"web","flow":null},"dry_run":"no"}"#;

/// One thing measured.
struct Contender<'a> {
    name: &'static str,
    run: &'a dyn Fn(),
    samples: Vec<f64>,
}

/// Medians in nanoseconds. The contenders take turns, so that a slow moment of the machine meets them all.
fn measure(contenders: &mut [Contender<'_>]) {
    const ROUNDS: usize = 301;
    const BATCH: u32 = 200;
    for round in 0..ROUNDS + 20 {
        for contender in &mut *contenders {
            let start = Instant::now();
            for _ in 0..BATCH {
                (contender.run)();
            }
            let nanos = start.elapsed().as_secs_f64() * 1e9 / f64::from(BATCH);
            if round >= 20 {
                contender.samples.push(nanos);
            }
        }
    }
    for contender in contenders {
        contender.samples.sort_by(f64::total_cmp);
    }
}

fn median(contender: &Contender<'_>) -> f64 {
    contender.samples[contender.samples.len() / 2]
}

/// Prints the medians, and the ratio of the first to each other; true if all keep to their bounds.
fn compare(title: &str, contenders: &mut [Contender<'_>], bounds: &[f64]) -> bool {
    measure(contenders);
    println!("{title}");
    let first = median(&contenders[0]);
    let mut keeps = true;
    for (index, contender) in contenders.iter().enumerate() {
        print!("  {:<36} {:>7.0} ns", contender.name, median(contender));
        if index > 0 {
            let (ratio, bound) = (first / median(contender), bounds[index - 1]);
            keeps &= ratio <= bound;
            print!("   ours / this = {ratio:.2} (at most {bound})");
        }
        println!();
    }
    keeps
}

fn main() {
    let (plan, limits) = (WirePlan::default(), Limits::default());
    let schema = project(&Order::shape(), &SchemaProfile::canonical(), &[], &[]).schema;
    let schema: serde_json::Value = serde_json::from_slice(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let ours = bind::<Order>(VALID, &plan, &limits).unwrap().value;
    assert_eq!(ours, serde_json::from_str::<Order>(VALID).unwrap());
    println!("{} bytes valid, {} bytes invalid", VALID.len(), INVALID.len());

    let keeps_valid = compare(
        "a valid argument",
        &mut [
            Contender {
                name: "outrigger bind",
                run: &|| drop(black_box(bind::<Order>(black_box(VALID), &plan, &limits).unwrap())),
                samples: Vec::new(),
            },
            Contender {
                name: "serde_json, deny_unknown_fields",
                run: &|| drop(black_box(serde_json::from_str::<Order>(black_box(VALID)).unwrap())),
                samples: Vec::new(),
            },
            Contender {
                name: "Value, jsonschema, from_value",
                run: &|| {
                    let value: serde_json::Value = serde_json::from_str(black_box(VALID)).unwrap();
                    assert!(validator.is_valid(&value));
                    drop(black_box(serde_json::from_value::<Order>(value).unwrap()));
                },
                samples: Vec::new(),
            },
        ],
        &[1.3, 0.7],
    );
    let keeps_invalid = compare(
        "a refusal with every problem as text",
        &mut [
            Contender {
                name: "outrigger bind and text",
                run: &|| {
                    let error = bind::<Order>(black_box(INVALID), &plan, &limits).unwrap_err();
                    drop(black_box(error.for_model()));
                },
                samples: Vec::new(),
            },
            Contender {
                name: "Value, jsonschema errors as text",
                run: &|| {
                    let value: serde_json::Value = serde_json::from_str(black_box(INVALID)).unwrap();
                    let errors: Vec<String> = validator
                        .iter_errors(&value)
                        .map(|error| format!("{}: {error}", error.instance_path()))
                        .collect();
                    drop(black_box(errors));
                },
                samples: Vec::new(),
            },
        ],
        &[1.0],
    );
    let check = std::env::args().any(|argument| argument == "--check");
    assert!(!check || (keeps_valid && keeps_invalid), "a ratio is over its bound");
}

//! C4.6: the canonical schema accepts a document exactly when the binder does, as an independent validator sees it; and
//! the binder refuses exactly what has a problem to report.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroI8;
use std::time::Duration;

use outrigger_contract::{
    Any, Bytes, Code, Contract, Limits, SchemaProfile, Shape, WirePlan, bind, check, encode, project,
};
use outrigger_macros::Contract;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use support::{Choices, cases, documents, shapes};

fn validator(shape: &Shape) -> jsonschema::Validator {
    let schema = project(shape, &SchemaProfile::canonical(), &[], &[]).schema;
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Runs a property over streams of choices.
fn with_choices(cases: u32, property: impl Fn(&mut Choices<'_>)) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let bytes = prop::collection::vec(any::<u8>(), 0..400);
    let result = TestRunner::new(config).run(&bytes, |bytes| {
        property(&mut Choices::new(&bytes));
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// A document made for a shape, most often spoilt, and its text.
fn document(shape: &Shape, choices: &mut Choices<'_>) -> (Value, String) {
    let mut value = documents::fitting(shape, choices);
    for _ in 0..choices.below(3) {
        documents::spoil(&mut value, choices);
    }
    if value.is_null() {
        // At the root it means `{}`, which no schema says.
        value = Value::Bool(true);
    }
    let text = documents::shuffled(&value, choices);
    (value, text)
}

/// What the schema leaves to annotations.
fn is_annotation(code: Code) -> bool {
    code == Code::Format
}

#[test]
fn generated_shapes_and_their_schemas_accept_the_same_documents() {
    with_choices(cases(), |choices| {
        let shape = shapes::any(choices);
        let validator = validator(&shape);
        for _ in 0..4 {
            let (value, text) = document(&shape, choices);
            let ours = check(&shape, &text, &WirePlan::default(), &Limits::default());
            assert_eq!(ours.is_ok(), validator.is_valid(&value), "{text}\n{ours:?}\n{shape:#?}");
        }
    });
}

/// Holds one native type against its schema and against its own diagnosis.
fn agrees<T: Contract>(choices: &mut Choices<'_>, validator: &jsonschema::Validator) {
    let shape = T::shape();
    let (value, text) = document(&shape, choices);
    let plan = WirePlan::default();
    let bound = bind::<T>(&text, &plan, &Limits::default());
    let checked = check(&shape, &text, &plan, &Limits::default());
    assert_eq!(bound.is_ok(), checked.is_ok(), "{text}\n{checked:?}");
    match bound {
        Ok(bound) => {
            assert!(validator.is_valid(&value), "{text}");
            let canonical = encode(&bound.value);
            let again = bind::<T>(&canonical, &plan, &Limits::default()).unwrap();
            assert_eq!(encode(&again.value), canonical, "{text}");
            assert!(validator.is_valid(&serde_json::from_str(&canonical).unwrap()), "{canonical}");
        }
        Err(error) => {
            assert!(!error.issues.is_empty() && error.issues.len() <= 16);
            assert_eq!(error, checked.unwrap_err());
            if !error.issues.iter().all(|issue| is_annotation(issue.code)) {
                assert!(!validator.is_valid(&value), "{text}\n{error}");
            }
        }
    }
}

macro_rules! agreement {
    ($($name:ident: $ty:ty;)*) => {$(
        #[test]
        fn $name() {
            let validator = validator(&<$ty>::shape());
            with_choices(cases(), |choices| agrees::<$ty>(choices, &validator));
        }
    )*};
}

agreement! {
    scalars_agree: Scalars;
    rules_agree: Rules;
    internal_unions_agree: Figure;
    adjacent_unions_agree: Adjacent;
    untagged_unions_agree: Loose;
    recursive_types_agree: Tree;
    flattened_structs_agree: Flat;
    sets_agree: BTreeSet<u8>;
    maps_agree: BTreeMap<String, Option<Vec<bool>>>;
}

#[derive(Contract)]
struct Scalars {
    b: bool,
    i: i64,
    u: u8,
    n: NonZeroI8,
    f: f32,
    c: char,
    d: Duration,
    bytes: Option<Bytes>,
    any: Any,
    three: [bool; 3],
    pair: (String, Option<u8>),
    map: BTreeMap<String, i8>,
    set: Option<BTreeSet<String>>,
}

#[derive(Contract, Default)]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

#[derive(Contract)]
struct Rules {
    #[arg(default)]
    unit: Unit,
    #[arg(default = 4, min = 1, max = 14, multiple_of = 2)]
    days: u8,
    #[arg(min_len = 2, max_len = 3, pattern = "^[a-z]+$")]
    country: Option<String>,
    #[arg(exclusive_min = 0.5, max = 100)]
    step: f64,
    #[arg(min_items = 1, max_items = 3, unique)]
    tags: Vec<String>,
    #[arg(default = Some(5))]
    some: Option<u8>,
    #[arg(format = "date")]
    day: Option<String>,
}

#[derive(Contract)]
enum Figure {
    Circle { radius: f64, unit: Option<Unit> },
    Square { side: u8 },
    Rules(Rules),
    Nothing,
}

#[derive(Contract)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Two(u8, Option<bool>),
    Text(String),
    Maybe(Option<u8>),
    Fields { a: u8, b: Option<Box<Adjacent>> },
    Nothing,
}

#[derive(Contract)]
#[serde(untagged)]
enum Loose {
    Text(String),
    Number(i32),
    Point { x: f64, y: f64 },
    Named { name: String, x: Option<f64> },
    Many(Vec<Loose>),
}

#[derive(Contract)]
struct Tree {
    name: String,
    children: Vec<Tree>,
    next: Option<Box<Tree>>,
    figure: Option<Figure>,
}

#[derive(Contract)]
struct Flat {
    a: u8,
    #[serde(flatten)]
    rules: Rules,
    b: Option<String>,
}

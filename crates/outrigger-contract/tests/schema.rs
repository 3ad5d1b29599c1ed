//! C5.3 and section 3: the canonical schema, byte for byte.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::num::{NonZeroI8, NonZeroU16};
use std::path::PathBuf;

use outrigger_contract::{Contract, SchemaProfile, project};
use outrigger_macros::Contract;

fn schema<T: Contract>() -> String {
    let projection = project(&T::shape(), &SchemaProfile::canonical(), &[], &[]);
    assert_eq!(projection.losses, []);
    assert_eq!(*projection.plan, outrigger_contract::WirePlan::default());
    String::from_utf8(projection.schema.to_vec()).unwrap()
}

#[derive(Contract, Default)]
enum Unit {
    /// The usual one.
    #[default]
    Celsius,
    Fahrenheit,
}

/// A forecast.
#[derive(Contract)]
struct Forecast {
    /// The city
    /// to look up.
    city: String,
    #[arg(default)]
    unit: Unit,
    /// How far ahead.
    #[arg(default = 3, min = 1, max = 14)]
    days: u8,
    #[arg(min_len = 2, max_len = 2, pattern = "^[A-Z]+$", example = "NO")]
    country: Option<String>,
    #[arg(exclusive_min = 0.5, multiple_of = 0.25)]
    step: f64,
    #[arg(min_items = 1, max_items = 3, unique)]
    tags: Vec<String>,
    #[arg(rename = "e-mail", format = "email", description = "Where to send it.")]
    mail: Option<String>,
}

#[derive(Contract)]
struct Scalars {
    b: bool,
    i: i64,
    u: u128,
    n: NonZeroI8,
    m: NonZeroU16,
    f: f32,
    c: char,
    p: PathBuf,
    set: BTreeSet<u8>,
    queue: VecDeque<bool>,
    three: [bool; 3],
    pair: (String, Option<u8>),
    map: BTreeMap<String, Vec<u8>>,
    other: HashMap<String, Option<bool>>,
    maybe: Option<Box<Inner>>,
}

#[derive(Contract)]
struct Inner {}

#[derive(Contract)]
struct Tree {
    name: String,
    /// Below.
    children: Vec<Tree>,
    next: Option<Box<Tree>>,
}

#[derive(Contract)]
enum Figure {
    /// A round one.
    Circle {
        radius: f64,
    },
    Inner(Inner),
    Nothing,
}

#[derive(Contract)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
enum Adjacent {
    TwoNumbers(u8, u8),
    Text(String),
    Nothing,
}

#[derive(Contract)]
#[serde(untagged)]
enum Loose {
    Text(String),
    Number(f64),
    Point { x: f64, y: f64 },
    Named { name: String, x: Option<f64> },
    Many(Vec<Loose>),
}

#[test]
fn a_struct_is_a_closed_object_with_everything_said() {
    insta::assert_snapshot!(schema::<Forecast>());
}

#[test]
fn every_scalar_and_container_has_its_schema() {
    insta::assert_snapshot!(schema::<Scalars>());
}

#[test]
fn only_recursive_types_are_definitions() {
    insta::assert_snapshot!(schema::<Tree>());
}

#[test]
fn a_tagged_union_is_closed_objects_with_a_one_value_tag() {
    insta::assert_snapshot!(schema::<Figure>());
    insta::assert_snapshot!(schema::<Adjacent>());
}

#[test]
fn an_untagged_union_is_its_branches() {
    insta::assert_snapshot!(schema::<Loose>());
}

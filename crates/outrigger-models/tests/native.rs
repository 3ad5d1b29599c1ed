//! C5.4 for Rust types: a value written for a provider and read back by the binder itself is the same value.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::collections::BTreeMap;
use std::fmt::Debug;

use common::{Dice, cases, profiles, value_text};
use outrigger_contract::{Contract, Limits, WirePlan, bind, encode, project};
use outrigger_macros::Contract;

#[derive(Contract, Clone, Copy, Debug, Default, PartialEq)]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

#[derive(Contract, Debug, PartialEq)]
struct Place {
    #[serde(rename = "city name")]
    city: String,
    country: Option<String>,
}

#[derive(Contract, Debug, PartialEq)]
struct Query {
    place: Place,
    #[arg(default)]
    unit: Unit,
    #[arg(default = 3, min = 1, max = 20)]
    days: u8,
    #[serde(rename = "$top")]
    top: Option<u32>,
    tags: Vec<String>,
}

#[derive(Contract, Debug, PartialEq)]
enum Figure {
    Circle { radius: f64, label: Option<String> },
    Square { side: f64 },
    Nothing,
}

#[derive(Contract, Debug, PartialEq)]
#[serde(tag = "kind", content = "value")]
enum Adjacent {
    One(Place),
    Many(Vec<Option<Unit>>),
    Nothing,
}

#[derive(Contract, Debug, PartialEq)]
#[serde(untagged)]
enum Loose {
    Text(String),
    Flag(bool),
    Here {
        #[serde(rename = "here.now")]
        here: bool,
        rest: Option<Unit>,
    },
    There {
        there: bool,
    },
}

#[derive(Contract, Debug, PartialEq)]
struct Drawing {
    figures: Vec<Figure>,
    note: Adjacent,
    any: Option<Loose>,
    pair: (Unit, Option<bool>),
}

#[derive(Contract, Debug, PartialEq)]
struct Tree {
    #[serde(rename = "the name")]
    name: String,
    children: Vec<Tree>,
    next: Option<Box<Tree>>,
    leaves: BTreeMap<String, Option<Unit>>,
}

#[derive(Contract, Debug, PartialEq)]
struct Defaulted {
    #[arg(default = Some(1))]
    maybe: Option<u8>,
    #[arg(default)]
    none: Option<u8>,
}

fn comes_back<T: Contract + PartialEq + Debug>() {
    let (shape, limits) = (T::shape(), Limits::default());
    let plans: Vec<_> = profiles().iter().map(|profile| project(&shape, profile, &[], &[])).collect();
    for seed in 0..u64::from(cases()) {
        let text = value_text(&mut Dice::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)), &shape);
        let value = bind::<T>(&text, &WirePlan::default(), &limits).unwrap().value;
        let canonical = encode(&value);
        for (sent, profile) in plans.iter().zip(profiles()) {
            let wire = sent.plan.encode(&shape, &canonical).unwrap();
            let back = bind::<T>(&wire, &sent.plan, &limits);
            assert_eq!(back.as_ref().map(|bound| &bound.value), Ok(&value), "{}: {wire}", profile.name);
        }
    }
}

#[test]
fn structs_come_back() {
    comes_back::<Query>();
    comes_back::<Defaulted>();
}

#[test]
fn unions_come_back() {
    comes_back::<Drawing>();
}

#[test]
fn roots_that_are_unions_come_back() {
    comes_back::<Figure>();
    comes_back::<Adjacent>();
}

#[test]
fn recursive_types_come_back() {
    comes_back::<Tree>();
}

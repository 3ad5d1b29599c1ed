//! C4: what the binder takes and what it refuses, and in which words.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use outrigger_contract::{BindError, Code, Contract, Limits, WirePlan, bind, encode};
use outrigger_macros::Contract;

#[derive(Contract, Debug, Default, PartialEq, Clone, Copy)]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

/// Where to look.
#[derive(Contract, Debug, PartialEq)]
struct Place {
    /// The city to look up.
    city: String,
    /// Two letters.
    #[arg(min_len = 2, max_len = 2, pattern = "^[A-Z]+$")]
    country: Option<String>,
}

#[derive(Contract, Debug, PartialEq)]
struct Query {
    place: Place,
    /// Temperature unit.
    #[arg(default)]
    unit: Unit,
    #[arg(default = 3, min = 1, max = 14)]
    days: u8,
    #[arg(max_items = 3, unique)]
    tags: Option<Vec<String>>,
    #[arg(default = "plain")]
    style: String,
    extra: Option<BTreeMap<String, f64>>,
}

#[derive(Contract, Debug, PartialEq)]
enum Figure {
    Circle { radius: f64 },
    Square { side: f64, name: Option<String> },
    Named(Place),
    Nothing,
}

#[derive(Contract, Debug, PartialEq)]
struct Empty {}

fn bound<T: Contract>(raw: &str) -> Result<T, BindError> {
    bind(raw, &WirePlan::default(), &Limits::default()).map(|bound| bound.value)
}

fn refused<T: Contract + std::fmt::Debug>(raw: &str) -> String {
    bound::<T>(raw).unwrap_err().for_model()
}

fn codes<T: Contract + std::fmt::Debug>(raw: &str) -> Vec<(String, Code)> {
    let error = bound::<T>(raw).unwrap_err();
    error.issues.into_iter().map(|issue| (issue.path, issue.code)).collect()
}

#[test]
fn a_valid_document_binds_and_encodes_canonically() {
    let query: Query = bound(r#" {"unit":"Fahrenheit", "place":{"city":"Oslo"}, "days":5.0} "#).unwrap();
    assert_eq!(
        query,
        Query {
            place: Place { city: "Oslo".into(), country: None },
            unit: Unit::Fahrenheit,
            days: 5,
            tags: None,
            style: "plain".into(),
            extra: None,
        }
    );
    insta::assert_snapshot!(encode(&query), @r#"{"place":{"city":"Oslo"},"unit":"Fahrenheit","days":5,"style":"plain"}"#);
    assert_eq!(bound::<Query>(&encode(&query)).unwrap(), query);
}

#[test]
fn empty_text_and_null_bind_as_an_empty_object() {
    for raw in ["", "  ", "null", " null\n", "{}"] {
        assert_eq!(bound::<Empty>(raw).unwrap(), Empty {});
    }
    assert_eq!(codes::<Query>("null"), [("/place".to_owned(), Code::Missing)]);
}

#[test]
fn all_problems_are_reported_at_once_in_document_order() {
    insta::assert_snapshot!(refused::<Query>(
        r#"{"place":{"City":5,"country":"usa"},"unit":"celsius","days":15,"tags":["a","b","a","c"],"style":null,"extre":{"a":1},"days":2}"#
    ));
}

#[test]
fn a_union_says_which_branch_fits() {
    assert_eq!(bound::<Figure>(r#"{"side":2,"type":"Square"}"#).unwrap(), Figure::Square { side: 2.0, name: None });
    assert_eq!(bound::<Figure>(r#"{"type":"Nothing"}"#).unwrap(), Figure::Nothing);
    assert_eq!(
        bound::<Figure>(r#"{"type":"Named","city":"Oslo"}"#).unwrap(),
        Figure::Named(Place { city: "Oslo".into(), country: None })
    );
    insta::assert_snapshot!(refused::<Figure>(r#"{"radius":1,"type":"Circle","side":2}"#));
    insta::assert_snapshot!(refused::<Figure>(r#"{"radius":1}"#));
    insta::assert_snapshot!(refused::<Figure>(r#"{"type":"circle","radius":1}"#));
    insta::assert_snapshot!(refused::<Figure>(r#"{"type":"Circle","type":"Square","radius":1}"#));
}

#[test]
fn every_code_is_reached() {
    for (raw, path, code) in [
        ("{", "", Code::NotJson),
        (r#"{"place":{"city":"a"}} x"#, "", Code::NotJson),
        (r#"{"place":{"city":"a"},"days":NaN}"#, "", Code::NotJson),
        ("[]", "", Code::NotObject),
        ("5", "", Code::NotObject),
        (r#""{}""#, "", Code::NotObject),
        (r#"{"place":{"city":"a","city":"b"}}"#, "/place/city", Code::DuplicateKey),
        (r#"{"place":{"city":"a"},"x":1}"#, "/x", Code::UnknownProperty),
        (r#"{"Place":{"city":"a"}}"#, "/Place", Code::WrongCase),
        ("{}", "/place", Code::Missing),
        (r#"{"place":null}"#, "/place", Code::Null),
        (r#"{"place":{"city":"a"},"unit":null}"#, "/unit", Code::Null),
        (r#"{"place":[]}"#, "/place", Code::Type),
        (r#"{"place":{"city":"a"},"days":"5"}"#, "/days", Code::Type),
        (r#"{"place":{"city":"a"},"days":5.5}"#, "/days", Code::Type),
        (r#"{"place":{"city":"a"},"unit":"Kelvin"}"#, "/unit", Code::Enum),
        (r#"{"place":{"city":"a"},"days":0}"#, "/days", Code::Range),
        (r#"{"place":{"city":"a"},"days":256}"#, "/days", Code::Range),
        (r#"{"place":{"city":"a"},"extra":{"a":1e999}}"#, "/extra/a", Code::Range),
        (r#"{"place":{"city":"a","country":"A"}}"#, "/place/country", Code::Length),
        (r#"{"place":{"city":"a","country":"no"}}"#, "/place/country", Code::Pattern),
        (r#"{"place":{"city":"a"},"tags":["a","b","c","d"]}"#, "/tags", Code::Items),
        (r#"{"place":{"city":"a"},"tags":["a","a"]}"#, "/tags/1", Code::Unique),
        (r#"{"place":{"city":"\ud800"}}"#, "/place/city", Code::Surrogate),
    ] {
        assert_eq!(codes::<Query>(raw), [(path.to_owned(), code)], "{raw}");
    }
    let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
    assert_eq!(codes::<Query>(&deep), [(String::new(), Code::TooDeep)]);
    let long = " ".repeat((1 << 20) + 1);
    assert_eq!(codes::<Query>(&long), [(String::new(), Code::TooLarge)]);
}

#[test]
fn sets_and_maps_refuse_duplicates() {
    assert!(bound::<BTreeSet<u8>>("[1,2,3]").is_ok());
    assert_eq!(codes::<BTreeSet<u8>>("[1,2,1.0]"), [("/2".to_owned(), Code::Unique)]);
    assert_eq!(codes::<HashMap<String, bool>>(r#"{"a":true,"a":true}"#), [("/a".to_owned(), Code::DuplicateKey)]);
}

#[test]
fn found_is_cut_at_a_character_boundary() {
    let raw = format!(r#"{{"place":"{}"}}"#, "é".repeat(200));
    let error = bound::<Query>(&raw).unwrap_err();
    assert_eq!(error.issues[0].found.chars().count(), 80);
}

#[test]
fn an_issue_serialises_with_exactly_its_five_keys() {
    let error = bound::<Query>(r#"{"place":{"city":7}}"#).unwrap_err();
    insta::assert_snapshot!(serde_json::to_string(&error).unwrap());
}

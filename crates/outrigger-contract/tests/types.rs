//! Section 3: each type is read strictly, written canonically, and read back as the same value.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::num::{NonZeroI8, NonZeroU64};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use outrigger_contract::{Any, Bytes, Code, Contract, Limits, WirePlan, bind, encode};
use outrigger_macros::Contract;

/// Reads, checks the canonical form, and reads that again.
#[track_caller]
fn reads<T: Contract + PartialEq + Debug>(raw: &str, value: T, canonical: &str) {
    let bound = |raw: &str| bind::<T>(raw, &WirePlan::default(), &Limits::default()).unwrap().value;
    assert_eq!(bound(raw), value);
    assert_eq!(encode(&value), canonical);
    assert_eq!(bound(canonical), value);
}

#[track_caller]
fn refuses<T: Contract + Debug>(cases: &[(&str, Code)]) {
    for (raw, code) in cases {
        let error = bind::<T>(raw, &WirePlan::default(), &Limits::default()).unwrap_err();
        assert_eq!(error.issues[0].code, *code, "{raw}: {error}");
    }
}

#[test]
fn integers_are_read_in_the_range_of_their_type() {
    reads("-128", i8::MIN, "-128");
    reads("1.8446744073709551615e19", u64::MAX, "18446744073709551615");
    reads("340282366920938463463374607431768211455", u128::MAX, "340282366920938463463374607431768211455");
    reads("-170141183460469231731687303715884105728", i128::MIN, "-170141183460469231731687303715884105728");
    reads("5", NonZeroU64::new(5).unwrap(), "5");
    refuses::<u8>(&[
        ("-1", Code::Range),
        ("256", Code::Range),
        ("\"5\"", Code::Type),
        ("5.5", Code::Type),
        ("true", Code::Type),
    ]);
    refuses::<NonZeroI8>(&[("0", Code::Range), ("-0", Code::Range)]);
    refuses::<u128>(&[("340282366920938463463374607431768211456", Code::Range)]);
}

#[test]
fn floats_are_finite_and_in_range() {
    reads("1", 1.0_f64, "1.0");
    reads("0.1", 0.1_f32, "0.1");
    reads("1e300", 1e300_f64, "1e300");
    refuses::<f32>(&[("1e39", Code::Range), ("3.4028236e38", Code::Range)]);
    refuses::<f64>(&[("1e309", Code::Range), ("NaN", Code::NotJson), ("-Infinity", Code::NotJson)]);
}

#[test]
fn text_is_read_with_its_escapes() {
    reads(r#""a\u00e9\ud83d\ude00\n""#, "aé😀\n".to_owned(), "\"aé😀\\n\"");
    reads(r#""x""#, Cow::<'static, str>::Borrowed("x"), r#""x""#);
    reads(r#""/tmp/a""#, PathBuf::from("/tmp/a"), r#""/tmp/a""#);
    reads(r#""😀""#, '😀', r#""😀""#);
    refuses::<char>(&[("\"\"", Code::Length), ("\"ab\"", Code::Length), ("1", Code::Type)]);
    refuses::<String>(&[
        (r#""\udc00""#, Code::Surrogate),
        (r#""\ud800x""#, Code::Surrogate),
        ("\"\u{1}\"", Code::NotJson),
    ]);
}

#[test]
fn containers_hold_their_items_to_their_types() {
    reads("[1, 2]", vec![1_u8, 2], "[1,2]");
    reads("[1]", VecDeque::from([1_u8]), "[1]");
    reads("[3,1]", BTreeSet::from([1_u8, 3]), "[1,3]");
    reads("[3,1]", HashSet::from([1_u8, 3]), "[1,3]");
    reads("[true,false]", [true, false], "[true,false]");
    reads(r#"[1,"a",null]"#, (1_u8, "a".to_owned(), None::<bool>), r#"[1,"a",null]"#);
    reads(r#"{"b":1,"a":2}"#, BTreeMap::from([("a".to_owned(), 2_u8), ("b".to_owned(), 1)]), r#"{"a":2,"b":1}"#);
    reads(r#"{"b":1,"a":2}"#, HashMap::from([("a".to_owned(), 2_u8), ("b".to_owned(), 1)]), r#"{"a":2,"b":1}"#);
    reads("[null,1]", vec![None, Some(Box::new(1_u8))], "[null,1]");
    reads("[1]", Arc::new(vec![1_u8]), "[1]");
    refuses::<[bool; 2]>(&[("[true]", Code::Items), ("[true,true,true]", Code::Items)]);
    refuses::<(u8, u8)>(&[
        ("[1]", Code::Items),
        ("[1,2,3]", Code::Items),
        ("[]", Code::Items),
        ("[1,]", Code::NotJson),
    ]);
}

#[test]
fn durations_and_bytes_are_text() {
    reads(r#""1h30m""#, Duration::from_secs(5400), r#""PT1H30M""#);
    reads(r#""aGk=""#, Bytes(b"hi".to_vec()), r#""aGk=""#);
    refuses::<Duration>(&[("30", Code::Type), ("\"30\"", Code::Format)]);
    refuses::<Bytes>(&[("\"aGk\"", Code::Format)]);
}

#[test]
fn any_is_open_but_well_formed() {
    let value = serde_json::json!({"a": [1, -2, 1.5, null, true, "x", {}]});
    reads(r#"{"a":[1,-2,1.5,null,true,"x",{}]}"#, Any(value), r#"{"a":[1,-2,1.5,null,true,"x",{}]}"#);
    refuses::<Vec<Any>>(&[
        (r#"[{"a":1,"a":2}]"#, Code::DuplicateKey),
        ("[1e999]", Code::Range),
        (r#"["\ud800"]"#, Code::Surrogate),
    ]);
}

#[derive(Contract, Debug, PartialEq)]
struct Celsius(#[arg(min = -273.15)] f64);

#[derive(Contract, Debug, PartialEq)]
struct Range(u8, #[arg(max = 100)] u8);

#[derive(Contract, Debug, PartialEq)]
struct Marker;

#[derive(Contract, Debug, PartialEq, Clone)]
struct Page<T> {
    items: Vec<T>,
    #[arg(default)]
    next: Option<u32>,
}

#[derive(Contract, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Flat {
    first_name: String,
    #[serde(flatten)]
    page: Page<u8>,
    #[serde(rename = "LAST")]
    last: Option<bool>,
    #[serde(skip)]
    cache: Vec<u8>,
}

#[derive(Contract, Debug, PartialEq, Clone)]
#[serde(default)]
struct Settings {
    retries: u8,
    name: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self { retries: 3, name: "x".into() }
    }
}

#[derive(Contract, Debug, PartialEq)]
enum Expr {
    Number { value: f64 },
    Add(Box<Pair>),
}

#[derive(Contract, Debug, PartialEq)]
struct Pair {
    left: Expr,
    right: Expr,
}

#[derive(Contract, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Two(u8, bool),
    Page(Page<u8>),
    Fields { a: u8 },
    List(Vec<u8>),
    Nothing,
}

#[derive(Contract, Debug, PartialEq)]
#[serde(untagged)]
enum Loose {
    Text(String),
    Point { x: f64, y: f64 },
    Named { name: String, x: Option<f64> },
    Pair(u8, u8),
    Flag(bool),
}

#[test]
fn structs_of_every_form() {
    reads("-5", Celsius(-5.0), "-5.0");
    refuses::<Celsius>(&[("-300", Code::Range)]);
    reads("[200, 100]", Range(200, 100), "[200,100]");
    refuses::<Range>(&[("[1,101]", Code::Range)]);
    reads("{}", Marker, "{}");
    reads(r#"{"items":[1]}"#, Page { items: vec![1_u8], next: None }, r#"{"items":[1],"next":null}"#);
    reads(
        r#"{"LAST":true,"items":[1],"firstName":"a","next":7}"#,
        Flat { first_name: "a".into(), page: Page { items: vec![1], next: Some(7) }, last: Some(true), cache: vec![] },
        r#"{"firstName":"a","items":[1],"next":7,"LAST":true}"#,
    );
    refuses::<Flat>(&[
        (r#"{"first_name":"a","items":[]}"#, Code::WrongCase),
        (r#"{"firstName":"a","items":[],"items":[]}"#, Code::DuplicateKey),
        (r#"{"firstName":"a"}"#, Code::Missing),
        (r#"{"firstName":"a","items":[],"cache":[]}"#, Code::UnknownProperty),
    ]);
    reads("{}", Settings::default(), r#"{"retries":3,"name":"x"}"#);
    reads(r#"{"retries":5}"#, Settings { retries: 5, ..Settings::default() }, r#"{"retries":5,"name":"x"}"#);
}

#[test]
fn enums_of_every_tagging() {
    let one = || Expr::Number { value: 1.0 };
    reads(
        r#"{"left":{"value":1,"type":"Number"},"type":"Add","right":{"type":"Number","value":1}}"#,
        Expr::Add(Box::new(Pair { left: one(), right: one() })),
        r#"{"type":"Add","left":{"type":"Number","value":1.0},"right":{"type":"Number","value":1.0}}"#,
    );
    reads(r#"{"c":[1,true],"t":"Two"}"#, Adjacent::Two(1, true), r#"{"t":"Two","c":[1,true]}"#);
    reads(r#"{"t":"Nothing"}"#, Adjacent::Nothing, r#"{"t":"Nothing"}"#);
    reads(r#"{"t":"Fields","c":{"a":1}}"#, Adjacent::Fields { a: 1 }, r#"{"t":"Fields","c":{"a":1}}"#);
    reads(r#"{"t":"List","c":[]}"#, Adjacent::List(vec![]), r#"{"t":"List","c":[]}"#);
    refuses::<Adjacent>(&[
        (r#"{"t":"Nothing","c":null}"#, Code::Branch),
        (r#"{"t":"List"}"#, Code::Missing),
        (r#"{"t":"List","c":[],"d":1}"#, Code::UnknownProperty),
        (r#"{"t":"List","c":[],"c":[]}"#, Code::DuplicateKey),
        (r#"{"c":[]}"#, Code::Missing),
    ]);
    reads(r#"{"y":2,"x":1}"#, Loose::Point { x: 1.0, y: 2.0 }, r#"{"x":1.0,"y":2.0}"#);
    reads(r#"{"name":"a"}"#, Loose::Named { name: "a".into(), x: None }, r#"{"name":"a"}"#);
    reads("[1,2]", Loose::Pair(1, 2), "[1,2]");
    reads("true", Loose::Flag(true), "true");
    refuses::<Loose>(&[("5", Code::Type), (r#"{"x":1}"#, Code::Branch), ("[1]", Code::Items)]);
}

#[test]
fn a_document_too_deep_for_a_recursive_type_is_refused() {
    let nest = |levels: usize| {
        let mut text = r#"{"type":"Number","value":1}"#.to_owned();
        for _ in 0..levels {
            text = format!(r#"{{"type":"Add","left":{text},"right":{{"type":"Number","value":1}}}}"#);
        }
        text
    };
    assert!(bind::<Expr>(&nest(63), &WirePlan::default(), &Limits::default()).is_ok());
    refuses::<Expr>(&[(&nest(64), Code::TooDeep)]);
}

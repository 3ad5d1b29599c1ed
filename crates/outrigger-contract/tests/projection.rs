//! C5.4: a projection and its plan. What a model writes by the projected schema binds to what was meant.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::borrow::Cow;

use outrigger_contract::{
    AnyForm, ConstantForm, Contract, Keywords, Kind, Limits, LossKind, NameRule, Node, NullForm, OptionalForm,
    Property, ReferenceForm, SchemaProfile, StringRules, WirePlan, bind, check, encode, project,
};
use outrigger_macros::Contract;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use support::{Choices, cases, documents, shapes, wire};

/// A dialect that is strict about everything at once.
fn narrow() -> SchemaProfile {
    SchemaProfile {
        name: Cow::Borrowed("narrow"),
        strict: true,
        relaxed: Some(Box::new(SchemaProfile {
            name: Cow::Borrowed("narrow, relaxed"),
            keywords: Keywords::NONE,
            names: names(),
            ..SchemaProfile::canonical()
        })),
        optional: OptionalForm::RequiredOrNull,
        null: NullForm::AnyOf,
        constant: ConstantForm::OneValueEnum,
        references: ReferenceForm::BareDefs,
        maps: false,
        any: AnyForm::Unsayable,
        keywords: Keywords::NONE,
        formats: Some(vec![]),
        names: names(),
        ..SchemaProfile::canonical()
    }
}

fn names() -> NameRule {
    NameRule { first: Cow::Borrowed("_"), later: Cow::Borrowed("_"), first_digit: false, max_len: Some(64), any: false }
}

#[derive(Contract, Debug, PartialEq, Default)]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

#[derive(Contract, Debug, PartialEq)]
struct Query {
    /// The city.
    city: String,
    #[arg(default)]
    unit: Unit,
    #[arg(default = 3, min = 1, max = 14)]
    days: u8,
    #[arg(rename = "e-mail", format = "email")]
    mail: Option<String>,
    next: Option<Box<Query>>,
    #[arg(default = true)]
    cached: bool,
}

fn invocation_mode() -> Property {
    Property { name: "invocation_mode".into(), required: false, node: Node::new(Kind::String(StringRules::default())) }
}

#[test]
fn a_strict_dialect_gets_required_nullable_properties_and_words() {
    let projection = project(&Query::shape(), &narrow(), &["cached".into()], &[invocation_mode()]);
    assert!(projection.strict);
    insta::assert_snapshot!(String::from_utf8(projection.schema.to_vec()).unwrap());
    insta::assert_snapshot!(serde_json::to_string(&*projection.plan).unwrap());
    insta::assert_debug_snapshot!(projection.losses);
}

#[test]
fn the_binder_undoes_the_plan_and_stays_strict() {
    let projection = project(&Query::shape(), &narrow(), &["cached".into()], &[invocation_mode()]);
    let plan = &*projection.plan;
    let serialised: WirePlan = serde_json::from_str(&serde_json::to_string(plan).unwrap()).unwrap();
    assert_eq!(serialised, *plan);
    let wire = plan.root.children.iter().find_map(|child| child.name.as_deref()).unwrap();
    let bound = bind::<Query>(
        &format!(
            r#"{{"city":"Oslo","unit":null,"days":null,"{wire}":null,"next":null,"invocation_mode":"background"}}"#
        ),
        plan,
        &Limits::default(),
    )
    .unwrap();
    assert_eq!(encode(&bound.value), r#"{"city":"Oslo","unit":"Celsius","days":3,"cached":true}"#);
    assert_eq!(bound.taken.get("invocation_mode"), Some("\"background\""));

    let refused = |raw: &str| bind::<Query>(raw, plan, &Limits::default()).unwrap_err().for_model();
    insta::assert_snapshot!(refused(
        r#"{"city":null,"e-mail":"a@b.c","cached":false,"unit":null,"unit":null,"next":{"city":"a","invocation_mode":"x"}}"#
    ));
}

#[test]
fn what_a_strict_profile_cannot_say_is_sent_by_the_relaxed_one() {
    let projection = project(&outrigger_contract::Any::shape(), &narrow(), &[], &[]);
    assert!(!projection.strict);
    assert_eq!(projection.losses[0].kind, LossKind::NotStrict);
    assert_eq!(&*projection.schema, b"{}");
}

#[test]
fn a_name_of_the_callers_that_the_type_uses_gets_an_underscore() {
    let mut extra = invocation_mode();
    extra.name = "city".into();
    let projection = project(&Query::shape(), &SchemaProfile::canonical(), &[], &[extra]);
    assert_eq!(projection.plan.take, ["city_"]);
}

#[test]
fn what_follows_a_projection_binds_to_what_was_meant() {
    let config = Config { cases: cases(), failure_persistence: None, ..Config::default() };
    let profiles = [SchemaProfile::canonical(), narrow()];
    let bytes = prop::collection::vec(any::<u8>(), 0..400);
    let result = TestRunner::new(config).run(&bytes, |bytes| {
        let mut choices = Choices::new(&bytes);
        let shape = shapes::any(&mut choices);
        let value = documents::fitting(&shape, &mut choices);
        let limits = Limits::default();
        if value.is_null() || check(&shape, &value.to_string(), &WirePlan::default(), &limits).is_err() {
            return Ok(());
        }
        for profile in &profiles {
            let projection = project(&shape, profile, &[], &[invocation_mode()]);
            let sent = wire::to_wire(&shape, &projection.plan, &value);
            let bound = check(&shape, &sent.to_string(), &projection.plan, &limits);
            prop_assert!(bound.is_ok(), "{sent}\n{bound:?}");
            let schema: Value = serde_json::from_slice(&projection.schema).unwrap();
            let validator = jsonschema::draft202012::new(&schema).unwrap();
            prop_assert!(validator.is_valid(&sent), "{sent}\n{schema}");
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn native_types_read_their_projected_form() {
    let shape = Query::shape();
    let plan = project(&shape, &narrow(), &[], &[]).plan;
    let config = Config { cases: cases(), failure_persistence: None, ..Config::default() };
    let bytes = prop::collection::vec(any::<u8>(), 0..400);
    let result = TestRunner::new(config).run(&bytes, |bytes| {
        let mut choices = Choices::new(&bytes);
        let value = documents::fitting(&shape, &mut choices);
        let Ok(canonical) = bind::<Query>(&value.to_string(), &WirePlan::default(), &Limits::default()) else {
            return Ok(());
        };
        let sent = wire::to_wire(&shape, &plan, &value);
        let bound = bind::<Query>(&sent.to_string(), &plan, &Limits::default());
        prop_assert_eq!(bound.unwrap().value, canonical.value);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

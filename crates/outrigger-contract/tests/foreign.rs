//! C6: foreign schemas are mended node by node, and their arguments are bound in the same form as native ones.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use outrigger_contract::{
    Additional, Code, DegradedKind, ForeignError, ForeignSchema, ImportLimits, Kind, Limits, NameRule, Node, Property,
    SchemaProfile, WirePlan, project,
};

fn import(text: &str) -> ForeignSchema {
    let schema = ForeignSchema::import(text, &ImportLimits::default()).unwrap();
    assert!(schema.is_validated(), "{text}");
    schema
}

fn canonical(schema: &ForeignSchema) -> String {
    String::from_utf8(project(schema.shape(), &SchemaProfile::canonical(), &[], &[]).schema.to_vec()).unwrap()
}

/// The notes, one a line, and the canonical schema.
fn told(text: &str) -> String {
    let schema = import(text);
    let notes = schema.degraded().iter().map(|note| format!("{:?} at `{}`: {}\n", note.kind, note.pointer, note.what));
    notes.collect::<String>() + &canonical(&schema)
}

fn codes(schema: &str, arguments: &str) -> Vec<(String, Code)> {
    let error = import(schema).bind(arguments, &WirePlan::default(), &Limits::default()).unwrap_err();
    error.issues.into_iter().map(|issue| (issue.path, issue.code)).collect()
}

#[test]
fn bad_nodes_are_mended_one_by_one() {
    insta::assert_snapshot!(told(
        r##"{
            "properties": {
                "list": {"type": "list", "items": true, "description": "Any of them."},
                "maybe": {"type": "string", "nullable": true},
                "map": {"type": "dict"},
                "any": {},
                "yes": true,
                "no": false,
                "odd": {"type": "quaternion", "minimum": "three"},
                "number": 7,
                "lower": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
                "here": {"type": "string", "required": true},
                "either": {"type": ["string", "integer", "null"]},
                "one": {"oneOf": [{"const": "a"}, {"const": "b"}]},
                "all": {"allOf": [{"properties": {"x": {"type": "integer"}}}, {"required": ["x"]}]},
                "pair": {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]},
                "ref": {"$ref": "#/definitions/Named"},
                "far": {"$ref": "https://example.org/schema.json"},
                "gone": {"$ref": "#/definitions/Gone"},
                "look": {"type": "string", "pattern": "(?=a)b"},
                "form": {"type": "string", "format": "color"}
            },
            "definitions": {"Named": {"type": "object", "properties": {"name": {"type": "str"}}}},
            "required": ["map", "map"]
        }"##
    ));
}

#[test]
fn a_schema_without_anything_is_an_object() {
    insta::assert_snapshot!(told("{}"), @r#"
    Repaired at ``: no `type` at the root
    {"type":"object","properties":{},"additionalProperties":true}
    "#);
    assert_eq!(told("true"), told("{}"));
    assert_eq!(codes("{}", "5"), [(String::new(), Code::NotObject)]);
}

#[test]
fn what_never_takes_an_object_is_refused_with_the_reason() {
    for schema in ["false", r#"{"type":"string"}"#, r#"{"type":["array","null"]}"#] {
        let error = ForeignSchema::import(schema, &ImportLimits::default()).unwrap_err();
        assert!(matches!(error, ForeignError::NotObject { .. }), "{schema}: {error}");
    }
}

#[test]
fn hostile_schemas_meet_limits() {
    let limits = ImportLimits { text: 50_000, depth: 20, nodes: 100, work: 50 };
    let refused = |text: &str| ForeignSchema::import(text, &limits).unwrap_err();
    assert_eq!(refused("{"), ForeignError::NotJson { at: 1 });
    assert_eq!(refused(&" ".repeat(50_001)), ForeignError::TooLarge { bytes: 50_001, limit: 50_000 });
    assert_eq!(
        refused(&format!("{}1{}", r#"{"not":"#.repeat(21), "}".repeat(21))),
        ForeignError::TooDeep { limit: 20 }
    );
    let many: String = (0..101).map(|n| format!(r#""p{n}":{{}},"#)).collect();
    assert_eq!(refused(&format!(r#"{{"properties":{{{many}"q":{{}}}}}}"#)), ForeignError::TooMany { limit: 100 });
    // Each definition asks for the next one twice.
    let doubling: String = (0..20)
        .map(|n| format!(r##""d{n}":{{"allOf":[{{"$ref":"#/$defs/d{m}"}},{{"$ref":"#/$defs/d{m}"}}]}},"##, m = n + 1))
        .collect();
    let text = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{doubling}"d20":{{}}}}}}"##);
    assert_eq!(refused(&text), ForeignError::TooEntangled { limit: 50 });
}

#[test]
fn a_long_chain_of_references_is_refused_and_not_followed() {
    let chain: String =
        (0..3_000).map(|n| format!(r##""d{n}":{{"properties":{{"x":{{"$ref":"#/$defs/d{}"}}}}}},"##, n + 1)).collect();
    let text = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{chain}"d3000":{{}}}}}}"##);
    let error = ForeignSchema::import(&text, &ImportLimits::default()).unwrap_err();
    assert!(matches!(error, ForeignError::TooEntangled { .. }), "{error}");
}

#[test]
fn a_reference_to_itself_is_taken_out() {
    let schema =
        import(r##"{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"}]}}}"##);
    assert!(schema.degraded().iter().any(|note| note.what.contains("back to itself")));
    assert!(schema.bind(r#"{"a":1}"#, &WirePlan::default(), &Limits::default()).is_ok());
}

#[test]
fn what_could_not_be_used_never_makes_the_rest_refuse_more() {
    for (schema, arguments) in [
        (r##"{"properties":{"a":{"not":{"$ref":"http://x.y/z"}}}}"##, r#"{"a":1}"#),
        (r##"{"properties":{"a":{"oneOf":[{"$ref":"http://x.y/z"},{"type":"string"}]}}}"##, r#"{"a":"x"}"#),
        (r##"{"$ref":"http://x.y/z","unevaluatedProperties":false}"##, r#"{"a":1}"#),
        (r##"{"if":{"$ref":"http://x.y/z"},"then":{"required":["b"]}}"##, r#"{"a":1}"#),
        (r##"{"patternProperties":{"(?=a)a":{}},"additionalProperties":false}"##, r#"{"a":1}"#),
        (r##"{"properties":7,"additionalProperties":false}"##, r#"{"a":1}"#),
        (r##"{"not":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"nonsense"}}}"##, r#"{"a":1}"#),
    ] {
        let bound = import(schema).bind(arguments, &WirePlan::default(), &Limits::default());
        assert!(bound.is_ok(), "{schema}: {bound:?}");
    }
}

#[test]
fn arguments_are_refused_with_the_codes_of_native_tools() {
    let schema = r##"{
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 2, "pattern": "^[A-Z]"},
            "days": {"type": "integer", "minimum": 1, "maximum": 14, "multipleOf": 2},
            "unit": {"enum": ["C", "F"]},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": true},
            "at": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"], "additionalProperties": false}]},
            "even": {"not": {"const": 3}},
            "pick": {"contains": {"const": 1}},
            "sub": {"type": "object", "properties": {"user_id": {}}, "additionalProperties": false}
        },
        "dependentRequired": {"unit": ["days"]},
        "required": ["city"],
        "additionalProperties": false
    }"##;
    for (arguments, path, code) in [
        ("{", "", Code::NotJson),
        ("[]", "", Code::NotObject),
        ("null", "/city", Code::Missing),
        ("", "/city", Code::Missing),
        (r#"{"city":"Oslo","city":"Bergen"}"#, "/city", Code::DuplicateKey),
        (r#"{"city":"Oslo","town":1}"#, "/town", Code::UnknownProperty),
        (r#"{"city":"Oslo","Days":2}"#, "/Days", Code::WrongCase),
        (r#"{"city":"Oslo","sub":{"userId":2}}"#, "/sub/userId", Code::WrongCase),
        (r#"{"city":5}"#, "/city", Code::Type),
        (r#"{"city":null}"#, "/city", Code::Null),
        (r#"{"city":"O"}"#, "/city", Code::Length),
        (r#"{"city":"oslo"}"#, "/city", Code::Pattern),
        (r#"{"city":"\ud800"}"#, "/city", Code::Surrogate),
        (r#"{"city":"Oslo","days":16}"#, "/days", Code::Range),
        (r#"{"city":"Oslo","days":3}"#, "/days", Code::Range),
        (r#"{"city":"Oslo","days":"2"}"#, "/days", Code::Type),
        (r#"{"city":"Oslo","days":2,"unit":"c"}"#, "/unit", Code::Enum),
        (r#"{"city":"Oslo","tags":["a","b","c"]}"#, "/tags", Code::Items),
        (r#"{"city":"Oslo","tags":["a","a"]}"#, "/tags/1", Code::Unique),
        (r#"{"city":"Oslo","at":[]}"#, "/at", Code::Type),
        (r#"{"city":"Oslo","even":3}"#, "/even", Code::Value),
        (r#"{"city":"Oslo","pick":[2]}"#, "/pick", Code::Value),
        (r#"{"city":"Oslo","unit":"C"}"#, "/days", Code::Missing),
    ] {
        assert_eq!(codes(schema, arguments), [(path.to_owned(), code)], "{arguments}");
    }
    insta::assert_snapshot!(
        import(schema)
            .bind(
                r#"{"sub":{"userId":1},"unit":"c","even":3,"towm":1,"days":30}"#,
                &WirePlan::default(),
                &Limits::default()
            )
            .unwrap_err()
            .for_model()
    );
}

#[test]
fn an_object_that_forbids_nothing_stays_open_when_arguments_are_held_against_it() {
    let schema = import(r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#);
    let bound = schema.bind(r#"{"b":1,"a":20.0}"#, &WirePlan::default(), &Limits::default()).unwrap();
    assert_eq!(bound.json, r#"{"a":20,"b":1}"#);
    assert!(matches!(&schema.shape().root.kind, Kind::Object(rules) if rules.additional == Additional::Unstated));
}

#[test]
fn a_property_of_the_caller_makes_way_for_the_schemas_own() {
    let schema = import(r#"{"type":"object","properties":{"invocation_mode":{"type":"string"}}}"#);
    let mode = Property { name: "invocation_mode".into(), required: false, node: Node::new(Kind::Bool) };
    let take = [mode];
    let projection = project(schema.shape(), &SchemaProfile::canonical(), &[], &take);
    assert_eq!(projection.plan.take, ["invocation_mode_"]);
    let raw = r#"{"invocation_mode":"theirs","invocation_mode_":true}"#;
    let bound = schema.bind(raw, &projection.plan, &Limits::default()).unwrap();
    assert_eq!(bound.json, r#"{"invocation_mode":"theirs"}"#);
    assert_eq!(bound.taken.get("invocation_mode_"), Some("true"));
}

#[test]
fn null_and_absence_are_told_apart_unless_the_schema_says_they_are_one() {
    let schema = import(
        r#"{"properties":{
            "same":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null},
            "apart":{"type":["string","null"]}
        }}"#,
    );
    let shape = schema.shape();
    let Kind::Object(rules) = &shape.root.kind else { panic!() };
    assert!(rules.properties[0].node.nullable);
    assert!(!rules.properties[1].node.nullable && matches!(rules.properties[1].node.kind, Kind::Union(_)));
}

#[test]
fn addresses_inside_a_schema_are_followed() {
    let schema = import(
        r##"{"$id":"http://example.org/root.json","properties":{"a":{"$ref":"item.json#/$defs/n"},"b":{"$ref":"#named"}},
            "$defs":{"i":{"$id":"item.json","$defs":{"n":{"type":"integer"}}},"s":{"$anchor":"named","type":"string"}}}"##,
    );
    assert!(schema.degraded().iter().all(|note| note.kind == DegradedKind::Repaired), "{:?}", schema.degraded());
    let refused = schema.bind(r#"{"a":"x","b":1}"#, &WirePlan::default(), &Limits::default()).unwrap_err();
    assert_eq!(refused.issues.len(), 2);
}

#[test]
fn draft_seven_is_read_as_it_was_meant() {
    let schema = import(
        r##"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object",
            "properties":{"pair":{"items":[{"type":"string"}],"additionalItems":false,"type":"array"},"n":{"$ref":"#/definitions/n"}},
            "definitions":{"n":{"type":"integer","exclusiveMinimum":0}}}"##,
    );
    assert_eq!(schema.degraded(), []);
    let bind = |text: &str| schema.bind(text, &WirePlan::default(), &Limits::default()).is_ok();
    assert!(bind(r#"{"pair":["a"],"n":1}"#));
    assert!(!bind(r#"{"pair":["a",1]}"#) && !bind(r#"{"n":0}"#));
}

#[test]
fn descriptions_of_a_place_and_of_its_type_are_said_once_each() {
    insta::assert_snapshot!(told(
        r##"{"type":"object","properties":{
            "a":{"anyOf":[{"type":"string","description":"Inner."},{"type":"null"}],"description":"Outer.","examples":["x"]},
            "b":{"type":"string"},
            "c":{"oneOf":[{"const":1,"description":"First."},{"const":2,"description":"Second."}]}
        },"anyOf":[{"required":["a","b"]},{"required":["c"]}],"description":"All."}"##
    ), @r#"{"type":"object","properties":{"a":{"type":["string","null"],"description":"Outer. Inner.","examples":["x"]},"b":{"type":"string"},"c":{"type":"integer","enum":[1,2],"description":"1: First. 2: Second."}},"description":"All. Needs \"a\" and \"b\", or \"c\"."}"#);
}

#[test]
fn a_schema_that_branches_at_every_level_does_not_take_for_ever() {
    let text = r##"{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[
        {"properties":{"a":{"$ref":"#/$defs/n"}},"required":["x"]},
        {"properties":{"a":{"$ref":"#/$defs/n"}},"required":["y"]}]}}}"##;
    let schema = import(text);
    let arguments = r#"{"a":"#.repeat(60) + "1" + &"}".repeat(60);
    let start = std::time::Instant::now();
    let refused = schema.bind(&arguments, &WirePlan::default(), &Limits::default());
    assert!(refused.is_err());
    assert!(start.elapsed().as_secs() < 5);
}

/// As a tokio worker has it.
const STACK: usize = 2 << 20;

#[test]
fn the_deepest_schemas_that_are_allowed_fit_a_small_stack() {
    let last = |most: usize| format!(r##""d{most}":{{"type":"object"}}"##);
    let chain = move |most: usize, link: fn(usize) -> String| {
        let links: String = (0..most).map(|n| format!(r##""d{n}":{},"##, link(n + 1))).collect();
        format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{links}{}}}}}"##, last(most))
    };
    let by_property =
        |n: usize| format!(r##"{{"type":"object","properties":{{"x":{{"$ref":"#/$defs/d{n}"}}}},"required":["x"]}}"##);
    let by_union = |n: usize| format!(r##"{{"anyOf":[{{"$ref":"#/$defs/d{n}"}},{{"type":"integer"}}]}}"##);
    let deep = r##"{"type":"object","properties":{"x":"##.repeat(60) + "{}" + &"}}".repeat(60);
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let mut carried = 0;
        for text in [chain(98, by_property), chain(14, by_union), deep] {
            let Ok(schema) = ForeignSchema::import(&text, &ImportLimits::default()) else { continue };
            assert!(schema.is_validated());
            let arguments = r#"{"x":"#.repeat(62) + "{}" + &"}".repeat(62);
            let _ = schema.bind(&arguments, &WirePlan::default(), &Limits::default());
            let _ = canonical(&schema);
            carried += 1;
        }
        carried
    });
    assert_eq!(thread.unwrap().join().unwrap(), 3);
}

#[test]
fn wide_schemas_are_imported_in_little_time() {
    let start = std::time::Instant::now();
    let many = |text: fn(usize) -> String| (0..60_000).map(text).collect::<Vec<_>>().join(",");
    let values = many(|n| format!("\"v{n}\""));
    let keys = many(|n| format!(r#""x{n}":1"#));
    let names = many(|n| format!("\"v{n}\""));
    import(&format!(r#"{{"type":"object","properties":{{"a":{{"enum":[{values}]}}}}}}"#));
    import(&format!(r#"{{"type":"object",{keys}}}"#));
    let refused = ForeignSchema::import(&format!(r#"{{"required":[{names}]}}"#), &ImportLimits::default());
    assert_eq!(refused.unwrap_err(), ForeignError::TooMany { limit: 10_000 });
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn names_that_the_plan_took_are_unknown_even_to_an_open_object() {
    let schema = import(r#"{"type":"object","properties":{"a.b":{"type":"string"},"secret":{"type":"string"}}}"#);
    let rule = NameRule { later: "_".into(), any: false, ..NameRule::ANY };
    let profile = SchemaProfile { names: rule, ..SchemaProfile::canonical() };
    let sent = project(schema.shape(), &profile, &["secret".into()], &[]);
    let bind = |text: &str| schema.bind(text, &sent.plan, &Limits::default());
    assert_eq!(bind(r#"{"a_b_e27bcb35":"x","other":1}"#).unwrap().json, r#"{"a.b":"x","other":1}"#);
    for (text, path) in [(r#"{"a.b":"x"}"#, "/a.b"), (r#"{"secret":"x"}"#, "/secret")] {
        let issue = &bind(text).unwrap_err().issues[0];
        assert_eq!((issue.path.as_str(), issue.code), (path, Code::UnknownProperty));
    }
    let issue = &bind(r#"{"a_b_e27bcb35":5}"#).unwrap_err().issues[0];
    assert_eq!(issue.path, "/a_b_e27bcb35");
}

#[test]
fn what_only_the_validator_sees_is_placed_by_names_on_the_wire() {
    let schema =
        import(r#"{"type":"object","properties":{"a.b":{"type":"object","properties":{"c.d":{"not":{"const":1}}}}}}"#);
    let rule = NameRule { later: "_".into(), any: false, ..NameRule::ANY };
    let profile = SchemaProfile { names: rule, ..SchemaProfile::canonical() };
    let sent = project(schema.shape(), &profile, &[], &[]);
    let wire = sent.plan.encode(schema.shape(), r#"{"a.b":{"c.d":1}}"#).unwrap();
    let error = schema.bind(&wire, &sent.plan, &Limits::default()).unwrap_err();
    assert_eq!(wire, r#"{"a_b_e27bcb35":{"c_d_fb6c4409":1}}"#);
    assert_eq!((error.issues[0].path.as_str(), error.issues[0].code), ("/a_b_e27bcb35/c_d_fb6c4409", Code::Value));
}

#[test]
fn targets_in_places_that_are_no_schemas_are_mended_too() {
    let schema = import(
        r##"{"type":"object","properties":{"a":{"$ref":"#/components/schemas/A"}},
            "components":{"schemas":{"A":{"type":"str","x-next":{"$ref":"#/default/b"}}}},"default":{"b":{"type":"int"}}}"##,
    );
    let bind = |text: &str| schema.bind(text, &WirePlan::default(), &Limits::default()).is_ok();
    assert!(bind(r#"{"a":"x"}"#) && !bind(r#"{"a":1}"#));
}

#[test]
fn patterns_are_counted() {
    let all: Vec<_> = (0..300).map(|n| format!(r#""p{n}":{{"type":"string","pattern":"^x{n}"}}"#)).collect();
    let schema = import(&format!(r#"{{"type":"object","properties":{{{}}}}}"#, all.join(",")));
    assert_eq!(schema.degraded().iter().filter(|note| note.what.ends_with("one of more than 200")).count(), 100);
}

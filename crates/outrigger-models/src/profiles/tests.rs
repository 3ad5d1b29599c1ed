//! A fixture for each rule: a shape, and what the provider is sent for it. Shapes come from schemas as servers publish
//! them, and from Rust types where no schema says the same. Those named «refused» are of a form that the provider
//! refused in the report that the rule names.

use std::collections::BTreeMap;

use outrigger_contract::{
    Contract, ForeignSchema, ImportLimits, Kind, Node, Property, SchemaProfile, Shape, StrictCandidate, plan_strict,
    project,
};
use outrigger_macros::Contract;

use super::{anthropic, gemini, openai};

/// One shape and the rule it is for.
struct Fixture {
    rule: &'static str,
    shape: Shape,
}

fn schema(rule: &'static str, text: &str) -> Fixture {
    let schema = ForeignSchema::import(text, &ImportLimits::default()).unwrap();
    Fixture { rule, shape: (**schema.shape()).clone() }
}

fn property(rule: &'static str, text: &str) -> Fixture {
    schema(
        rule,
        &format!(
            r##"{{"type":"object","properties":{{"it":{text}}},"required":["it"],"additionalProperties":false}}"##
        ),
    )
}

fn native<T: Contract>(rule: &'static str) -> Fixture {
    Fixture { rule, shape: (*T::shape()).clone() }
}

/// What is sent for each shape, as text.
fn sent(profile: &SchemaProfile, fixtures: &[Fixture]) -> String {
    let mut out = String::new();
    for Fixture { rule, shape } in fixtures {
        let projection = project(shape, profile, &[], &[]);
        out += &format!("# {rule}\n");
        out += &format!("{}\n", String::from_utf8_lossy(&projection.schema));
        out += if projection.strict { "strict\n" } else { "not strict\n" };
        for loss in &projection.losses {
            out += &format!("{:?} at `{}`: {}\n", loss.kind, loss.path, loss.what);
        }
        if !projection.plan.root.is_empty() || !projection.plan.defs.is_empty() {
            out += &format!("plan: {}\n", serde_json::to_string(&projection.plan).unwrap());
        }
        out += "\n";
    }
    out
}

#[derive(Contract)]
struct Options {
    /// The city.
    city: String,
    unit: Option<String>,
    #[arg(default = 3)]
    days: u8,
    #[arg(default = Some(1))]
    page: Option<u32>,
}

#[derive(Contract)]
struct Simple {
    city: String,
    unit: Option<String>,
    #[arg(default = 3, min = 1, max = 14)]
    days: u8,
}

#[derive(Contract)]
struct Widths {
    small: i8,
    wide: u64,
    widest: i128,
    single: f32,
    set: std::collections::BTreeSet<u8>,
}

/// A tree.
#[derive(Contract)]
struct Tree {
    name: String,
    /// What hangs below.
    children: Vec<Tree>,
    #[arg(description = "What stands beside it.")]
    next: Option<Box<Tree>>,
}

#[derive(Contract)]
enum Figure {
    /// A round one.
    Circle {
        radius: f64,
    },
    Square {
        side: f64,
        label: Option<String>,
    },
    Nothing,
}

#[derive(Contract)]
struct Holder {
    /// What to draw.
    figure: Option<Figure>,
}

#[derive(Contract)]
enum Arrow {
    Up,
    #[serde(rename = "up")]
    Upwards,
}

#[derive(Contract)]
struct Arrows {
    arrow: Arrow,
}

#[derive(Contract)]
struct Pair {
    pair: (String, u8),
}

#[derive(Contract)]
struct Map {
    map: BTreeMap<String, u8>,
}

#[derive(Contract)]
#[serde(tag = "@type")]
enum Tagged {
    One { a: bool },
}

#[derive(Contract)]
struct OddTag {
    it: Tagged,
}

/// Objects inside each other, `levels` below the root.
fn nested(rule: &'static str, levels: usize) -> Fixture {
    let mut text = r#"{"type":"string"}"#.to_owned();
    for _ in 0..levels {
        text = format!(
            r#"{{"type":"object","properties":{{"in":{text}}},"required":["in"],"additionalProperties":false}}"#
        );
    }
    schema(rule, &text)
}

fn many_values(rule: &'static str, count: usize, length: usize) -> Fixture {
    let values: Vec<_> = (0..count).map(|n| format!("\"{n:0length$}\"")).collect();
    property(rule, &format!(r#"{{"enum":[{}]}}"#, values.join(",")))
}

/// Only what matters of a schema too long to show.
fn verdict(profile: &SchemaProfile, fixture: &Fixture) -> (bool, Vec<String>) {
    let projection = project(&fixture.shape, profile, &[], &[]);
    (projection.strict, projection.losses.into_iter().map(|loss| loss.what).collect())
}

fn openai_strict_fixtures() -> Vec<Fixture> {
    vec![
        native::<Simple>("optional properties are required and may be null"),
        native::<Options>("null apart from absence cannot be said"),
        native::<Widths>("bounds stand, but for those beyond 2^53; uniqueItems is said in words"),
        native::<Tree>("nothing beside $ref; recursion is allowed"),
        native::<Figure>("no union at the root"),
        native::<Holder>("unions inside, with a tag of one value"),
        native::<Pair>("no prefixItems"),
        native::<Map>("a map is not strict"),
        property("a value without a type is not strict", "{}"),
        property(
            "lengths are said in words, a pattern stands",
            r#"{"type":"string","minLength":2,"maxLength":5,"pattern":"^[a-z]+$"}"#,
        ),
        property("formats on the list stand", r#"{"type":"string","format":"email"}"#),
        property("refused: the format uri", r#"{"type":"string","format":"uri","description":"Where."}"#),
        property("no default, no examples", r#"{"type":"integer","default":5,"examples":[7]}"#),
        property(
            "array bounds stand, uniqueItems does not",
            r#"{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":3,"uniqueItems":true}"#,
        ),
        property("values without a common type are one enumeration a type", r#"{"enum":["a",1,2]}"#),
        property(
            "branches that begin alike are not strict",
            r#"{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false},{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}]}"#,
        ),
        schema(
            "refused: a property missing in required",
            r#"{"type":"object","properties":{"id":{"type":"string","format":"uuid"}},"required":[],"additionalProperties":false}"#,
        ),
        schema(
            "refused: a description beside $ref",
            r##"{"type":"object","properties":{"labels":{"$ref":"#/$defs/Labels","description":"The labels."}},"required":["labels"],"additionalProperties":false,"$defs":{"Labels":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}}}"##,
        ),
        schema(
            "refused: anyOf at the root",
            r#"{"anyOf":[{"type":"object","properties":{"id":{"type":"string"},"when":{"type":"string"}},"required":["id","when"]},{"type":"object","properties":{"id":{"type":"string"},"all":{"type":"boolean"}},"required":["id","all"]}]}"#,
        ),
        property(
            "refused: allOf inside",
            r#"{"allOf":[{"type":"object","properties":{"page":{"type":"string"}},"required":["page"]},{"properties":{"title":{"type":"string"}}}]}"#,
        ),
        property(
            "refused: an array without items",
            r#"{"type":"array","prefixItems":[{"type":"integer","minimum":1},{"type":"integer","minimum":1}],"items":false,"minItems":2}"#,
        ),
        schema(
            "an object that forbids nothing is sent closed",
            r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}"#,
        ),
        schema(
            "an object that asks for more is not strict",
            r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":true}"#,
        ),
        schema("without properties", r#"{"type":"object","properties":{},"additionalProperties":false}"#),
    ]
}

#[test]
fn openai_strict_rules() {
    insta::assert_snapshot!(sent(&openai::strict(), &openai_strict_fixtures()));
}

#[test]
fn openai_limits() {
    let strict = |fixture: &Fixture| verdict(&openai::strict(), fixture);
    let older = |fixture: &Fixture| verdict(&openai::strict_older(), fixture);
    let too_deep = (false, vec!["nesting depth".to_owned()]);
    assert_eq!(strict(&nested("ten levels", 10)), (true, vec![]));
    assert_eq!(strict(&nested("eleven levels", 11)), too_deep);
    assert_eq!(older(&nested("five levels", 5)), (true, vec![]));
    assert_eq!(older(&nested("six levels", 6)), too_deep);
    assert!(strict(&many_values("a thousand values", 1000, 4)).0);
    assert_eq!(strict(&many_values("one more", 1001, 4)).1, ["number of enumeration values"]);
    assert!(strict(&many_values("250 long values", 250, 100)).0);
    assert_eq!(strict(&many_values("one more", 251, 100)).1, ["length of names and values"]);
    let properties = |count: usize| {
        let all: Vec<_> = (0..count).map(|n| format!(r#""p{n}":{{"type":"string"}}"#)).collect();
        let all = all.join(",");
        schema("properties", &format!(r#"{{"type":"object","properties":{{{all}}},"additionalProperties":false}}"#))
    };
    assert!(strict(&properties(5000)).0);
    assert_eq!(strict(&properties(5001)).1, ["number of properties"]);
    assert_eq!(older(&properties(101)).1, ["number of properties"]);
}

#[test]
fn openai_plain_rules() {
    let fixtures = [
        native::<Options>("as canonical"),
        native::<Widths>("bounds beyond 2^53 are not sent"),
        native::<Tree>("nothing beside $ref"),
        native::<Figure>("refused: a union at the root"),
        native::<Pair>("arrays have items"),
        native::<Map>("a map can be said"),
        property("refused: the format uri", r#"{"type":"string","format":"uri"}"#),
        property("a value of any type", r#"{"description":"Whatever."}"#),
    ];
    insta::assert_snapshot!(sent(&openai::plain(), &fixtures));
}

fn anthropic_strict_fixtures() -> Vec<Fixture> {
    vec![
        native::<Simple>("optional properties are left out of required, and no union is spent on them"),
        native::<Options>("null with a default of another value keeps its union"),
        native::<Widths>("bounds are said in words, small ones of types too"),
        native::<Tree>("refused: recursion"),
        native::<Figure>("no union at the root"),
        native::<Holder>("unions inside"),
        native::<Arrows>("values that differ only in case are never strict"),
        native::<Pair>("a tuple is not strict"),
        native::<Map>("a map is not strict"),
        property("formats on the list stand, uri among them", r#"{"type":"string","format":"uri"}"#),
        property("other formats are said in words", r#"{"type":"string","format":"color"}"#),
        property(
            "refused: minimum and maximum",
            r#"{"type":"integer","minimum":1,"maximum":300000,"description":"Milliseconds."}"#,
        ),
        property(
            "refused: maxItems; minItems of one stands",
            r#"{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3}"#,
        ),
        property("minItems of two is said in words", r#"{"type":"array","items":{"type":"string"},"minItems":2}"#),
        property("a value that is an object is not strict", r#"{"enum":["a",{"b":1}]}"#),
        schema(
            "references that are not circular stand",
            r##"{"type":"object","properties":{"from":{"$ref":"#/$defs/Place"},"to":{"$ref":"#/$defs/Place"}},"required":["from","to"],"$defs":{"Place":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}"##,
        ),
    ]
}

#[test]
fn anthropic_strict_rules() {
    insta::assert_snapshot!(sent(&anthropic::strict(), &anthropic_strict_fixtures()));
}

#[test]
fn anthropic_plain_rules() {
    let fixtures = [
        native::<Options>("as canonical"),
        native::<Widths>("every bound stands"),
        native::<Tree>("recursion is allowed"),
        native::<Figure>("refused: a union at the root"),
        native::<OddTag>("a tag that is no legal name"),
        schema(
            "refused: anyOf at the root, of what must be there",
            r#"{"type":"object","properties":{"project":{"type":"string"},"title":{"type":"string"},"priority":{"type":"string"}},"required":["project"],"anyOf":[{"required":["title"]},{"required":["priority"]}]}"#,
        ),
        schema(
            "refused: brackets in names",
            r#"{"type":"object","properties":{"filter[id]":{"type":"string"},"$top":{"type":"integer"}}}"#,
        ),
        schema(
            "refused: names over 64 characters",
            r#"{"type":"object","properties":{"settings__approved__or__denied__countries__or__regions__approved__list":{"type":"string"},"settings__approved__or__denied__countries__or__regions__denied__list":{"type":"string"}}}"#,
        ),
    ];
    insta::assert_snapshot!(sent(&anthropic::plain(), &fixtures));
}

#[test]
fn gemini_rules() {
    let fixtures = [
        native::<Simple>("no additionalProperties, no default"),
        native::<Options>("nullable where null is a value of its own"),
        native::<Widths>("bounds within 2^53 stand; uniqueItems is said in words"),
        native::<Tree>("references are written out, recursion is cut"),
        native::<Figure>("no union at the root"),
        native::<Holder>("refused: const; nothing stands beside anyOf"),
        native::<Pair>("no prefixItems"),
        native::<Map>("a map is said in words"),
        property("refused: an array of types", r#"{"type":["string","null"]}"#),
        property("refused: null in a union", r#"{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}"#),
        property("refused: enumerations of integers", r#"{"type":"integer","enum":[0,2,4,8]}"#),
        property("values of several types are bound back each", r#"{"enum":["1",1,true,null]}"#),
        property(
            "values beside text are not written as text",
            r#"{"anyOf":[{"type":"string"},{"enum":["x",1,true]}]}"#,
        ),
        property("refused: an empty value", r#"{"enum":["user",""]}"#),
        property("refused: exclusiveMinimum", r#"{"type":"integer","exclusiveMinimum":0}"#),
        property("refused: other formats than date-time", r#"{"type":"string","format":"uri"}"#),
        property("date-time stands", r#"{"type":"string","format":"date-time"}"#),
        property("refused: a schema without a type", r#"{"description":"Whatever."}"#),
        property(
            "refused: a description beside anyOf",
            r#"{"anyOf":[{"type":"number"},{"type":"string"}],"description":"Edge weight."}"#,
        ),
        property("refused: allOf", r#"{"allOf":[{"type":"string"},{"minLength":2}]}"#),
        schema(
            "names of parameters",
            r#"{"type":"object","properties":{"a.b":{"type":"string"},"1st":{"type":"string"},"a-b":{"type":"string"}}}"#,
        ),
        schema("refused: a root without a type", r#"{"properties":{"command":{"type":"string"}}}"#),
    ];
    insta::assert_snapshot!(sent(&gemini::functions(), &fixtures));
}

#[test]
fn references_that_fan_out_are_not_written_out_without_end() {
    let fan: String = (0..12)
        .map(|n| format!(r##""d{n}":{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d{m}"}},"b":{{"$ref":"#/$defs/d{m}"}}}}}},"##, m = n + 1))
        .collect();
    let text = format!(
        r##"{{"type":"object","properties":{{"it":{{"$ref":"#/$defs/d0"}}}},"$defs":{{{fan}"d12":{{"type":"string"}}}}}}"##
    );
    let sent = project(&schema("fan", &text).shape, &gemini::functions(), &[], &[]);
    assert!(sent.schema.len() < 100_000, "{} bytes", sent.schema.len());
    assert!(sent.losses.iter().any(|loss| loss.what == "a definition written out too often"));
}

#[test]
fn tool_names_are_mapped_by_a_pure_function() {
    let long = "mcp__a_server_with_a_name_of_its_own__and_a_tool_with_a_long_name_too";
    for name in ["weather.current", "weather_current", "1st", "a b", long] {
        let wire = |profile: SchemaProfile| outrigger_contract::wire_name(name, &profile.tool_names);
        for profile in [openai::strict(), openai::plain(), anthropic::strict(), anthropic::plain(), gemini::functions()]
        {
            let dotted = profile.name == "gemini";
            let wire = wire(profile);
            assert!(wire.len() <= 64 && !wire.is_empty(), "{wire}");
            assert!(
                wire.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c) || (dotted && c == '.')),
                "{wire}"
            );
        }
    }
    let rule = openai::strict().tool_names;
    assert_eq!(outrigger_contract::wire_name("weather.current", &rule), "weather_current_9fc76702");
}

/// Twenty strict tools, 24 optional properties, 16 unions a request; tools with effects come first.
#[test]
fn anthropic_budget() {
    let profile = anthropic::strict();
    let budget = profile.budget.unwrap();
    let small = project(&native::<Simple>("").shape, &profile, &[], &[]);
    assert_eq!((small.sizes.optional, small.sizes.unions), (2, 0));
    let tools: Vec<_> = (0..30).map(|n| StrictCandidate::new(&small, n % 2 == 0)).collect();
    let plan = plan_strict(&tools, &budget);
    // Twelve tools use up the optional properties, all of them with effects.
    assert_eq!(plan.iter().filter(|strict| **strict).count(), 12);
    assert!(plan.iter().zip(0..).all(|(strict, n)| !strict || n % 2 == 1));
    let bare = project(
        &schema("", r#"{"type":"object","properties":{},"additionalProperties":false}"#).shape,
        &profile,
        &[],
        &[],
    );
    let tools = vec![StrictCandidate::new(&bare, false); 30];
    assert_eq!(plan_strict(&tools, &budget).iter().filter(|strict| **strict).count(), 20);
}

#[test]
fn the_callers_own_property_is_like_any_other() {
    let mode = Property { name: "invocation_mode".into(), required: false, node: Node::new(Kind::Bool) };
    let take = [mode];
    let shape = native::<Simple>("").shape;
    let sent: Vec<_> = [openai::strict(), anthropic::strict(), gemini::functions()]
        .iter()
        .map(|profile| String::from_utf8(project(&shape, profile, &[], &take).schema.to_vec()).unwrap())
        .collect();
    insta::assert_snapshot!(sent.join("\n"));
}

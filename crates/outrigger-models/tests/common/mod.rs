//! Shapes and values of them, made from a seed.

#![allow(dead_code)]

use outrigger_contract::{
    Additional, Array, Bounds, Branch, Definition, EnumValue, Int, Integer, Kind, Literal, Node, Number, Object,
    Pattern, Property, SchemaProfile, Shape, StringRules, Tagging, Tuple, Union,
};
use outrigger_models::profiles::{anthropic, gemini, openai};

/// All profiles.
pub(crate) fn profiles() -> Vec<SchemaProfile> {
    vec![
        SchemaProfile::canonical(),
        openai::strict(),
        openai::strict_older(),
        openai::plain(),
        anthropic::strict(),
        anthropic::plain(),
        gemini::functions(),
    ]
}

/// How many cases a property test runs: 1,000, or as many as `OUTRIGGER_CASES` says.
pub(crate) fn cases() -> u32 {
    std::env::var("OUTRIGGER_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1000)
}

/// A small generator of numbers: the seed is all there is to a case.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    pub(crate) fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

const NAMES: [&str; 13] = [
    "a",
    "b_c",
    "a.b",
    "a b",
    "a-b",
    "$top",
    "é",
    "1st",
    "",
    "invocation_mode",
    "a_name_that_is_much_longer_than_any_provider_would_like_it_to_be_number_1",
    "a_name_that_is_much_longer_than_any_provider_would_like_it_to_be_number_2",
    "/~",
];

/// A shape of arguments.
pub(crate) fn shape(dice: &mut Dice) -> Shape {
    let mut root = if dice.one_in(4) { union(dice, 3, true) } else { object(dice, 4) };
    if dice.one_in(2) {
        root.description = Some("All of it.".into());
    }
    Shape { root, defs: vec![tree(), expression()] }
}

fn tree() -> Definition {
    let children = Array { items: Box::new(Kind::Ref(0).into()), min_items: None, max_items: None, unique: false };
    let node = closed(vec![
        property("the name", true, Kind::String(StringRules::default()).into()),
        property("children", true, Kind::Array(children).into()),
        property("next", false, Node::new(Kind::Ref(0)).or_null().described("What comes after.")),
    ]);
    Definition { name: "Tree".into(), node }
}

fn expression() -> Definition {
    let leaf = closed(vec![property("value", true, Kind::Bool.into())]);
    let pair = closed(vec![
        property("left", true, Kind::Ref(1).into()),
        property("right", false, Node::new(Kind::Ref(1)).or_null()),
    ]);
    let branches = vec![branch("Leaf", leaf), branch("Pair", pair)];
    let node = Kind::Union(Union { tagging: Tagging::Internal { tag: "type".into() }, branches }).into();
    Definition { name: "Expression".into(), node }
}

fn closed(properties: Vec<Property>) -> Node {
    Kind::Object(Object { properties, ..Object::default() }).into()
}

fn property(name: &'static str, required: bool, node: Node) -> Property {
    Property { name: name.into(), required, node }
}

fn branch(name: &'static str, node: Node) -> Branch {
    Branch { name: name.into(), description: None, node }
}

fn object(dice: &mut Dice, depth: usize) -> Node {
    let mut properties = Vec::new();
    let mut names = NAMES.to_vec();
    for _ in 0..dice.below(5) {
        let name = names.remove(dice.below(names.len()));
        properties.push(any_property(dice, name, depth));
    }
    closed(properties)
}

/// A property: required; or optional and nullable, as options are; or with a default.
fn any_property(dice: &mut Dice, name: &'static str, depth: usize) -> Property {
    let mut node = node(dice, depth.saturating_sub(1));
    let required = dice.one_in(2);
    if required {
        return property(name, true, node);
    }
    match dice.below(3) {
        0 => node.nullable = true,
        1 => {
            node.default =
                Some(value_text(dice, &Shape { root: node.clone(), defs: vec![tree(), expression()] }).into())
        }
        _ => {
            node.default =
                Some(value_text(dice, &Shape { root: node.clone(), defs: vec![tree(), expression()] }).into());
            node.nullable = true;
        }
    }
    property(name, false, node)
}

fn node(dice: &mut Dice, depth: usize) -> Node {
    let most = if depth == 0 { 5 } else { 12 };
    let mut node = match dice.below(most) {
        0 => Kind::Bool.into(),
        1 => integer(dice),
        2 => number(dice),
        3 => string(dice),
        4 => enumeration(dice),
        5 => {
            let unique = dice.one_in(4);
            let items = Box::new(self::node(dice, depth - 1));
            let (min_items, max_items) = if dice.one_in(3) { (Some(1), Some(3)) } else { (None, None) };
            Kind::Array(Array { items, min_items, max_items, unique }).into()
        }
        6 => {
            let items: Vec<_> = (0..dice.below(3)).map(|_| self::node(dice, depth - 1)).collect();
            Kind::Tuple(Tuple { min_items: items.len() as u64, items, rest: None }).into()
        }
        7 => {
            let values = Box::new(self::node(dice, depth - 1));
            Kind::Object(Object { additional: Additional::Typed(values), ..Object::default() }).into()
        }
        8 => union(dice, depth - 1, false),
        9 => Kind::Ref(dice.below(2)).into(),
        10 => Kind::Any.into(),
        _ => object(dice, depth - 1),
    };
    if dice.one_in(3) {
        node.description = Some("Something.".into());
    }
    // A value that may be anything may be null already.
    if dice.one_in(6) && node.kind != Kind::Any {
        node.nullable = true;
    }
    node
}

fn integer(dice: &mut Dice) -> Node {
    let mut rules = match dice.below(4) {
        0 => Integer { range: Some((Int::ZERO, Int::from(u8::MAX))), ..Integer::default() },
        1 => Integer { range: Some((Int::from(i64::MIN), Int::from(i64::MAX))), ..Integer::default() },
        2 => Integer { range: Some((Int::ZERO, Int::from(u128::MAX))), ..Integer::default() },
        _ => Integer { range: Some((Int::from(i8::MIN), Int::from(i8::MAX))), non_zero: true, ..Integer::default() },
    };
    match dice.below(3) {
        0 => rules.bounds = Bounds { min: Some(Int::from(1)), max: Some(Int::from(20)), ..Bounds::default() },
        1 => {
            rules.bounds =
                Bounds { exclusive_min: Some(Int::from(1)), multiple_of: Some(Int::from(5)), ..Bounds::default() }
        }
        _ => {}
    }
    Kind::Integer(rules).into()
}

fn number(dice: &mut Dice) -> Node {
    let bounds = match dice.below(3) {
        0 => Bounds { min: Some(0.0), max: Some(10.5), ..Bounds::default() },
        1 => Bounds { exclusive_min: Some(0.25), exclusive_max: Some(10.0), ..Bounds::default() },
        _ => Bounds::default(),
    };
    Kind::Number(Number { single: dice.one_in(2), bounds }).into()
}

fn string(dice: &mut Dice) -> Node {
    let mut rules = StringRules::default();
    match dice.below(5) {
        0 => (rules.min_len, rules.max_len) = (Some(1), Some(4)),
        1 => rules.pattern = Some(Pattern::trusted("^[a-z]{2}$")),
        2 => rules.format = Some("date".into()),
        3 => rules.format = Some("uri".into()),
        _ => {}
    }
    Kind::String(rules).into()
}

fn enumeration(dice: &mut Dice) -> Node {
    let text = |text: &'static str| Literal::String(text.into());
    let int = |int: i64| Literal::Integer(Int::from(int));
    let values = match dice.below(7) {
        0 => vec![text("C"), text("F")],
        1 => vec![text("up"), text("Up")],
        2 => vec![int(1), int(2), int(-3)],
        3 => vec![int(1), text("1"), Literal::Bool(true), Literal::Json("2.5".into())],
        4 => vec![text("only")],
        5 => vec![text(""), text("full")],
        _ => vec![int(7), Literal::Json(r#"{"a":[1,null]}"#.into()), text("null")],
    };
    let described = dice.one_in(3);
    let value = |value| EnumValue { value, description: described.then_some("one of them".into()) };
    Kind::Enum(values.into_iter().map(value).collect()).into()
}

fn union(dice: &mut Dice, depth: usize, root: bool) -> Node {
    let tag = dice.pick(&["type", "kind", "$type"]);
    let names = if dice.one_in(4) { ["Up", "up", "Down"] } else { ["Circle", "Square", "Point"] };
    let tagging = match dice.below(3) {
        0 => Tagging::Internal { tag: tag.into() },
        1 => Tagging::Adjacent { tag: tag.into(), content: "content".into() },
        _ => Tagging::Untagged,
    };
    let branches = match &tagging {
        Tagging::Internal { .. } => names.iter().map(|name| branch(name, object(dice, depth))).collect(),
        Tagging::Adjacent { .. } => {
            let content = |(index, name): (usize, &&'static str)| {
                let empty = index == 0;
                branch(name, if empty { Kind::Null.into() } else { not_null(node(dice, depth)) })
            };
            names.iter().enumerate().map(content).collect()
        }
        Tagging::Untagged => {
            let with = |dice: &mut Dice, name: &'static str| {
                closed(vec![property(name, true, Kind::Bool.into()), any_property(dice, "a.b", depth)])
            };
            let mut branches = vec![branch("one", with(dice, "one")), branch("two", with(dice, "two"))];
            if !root {
                branches.push(branch("text", Kind::String(StringRules::default()).into()));
                branches.push(branch("number", Kind::Number(Number::default()).into()));
            }
            branches
        }
    };
    Kind::Union(Union { tagging, branches }).into()
}

/// The content of a branch is there or not; a `null` would be neither.
fn not_null(mut node: Node) -> Node {
    node.nullable = false;
    node
}

/// A value of a shape in canonical form.
pub(crate) fn value_text(dice: &mut Dice, shape: &Shape) -> String {
    value(dice, shape, &shape.root, 5)
}

fn value(dice: &mut Dice, shape: &Shape, node: &Node, depth: usize) -> String {
    let nullable = node.nullable;
    let node = shape.resolve(node).unwrap();
    if (nullable || node.nullable) && (depth == 0 || dice.one_in(4)) {
        return "null".into();
    }
    let depth = depth.saturating_sub(1);
    match &node.kind {
        Kind::Null => "null".into(),
        Kind::Bool => dice.pick(&["true", "false"]).into(),
        Kind::Integer(rules) if rules.bounds.multiple_of.is_some() => dice.pick(&["5", "10", "100"]).into(),
        Kind::Integer(_) => dice.pick(&["1", "2", "20"]).into(),
        Kind::Number(_) => dice.pick(&["0.5", "1.0", "9.75"]).into(),
        Kind::String(rules) => match (&rules.pattern, &rules.format) {
            (Some(_), _) => r#""ab""#.into(),
            (_, Some(format)) if *format == "date" => r#""2024-02-29""#.into(),
            (_, Some(_)) => r#""https://example.org/""#.into(),
            _ => dice.pick(&[r#""x""#, r#""é\n""#, r#""null""#, r#""1""#]).into(),
        },
        Kind::Enum(values) => values[dice.below(values.len())].value.to_json().into_owned(),
        Kind::Array(rules) => {
            let least = rules.min_items.map_or(0, |_| 1);
            let most = if rules.unique || depth == 0 { least } else { least + dice.below(2) };
            let items: Vec<_> = (0..most).map(|_| value(dice, shape, &rules.items, depth)).collect();
            format!("[{}]", items.join(","))
        }
        Kind::Tuple(rules) => {
            let items: Vec<_> = rules.items.iter().map(|item| value(dice, shape, item, depth)).collect();
            format!("[{}]", items.join(","))
        }
        Kind::Object(rules) => format!("{{{}}}", members(dice, shape, rules, depth).join(",")),
        Kind::Union(union) => of_union(dice, shape, union, depth),
        Kind::Any => dice.pick(&["1", r#""x""#, r#"{"a":[true,null]}"#, "[]"]).into(),
        Kind::Ref(_) => unreachable!(),
    }
}

fn members(dice: &mut Dice, shape: &Shape, rules: &Object, depth: usize) -> Vec<String> {
    let mut members = Vec::new();
    for property in &rules.properties {
        let same = property.node.default.as_ref().is_none_or(|default| default == "null");
        let option = !property.required && property.node.nullable && same;
        if !property.required && (depth == 0 || dice.one_in(3)) {
            continue;
        }
        let text = value(dice, shape, &property.node, depth);
        // Where `null` and absence are one, what is absent is left out.
        if option && text == "null" {
            continue;
        }
        members.push(format!("{}:{text}", quoted(&property.name)));
    }
    if let Additional::Typed(node) = &rules.additional {
        for key in ["k", "a.b"].iter().take(if depth == 0 { 0 } else { dice.below(3) }) {
            members.push(format!("{}:{}", quoted(key), value(dice, shape, node, depth)));
        }
    }
    members
}

fn of_union(dice: &mut Dice, shape: &Shape, union: &Union, depth: usize) -> String {
    let at = if depth == 0 { 0 } else { dice.below(union.branches.len()) };
    let branch = &union.branches[at];
    match &union.tagging {
        Tagging::Untagged => value(dice, shape, &branch.node, depth),
        Tagging::Adjacent { tag, content } => {
            let mut text = format!("{{{}:{}", quoted(tag), quoted(&branch.name));
            if branch.node.kind != Kind::Null {
                text += &format!(",{}:{}", quoted(content), value(dice, shape, &branch.node, depth));
            }
            text + "}"
        }
        Tagging::Internal { tag } => {
            let mut parts = vec![format!("{}:{}", quoted(tag), quoted(&branch.name))];
            if let Kind::Object(rules) = &branch.node.kind {
                parts.extend(members(dice, shape, rules, depth));
            }
            format!("{{{}}}", parts.join(","))
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

//! Shapes of every kind that a native type can have.

use outrigger_contract::{
    Additional, Array, Bounds, Branch, Definition, EnumValue, Int, Integer, Kind, Literal, Node, Number, Object,
    Pattern, Property, Shape, StringRules, Tagging, Tuple, Union,
};

use super::Choices;

/// A shape whose root is an object.
pub(crate) fn any(choices: &mut Choices<'_>) -> Shape {
    let defs = choices.below(3);
    let mut shape = Shape { root: Node::new(Kind::Object(object(choices, 0, defs))), defs: Vec::new() };
    for index in 0..defs {
        shape.defs.push(Definition {
            name: format!("Def{index}").into(),
            node: Node::new(Kind::Object(object(choices, 1, defs))),
        });
    }
    shape
}

fn node(choices: &mut Choices<'_>, depth: usize, defs: usize) -> Node {
    let kind = kind(choices, depth, defs);
    // A type that must hold itself has no finite document.
    let endless = matches!(kind, Kind::Ref(_));
    let mut node = Node::new(kind);
    node.nullable = choices.below(4) == 0 || endless;
    if choices.below(4) == 0 {
        node.description = Some("Some words.".into());
    }
    node
}

fn kind(choices: &mut Choices<'_>, depth: usize, defs: usize) -> Kind {
    let simple = depth > 2;
    match choices.below(if simple { 7 } else { 13 }) {
        0 => Kind::Bool,
        1 | 2 => integer(choices),
        3 => Kind::Number(Number {
            single: choices.flip(),
            bounds: Bounds {
                min: choices.flip().then_some(0.0),
                exclusive_max: choices.flip().then_some(1e9),
                ..Bounds::default()
            },
        }),
        4 => string(choices),
        5 => names(choices),
        6 if defs > 0 && depth > 0 => Kind::Ref(choices.below(defs)),
        6 => Kind::Any,
        7 => Kind::Array(Array {
            items: Box::new(node(choices, depth + 1, defs)),
            min_items: choices.flip().then(|| choices.below(3) as u64),
            max_items: choices.flip().then(|| 2 + choices.below(3) as u64),
            unique: choices.below(3) == 0,
        }),
        8 => {
            let items: Vec<_> = (0..1 + choices.below(3)).map(|_| node(choices, depth + 1, defs)).collect();
            Kind::Tuple(Tuple { min_items: items.len() as u64, items, rest: None })
        }
        9 => Kind::Object(Object {
            additional: Additional::Typed(Box::new(node(choices, depth + 1, defs))),
            ..Object::default()
        }),
        10 => tagged(choices, depth, defs),
        11 => untagged(choices, depth, defs),
        _ => Kind::Object(object(choices, depth + 1, defs)),
    }
}

fn integer(choices: &mut Choices<'_>) -> Kind {
    let ranges = [
        Some((Int::signed(-128), Int::signed(127))),
        Some((Int::signed(0), Int::signed(255))),
        Some((Int::signed(i64::MIN.into()), Int::signed(i64::MAX.into()))),
        None,
    ];
    Kind::Integer(Integer {
        range: *choices.pick(&ranges),
        non_zero: choices.below(4) == 0,
        bounds: Bounds {
            min: choices.flip().then(|| Int::signed(-7)),
            exclusive_max: choices.flip().then(|| Int::signed(50)),
            multiple_of: (choices.below(4) == 0).then(|| Int::signed(5)),
            ..Bounds::default()
        },
    })
}

fn string(choices: &mut Choices<'_>) -> Kind {
    let patterns = [None, None, Some("^[a-z]*$"), Some(r"^\w{0,3}$")];
    Kind::String(StringRules {
        min_len: choices.flip().then(|| choices.below(3) as u64),
        max_len: choices.flip().then(|| 2 + choices.below(3) as u64),
        pattern: choices.pick(&patterns).map(Pattern::trusted),
        ..StringRules::default()
    })
}

fn names(choices: &mut Choices<'_>) -> Kind {
    let all = ["Celsius", "Fahrenheit", "kelvin"];
    let value = |name: &&'static str| EnumValue { value: Literal::String((*name).into()), description: None };
    Kind::Enum(all.iter().take(1 + choices.below(3)).map(value).collect())
}

fn object(choices: &mut Choices<'_>, depth: usize, defs: usize) -> Object {
    let names = ["city", "unit", "max_results", "a", "x"];
    let count = choices.below(names.len() + 1);
    Object { properties: properties(&names[..count], choices, depth, defs), ..Object::default() }
}

fn properties(names: &[&'static str], choices: &mut Choices<'_>, depth: usize, defs: usize) -> Vec<Property> {
    let property = |name: &&'static str| {
        let node = node(choices, depth + 1, defs);
        Property {
            name: (*name).into(),
            // As for native types, what may be null may be absent.
            required: !node.nullable && choices.flip(),
            node,
        }
    };
    names.iter().map(property).collect()
}

fn tagged(choices: &mut Choices<'_>, depth: usize, defs: usize) -> Kind {
    let adjacent = choices.flip();
    let tagging = if adjacent {
        Tagging::Adjacent { tag: "type".into(), content: "value".into() }
    } else {
        Tagging::Internal { tag: "type".into() }
    };
    let branches = ["Circle", "Square", "Line"].iter().take(1 + choices.below(3)).map(|name| {
        let node = match (adjacent, choices.below(4)) {
            (true, 0) => Node::new(Kind::Null),
            (true, _) => node(choices, depth + 1, defs),
            (false, _) => Node::new(Kind::Object(object(choices, depth + 1, defs))),
        };
        Branch { name: (*name).into(), description: None, node }
    });
    let branches = branches.collect();
    Kind::Union(Union { tagging, branches })
}

/// Branches of different JSON types, and objects of which each needs a property of its own.
fn untagged(choices: &mut Choices<'_>, depth: usize, defs: usize) -> Kind {
    let mut nodes = vec![Node::new(string(choices)), Node::new(integer(choices))];
    for own in ["left", "right"].iter().take(choices.below(3)) {
        let mut rules = object(choices, depth + 1, defs);
        rules.properties.push(Property { name: (*own).into(), required: true, node: node(choices, depth + 2, defs) });
        nodes.push(Node::new(Kind::Object(rules)));
    }
    let branch = |(index, node)| Branch { name: format!("Branch{index}").into(), description: None, node };
    Kind::Union(Union { tagging: Tagging::Untagged, branches: nodes.into_iter().enumerate().map(branch).collect() })
}

//! Documents that fit a shape, and what spoils them.

use outrigger_contract::{Additional, Int, Kind, Literal, Node, Object, Shape, Tagging};
use serde_json::{Map, Number, Value, json};

use super::Choices;

/// A document that fits, as long as the shape has no pattern or parser.
pub(crate) fn fitting(shape: &Shape, choices: &mut Choices<'_>) -> Value {
    node(shape, &shape.root, choices, 0)
}

fn node(shape: &Shape, at: &Node, choices: &mut Choices<'_>, depth: usize) -> Value {
    if at.nullable && (depth > 4 || choices.below(4) == 0) {
        return Value::Null;
    }
    let at = shape.resolve(at).unwrap();
    match &at.kind {
        Kind::Any | Kind::Ref(_) => choices.pick(&[json!(1), json!({"a": [null]}), json!("x")]).clone(),
        Kind::Null => Value::Null,
        Kind::Bool => json!(choices.flip()),
        Kind::Integer(rules) => {
            let min = rules.bounds.min.or(rules.range.map(|(min, _)| min));
            let max = rules.bounds.max.or(rules.range.map(|(_, max)| max));
            let mut options = vec![Int::ZERO, Int::signed(1), Int::signed(2), Int::signed(-7)];
            options.extend(min);
            options.extend(max);
            integer(*choices.pick(&options))
        }
        Kind::Number(_) => choices.pick(&[json!(0), json!(1.5), json!(-2), json!(1e10), json!(0.25)]).clone(),
        Kind::String(rules) => {
            if let Some(check) = rules.check {
                let examples = [
                    "30s",
                    "PT5M",
                    "aGk=",
                    "2026-01-31",
                    "2026-01-31T09:30:00Z",
                    "a@example.org",
                    "https://example.org/",
                    "123e4567-e89b-12d3-a456-426614174000",
                    "x",
                ];
                let known: Vec<_> = examples.iter().filter(|text| (check.accepts)(text)).collect();
                return json!(choices.pick(&known));
            }
            let len = rules.min_len.unwrap_or(0).max(choices.below(3) as u64);
            let letters = ["a", "B", "é", "😀", "\"", "\n"];
            json!((0..len).map(|_| *choices.pick(&letters)).collect::<String>())
        }
        Kind::Enum(values) => literal(&choices.pick(values).value),
        Kind::Array(rules) => {
            let min = rules.min_items.unwrap_or(0);
            let len = if depth > 4 { min } else { min.max(choices.below(3) as u64) };
            json!((0..len).map(|_| node(shape, &rules.items, choices, depth + 1)).collect::<Vec<_>>())
        }
        Kind::Tuple(rules) => {
            json!(rules.items.iter().map(|item| node(shape, item, choices, depth + 1)).collect::<Vec<_>>())
        }
        Kind::Object(rules) => Value::Object(object(shape, rules, choices, depth)),
        Kind::Union(union) => {
            let index = if depth > 4 { 0 } else { choices.below(union.branches.len()) };
            let branch = &union.branches[index];
            match &union.tagging {
                Tagging::Untagged => node(shape, &branch.node, choices, depth + 1),
                Tagging::Internal { tag } => {
                    let Kind::Object(rules) = &shape.resolve(&branch.node).unwrap().kind else { panic!("no object") };
                    let mut map = object(shape, rules, choices, depth);
                    map.insert(tag.to_string(), json!(branch.name));
                    Value::Object(map)
                }
                Tagging::Adjacent { tag, content } => {
                    let mut map = Map::new();
                    map.insert(tag.to_string(), json!(branch.name));
                    if branch.node.kind != Kind::Null {
                        map.insert(content.to_string(), node(shape, &branch.node, choices, depth + 1));
                    }
                    Value::Object(map)
                }
            }
        }
    }
}

fn object(shape: &Shape, rules: &Object, choices: &mut Choices<'_>, depth: usize) -> Map<String, Value> {
    let mut map = Map::new();
    for property in &rules.properties {
        if property.required || (depth <= 4 && choices.flip()) {
            map.insert(property.name.to_string(), node(shape, &property.node, choices, depth + 1));
        }
    }
    if let Additional::Typed(values) = &rules.additional {
        for key in ["k1", "k2"].iter().take(choices.below(3)) {
            map.insert((*key).to_owned(), node(shape, values, choices, depth + 1));
        }
    }
    map
}

fn integer(int: Int) -> Value {
    match int.to_i128() {
        Some(value) if i64::try_from(value).is_ok() => json!(value as i64),
        Some(value) if u64::try_from(value).is_ok() => json!(value as u64),
        _ => json!(0),
    }
}

fn literal(literal: &Literal) -> Value {
    serde_json::from_str(&literal.to_json()).unwrap()
}

/// The same document with one thing changed somewhere; it may still fit.
pub(crate) fn spoil(value: &mut Value, choices: &mut Choices<'_>) {
    let inside = match value {
        Value::Array(items) if !items.is_empty() && choices.below(4) != 0 => {
            let at = choices.below(items.len());
            Some(&mut items[at])
        }
        Value::Object(map) if !map.is_empty() && choices.below(4) != 0 => {
            let key = map.keys().nth(choices.below(map.len())).unwrap().clone();
            map.get_mut(&key)
        }
        _ => None,
    };
    match inside {
        Some(inside) => spoil(inside, choices),
        None => change(value, choices),
    }
}

fn change(value: &mut Value, choices: &mut Choices<'_>) {
    match value {
        Value::Object(map) => match choices.below(5) {
            0 => *value = json!(null),
            1 => *value = json!([]),
            2 => {
                map.insert("unknown".into(), json!(1));
            }
            _ => {
                let Some(key) = map.keys().nth(choices.below(map.len().max(1))).cloned() else {
                    map.insert("type".into(), json!("x"));
                    return;
                };
                let old = map.remove(&key).unwrap();
                match choices.below(3) {
                    0 => {}
                    1 => {
                        map.insert(key.to_uppercase(), old);
                    }
                    _ => {
                        map.insert(format!("{key}s"), old);
                    }
                }
            }
        },
        Value::Array(items) => match choices.below(4) {
            0 => *value = json!({}),
            1 => items.push(json!("x")),
            2 => {
                items.pop();
            }
            _ => {
                let first = items.first().cloned();
                items.extend(first);
            }
        },
        Value::String(text) => match choices.below(6) {
            0 => *value = json!(5),
            1 => *value = json!(null),
            2 => text.push_str("xx"),
            3 => *text = text.to_uppercase(),
            4 => text.clear(),
            _ => *value = json!([text.clone()]),
        },
        Value::Number(_) => {
            let numbers = [
                json!(-1),
                json!(0),
                json!(1.5),
                json!(5.0),
                json!(300),
                json!(-70000),
                json!(1e20),
                json!("5"),
                json!(null),
                json!(true),
            ];
            *value = choices.pick(&numbers).clone();
        }
        Value::Bool(_) | Value::Null => {
            *value = choices.pick(&[json!("true"), json!(null), json!(0), json!(1), json!(true)]).clone();
        }
    }
}

/// The text of a document with its properties in another order, so that tags come last as often as first.
pub(crate) fn shuffled(value: &Value, choices: &mut Choices<'_>) -> String {
    match value {
        Value::Object(map) => {
            let mut members: Vec<String> =
                map.iter().map(|(key, value)| format!("{}: {}", json!(key), shuffled(value, choices))).collect();
            if choices.flip() {
                members.reverse();
            }
            format!("{{{}}}", members.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| shuffled(item, choices)).collect();
            format!("[{}]", items.join(","))
        }
        Value::Number(number) => number_text(number, choices),
        other => other.to_string(),
    }
}

/// Other spellings of the same number.
fn number_text(number: &Number, choices: &mut Choices<'_>) -> String {
    match number.as_i64() {
        Some(value) if choices.below(4) == 0 => format!("{value}.0"),
        Some(value) if value % 10 == 0 && choices.below(3) == 0 => format!("{}e1", value / 10),
        _ => number.to_string(),
    }
}

//! A canonical document as a model would write it that follows a projected schema.

use outrigger_contract::{Additional, Kind, Node, Object, PlanNode, Shape, Tagging, WirePlan};
use serde_json::{Map, Value, json};

/// The document in the form that a plan undoes: absent properties as `null` where that means absence, wire names, and
/// something for the caller.
pub(crate) fn to_wire(shape: &Shape, plan: &WirePlan, value: &Value) -> Value {
    let cx = Wire { shape, plan };
    let mut wire = cx.node(&shape.root, &plan.root, value);
    if let Value::Object(map) = &mut wire {
        for name in &plan.take {
            map.insert(name.to_string(), json!("background"));
        }
    }
    wire
}

struct Wire<'a> {
    shape: &'a Shape,
    plan: &'a WirePlan,
}

const NONE: &PlanNode = &PlanNode { children: Vec::new(), reference: None, values: Vec::new() };

impl Wire<'_> {
    fn node(&self, node: &Node, plan: &PlanNode, value: &Value) -> Value {
        if value.is_null() {
            return Value::Null;
        }
        let plan = plan.reference.map_or(plan, |index| &self.plan.defs[index as usize]);
        let node = self.shape.resolve(node).unwrap();
        match (&node.kind, value) {
            (Kind::Object(rules), Value::Object(map)) => Value::Object(self.object(rules, plan, map)),
            (Kind::Array(rules), Value::Array(items)) => {
                items.iter().map(|item| self.node(&rules.items, child(plan, 0), item)).collect()
            }
            (Kind::Tuple(rules), Value::Array(items)) => {
                let pairs = rules.items.iter().zip(items).enumerate();
                pairs.map(|(index, (node, item))| self.node(node, child(plan, index), item)).collect()
            }
            (Kind::Union(union), value) => match (&union.tagging, value) {
                (Tagging::Internal { tag }, Value::Object(map)) => {
                    let at =
                        union.branches.iter().position(|branch| branch.name == map[&**tag].as_str().unwrap()).unwrap();
                    let mut map = map.clone();
                    let tag_value = map.remove(&**tag).unwrap();
                    let mut wire = match self.node(&union.branches[at].node, child(plan, at), &Value::Object(map)) {
                        Value::Object(map) => map,
                        other => panic!("{other}"),
                    };
                    wire.insert(tag.to_string(), tag_value);
                    Value::Object(wire)
                }
                (Tagging::Adjacent { tag, content }, Value::Object(map)) => {
                    let at =
                        union.branches.iter().position(|branch| branch.name == map[&**tag].as_str().unwrap()).unwrap();
                    let mut map = map.clone();
                    if let Some(inner) = map.get_mut(&**content) {
                        *inner = self.node(&union.branches[at].node, child(plan, at), inner);
                    }
                    Value::Object(map)
                }
                _ => {
                    let fits = |node: &Node| {
                        let alone = Shape { root: node.clone(), defs: self.shape.defs.clone() };
                        let limits = outrigger_contract::Limits::default();
                        outrigger_contract::check(&alone, &value.to_string(), &WirePlan::default(), &limits).is_ok()
                    };
                    let at = union.branches.iter().position(|branch| fits(&branch.node)).unwrap();
                    self.node(&union.branches[at].node, child(plan, at), value)
                }
            },
            _ => value.clone(),
        }
    }

    fn object(&self, rules: &Object, plan: &PlanNode, map: &Map<String, Value>) -> Map<String, Value> {
        let mut wire = Map::new();
        for (index, property) in rules.properties.iter().enumerate() {
            let changes = plan.children.iter().find(|child| child.index as usize == index);
            let name = changes.and_then(|child| child.name.as_deref()).unwrap_or(&property.name);
            match map.get(&*property.name) {
                Some(value) => {
                    wire.insert(name.to_owned(), self.node(&property.node, child(plan, index), value));
                }
                None if changes.is_some_and(|child| child.null_is_absent) || property.node.nullable => {
                    wire.insert(name.to_owned(), Value::Null);
                }
                None => {}
            }
        }
        if let Additional::Typed(node) = &rules.additional {
            let plan = child(plan, rules.properties.len());
            wire.extend(map.iter().map(|(key, value)| (key.clone(), self.node(node, plan, value))));
        }
        wire
    }
}

fn child(plan: &PlanNode, index: usize) -> &PlanNode {
    plan.children.iter().find(|child| child.index as usize == index).map_or(NONE, |child| &child.node)
}

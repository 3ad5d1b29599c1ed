//! A mended schema as a shape. The shape takes everything that the schema takes, but for types that go without saying;
//! where it takes more, that is on record, and the validator refuses it.

mod combine;
mod compound;
mod scalar;

use super::json::{Json, Map, pointer_of};
use super::{Degraded, DegradedKind, Draft, ImportLimits, references};
use crate::profile::NameRule;
use crate::project::wire_name;
use crate::prompts;
use crate::shape::{Definition, Kind, Node, Shape, Text};

/// Makes a shape of a schema.
pub(super) fn import(root: &Json, draft: Draft, limits: &ImportLimits, notes: &mut Vec<Degraded>) -> Shape {
    let mut importer = Importer {
        root,
        draft,
        most: limits.nodes.saturating_mul(2),
        nodes: 0,
        defs: Vec::new(),
        waiting: Vec::new(),
        merging: Vec::new(),
        path: Vec::new(),
        notes: Vec::new(),
    };
    let node = importer.node(root);
    let mut nodes = Vec::new();
    // Definitions are imported one after the other and not inside each other, however long their chain.
    while nodes.len() < importer.defs.len() {
        let Some(target) = importer.waiting.get(nodes.len()).cloned() else { break };
        importer.path.clone_from(&target);
        nodes.push(root.at(&target).map_or(Node::new(Kind::Any), |schema| importer.node(schema)));
    }
    let defs = importer.defs.into_iter().zip(nodes).map(|(name, node)| Definition { name, node }).collect();
    for note in importer.notes {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    Shape { root: node, defs }
}

/// Goes through a schema and describes it.
struct Importer<'s> {
    root: &'s Json,
    draft: Draft,
    /// Schemas that are described in full; merging could make many of few.
    most: u32,
    nodes: u32,
    /// Names of definitions, and where each of them stands.
    defs: Vec<Text>,
    waiting: Vec<Vec<String>>,
    /// References whose targets are being laid on each other, here or around here.
    merging: Vec<String>,
    path: Vec<String>,
    notes: Vec<Degraded>,
}

/// Steps of a path that are followed.
const DEEPEST: usize = 256;

/// Names that need no escapes in a reference.
const NAMES: NameRule = NameRule {
    first: Text::Borrowed("_"),
    later: Text::Borrowed("_.-"),
    first_digit: true,
    max_len: Some(64),
    any: false,
};

impl Importer<'_> {
    /// Something that is checked and not said.
    fn unsaid(&mut self, what: impl Into<String>) {
        self.note(DegradedKind::Unsaid, what);
    }

    fn note(&mut self, kind: DegradedKind, what: impl Into<String>) {
        let note = Degraded { pointer: pointer_of(&self.path), kind, what: what.into() };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn below<T>(&mut self, step: &str, look: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step.to_owned());
        let result = look(self);
        self.path.pop();
        result
    }

    fn node(&mut self, schema: &Json) -> Node {
        self.nodes = self.nodes.saturating_add(1);
        let Json::Object(map) = schema else {
            if *schema == Json::Bool(false) {
                self.unsaid("`false`, which takes nothing");
            }
            return Node::new(Kind::Any);
        };
        if self.nodes > self.most || self.path.len() > DEEPEST {
            self.unsaid("a schema too large to describe");
            return Node::new(Kind::Any);
        }
        let node = self.kind(map);
        annotated(node, map)
    }

    fn kind(&mut self, map: &Map) -> Node {
        if let Some(reference) = map.get("$ref").and_then(Json::text) {
            return self.reference(reference, map);
        }
        if map.has("$dynamicRef") {
            self.unsaid("`$dynamicRef`");
        }
        self.note_unsaid(map);
        if map.has("allOf") {
            let merging = self.merging.len();
            let merged = self.merged(map);
            let node = self.kind(&merged);
            self.merging.truncate(merging);
            return node;
        }
        if let Some(value) = map.get("const") {
            return self.enumeration(std::slice::from_ref(value));
        }
        if let Some(Json::Array(values)) = map.get("enum") {
            return self.enumeration(values);
        }
        let mut needs = Vec::new();
        let is_object = map.has_any(&["properties", "additionalProperties", "patternProperties"]);
        for keyword in ["anyOf", "oneOf"] {
            let Some(Json::Array(branches)) = map.get(keyword) else { continue };
            if branches.iter().all(is_requirement) {
                let sets: Vec<_> = branches.iter().map(required_by).collect();
                needs.push(prompts::needs_one_of(&sets));
            } else if is_object {
                self.unsaid(format!("`{keyword}` beside other keywords"));
            } else {
                return self.alternatives(keyword, branches, map);
            }
        }
        let mut node = self.typed(map);
        if !needs.is_empty() {
            node.description = Some(needs.join(" ").into());
        }
        node
    }

    /// Keywords that no shape has.
    fn note_unsaid(&mut self, map: &Map) {
        const UNSAID: [&str; 12] = [
            "not",
            "if",
            "contains",
            "propertyNames",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "unevaluatedItems",
            "unevaluatedProperties",
            "patternProperties",
            "contentEncoding",
            "contentMediaType",
        ];
        for keyword in UNSAID.iter().filter(|keyword| map.has(keyword)) {
            self.unsaid(format!("`{keyword}`"));
        }
    }

    fn reference(&mut self, reference: &str, map: &Map) -> Node {
        if self.draft == Draft::Latest && map.0.iter().any(|(key, _)| constrains(key)) {
            self.unsaid("keywords beside `$ref`");
        }
        let Some(target) = references::target(self.root, reference) else {
            self.unsaid(format!("the reference `{reference}`"));
            return Node::new(Kind::Any);
        };
        if let Some(index) = self.waiting.iter().position(|known| *known == target) {
            return Node::new(Kind::Ref(index));
        }
        let name = wire_name(target.last().map_or("arguments", String::as_str), &NAMES);
        let mut free = name.clone();
        for count in 2_u32.. {
            if self.defs.iter().all(|known| *known != free) {
                break;
            }
            free = format!("{name}_{count}");
        }
        self.defs.push(free.into());
        self.waiting.push(target);
        Node::new(Kind::Ref(self.defs.len() - 1))
    }
}

/// Whether a branch only says what must be there.
fn is_requirement(branch: &Json) -> bool {
    branch.object().is_some_and(|map| {
        map.has("required") && map.0.iter().all(|(key, _)| key == "required" || key == "description")
    })
}

/// The properties that a branch asks for, in words.
fn required_by(branch: &Json) -> String {
    let names = branch.object().and_then(|map| map.get("required")).and_then(Json::array).unwrap_or_default();
    let names: Vec<_> = names.iter().filter_map(Json::text).map(prompts::quoted).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(" and ") }
}

/// Whether a keyword narrows what a schema takes.
fn constrains(key: &str) -> bool {
    !matches!(
        key,
        "$ref"
            | "description"
            | "title"
            | "default"
            | "examples"
            | "$defs"
            | "definitions"
            | "$comment"
            | "$id"
            | "$anchor"
            | "$dynamicAnchor"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "example"
    ) && !key.starts_with("x-")
}

/// Adds what a schema says about itself.
fn annotated(mut node: Node, map: &Map) -> Node {
    let text = |key: &str| map.get(key).and_then(Json::text).filter(|text| !text.is_empty());
    let own = node.description.take();
    let said = text("description").or_else(|| text("title").filter(|_| own.is_none()));
    let parts: Vec<&str> = said.into_iter().chain(own.as_deref().filter(|own| Some(*own) != said)).collect();
    if !parts.is_empty() {
        node.description = Some(parts.join(" ").into());
    }
    if let Some(default) = map.get("default") {
        node.default = Some(default.to_text().into());
    }
    let examples = map.get("examples").and_then(Json::array).unwrap_or_default();
    node.examples.extend(examples.iter().chain(map.get("example")).map(|example| Text::Owned(example.to_text())));
    node
}

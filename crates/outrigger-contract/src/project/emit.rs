//! Going through a shape and writing each node in a profile's dialect.

use std::sync::Arc;

use super::prune::prune;
use super::schema::{Json, Schema};
use super::sizes::SchemaSizes;
use super::{Loss, LossKind, Projection};
use crate::plan::{PlanNode, WirePlan};
use crate::profile::{AnyForm, SchemaProfile};
use crate::shape::{Kind, Node, Property, Shape, Tagging, Text};

/// Writes one shape in one dialect, noting what the dialect cannot say.
pub(super) struct Emitter<'a> {
    pub(super) shape: &'a Shape,
    pub(super) profile: &'a SchemaProfile,
    /// Definitions that have been written, and the changes inside them.
    pub(super) defs: Vec<Option<(Schema, PlanNode)>>,
    /// Definitions being written, in place or among the others.
    pub(super) open: Vec<usize>,
    /// Whether the next node is a branch beside another that takes text, so that its own values may not be text.
    pub(super) beside_text: bool,
    /// Schemas written so far.
    pub(super) nodes: u32,
    losses: Vec<Loss>,
    path: Vec<String>,
    hidden: &'a [Text],
    /// Properties of the caller's, by their final names.
    extras: Vec<(Text, &'a Property)>,
}

/// A node's schema under construction, and the words that go to its description.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) schema: Schema,
    pub(super) words: Vec<String>,
}

impl From<Schema> for Draft {
    fn from(schema: Schema) -> Self {
        Self { schema, words: Vec::new() }
    }
}

impl<'a> Emitter<'a> {
    pub(super) fn new(shape: &'a Shape, profile: &'a SchemaProfile) -> Self {
        Self {
            shape,
            profile,
            defs: vec![None; shape.defs.len()],
            open: Vec::new(),
            beside_text: false,
            nodes: 0,
            losses: Vec::new(),
            path: Vec::new(),
            hidden: &[],
            extras: Vec::new(),
        }
    }

    pub(super) fn project(mut self, hidden: &'a [Text], take: &'a [Property]) -> Projection {
        let mut wire = WirePlan { take: self.final_names(take), ..WirePlan::default() };
        self.hidden = hidden;
        self.extras = wire.take.iter().cloned().zip(take).collect();
        // The root is written out even if it is a recursive type: providers want an object there.
        let shape = self.shape;
        let root = shape.resolve(&shape.root).unwrap_or(&shape.root);
        let mut schema = self.node(root, &mut wire.root);
        self.attach_defs(&mut schema, &mut wire);
        let limits = &self.profile.limits;
        let sizes = SchemaSizes::of(&schema, limits);
        if let Some(what) = sizes.beyond(limits) {
            self.not_strict(what);
        }
        let strict = self.profile.strict && !self.losses.iter().any(|loss| loss.kind == LossKind::NotStrict);
        let schema = schema.to_text().into_bytes().into();
        Projection { schema, plan: Arc::new(wire), strict, losses: self.losses, sizes }
    }

    /// The schema of one node by itself, for showing a part.
    pub(super) fn part(mut self, node: &'a Node) -> String {
        let mut wire = WirePlan::default();
        let mut schema = self.node(node, &mut wire.root);
        self.attach_defs(&mut schema, &mut wire);
        schema.to_text()
    }

    pub(super) fn node(&mut self, node: &'a Node, plan: &mut PlanNode) -> Schema {
        self.node_or_null(node, node.nullable, plan)
    }

    /// A node's schema, with `null` allowed or not whatever the node says itself.
    pub(super) fn node_or_null(&mut self, node: &'a Node, nullable: bool, plan: &mut PlanNode) -> Schema {
        self.nodes = self.nodes.saturating_add(1);
        let mut draft = match node.kind {
            Kind::Ref(index) => self.reference(index, plan),
            _ => self.kind(node, plan),
        };
        if nullable {
            draft = self.or_null(draft);
        }
        self.annotate(node, draft)
    }

    pub(super) fn at_root(&self) -> bool {
        self.path.is_empty() && self.open.is_empty()
    }

    /// The caller's properties, where they belong.
    pub(super) fn extras(&self) -> Vec<(Text, &'a Property)> {
        if self.at_root() { self.extras.clone() } else { Vec::new() }
    }

    /// Whether a property is hidden, here and from the binder. One that must be there cannot be.
    pub(super) fn hides(&mut self, property: &Property) -> bool {
        let hides = self.at_root() && self.hidden.contains(&property.name);
        if hides && property.required {
            self.lose(LossKind::Dropped, "hiding a required property");
        }
        hides && !property.required
    }

    /// Names for the caller's properties that the type does not use itself.
    fn final_names(&self, take: &[Property]) -> Vec<Text> {
        let mut names: Vec<Text> = Vec::with_capacity(take.len());
        for property in take {
            let mut name = property.name.to_string();
            while self.declares(&self.shape.root, &name) || names.iter().any(|taken| *taken == name) {
                name.push('_');
            }
            names.push(name.into());
        }
        names
    }

    fn declares(&self, node: &Node, name: &str) -> bool {
        match self.shape.resolve(node).map(|node| &node.kind) {
            Some(Kind::Object(rules)) => rules.properties.iter().any(|property| property.name == name),
            Some(Kind::Union(union)) => {
                let tags = match &union.tagging {
                    Tagging::Internal { tag } => [Some(tag), None],
                    Tagging::Adjacent { tag, content } => [Some(tag), Some(content)],
                    Tagging::Untagged => [None, None],
                };
                tags.into_iter().flatten().any(|tag| tag == name)
                    || union.branches.iter().any(|branch| {
                        let object = self.shape.resolve(&branch.node);
                        object.is_some_and(|node| matches!(node.kind, Kind::Object(_)) && self.declares(node, name))
                    })
            }
            _ => false,
        }
    }

    fn kind(&mut self, node: &'a Node, plan: &mut PlanNode) -> Draft {
        let beside_text = std::mem::take(&mut self.beside_text);
        match &node.kind {
            Kind::Any | Kind::Ref(_) => self.any(),
            Kind::Null => Schema::typed("null").into(),
            Kind::Bool => Schema::typed("boolean").into(),
            Kind::Integer(rules) => self.integer(rules),
            Kind::Number(rules) => self.number(rules),
            Kind::String(rules) => self.string(rules),
            Kind::Enum(values) => self.enumeration(values, beside_text, plan),
            Kind::Array(rules) => self.array(rules, plan),
            Kind::Tuple(rules) => self.tuple(rules, plan),
            Kind::Object(rules) => self.object(rules, plan),
            Kind::Union(union) => self.union(union, beside_text, plan),
        }
    }

    /// A value of any type.
    pub(super) fn any(&mut self) -> Draft {
        match self.profile.any {
            AnyForm::Untyped => {}
            AnyForm::Unsayable => self.not_strict("a value without a type"),
            AnyForm::AllTypes => {
                let scalars = || ["string", "number", "boolean"].map(|name| Json::from(Schema::typed(name)));
                let mut items = Schema::default();
                items.set("anyOf", Json::Array(scalars().into()));
                let mut array = Schema::typed("array");
                array.set("items", items.into());
                let mut any = Schema::default();
                let compound = [Schema::typed("object").into(), array.into()];
                any.set("anyOf", Json::Array(scalars().into_iter().chain(compound).collect()));
                return any.into();
            }
        }
        Draft::default()
    }

    pub(super) fn below<T>(&mut self, step: &str, emit: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step.replace('~', "~0").replace('/', "~1"));
        let result = emit(self);
        self.path.pop();
        result
    }

    pub(super) fn lose(&mut self, kind: LossKind, what: &str) {
        let path = self.path.iter().flat_map(|step| ["/", step]).collect();
        let loss = Loss { path, kind, what: what.to_owned() };
        if !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    /// Notes what a strict profile cannot say. Another profile leaves the place open.
    pub(super) fn not_strict(&mut self, what: &str) {
        let kind = if self.profile.strict { LossKind::NotStrict } else { LossKind::Dropped };
        self.lose(kind, what);
    }

    /// Says something in the description that the profile has no keyword for.
    pub(super) fn say(&mut self, draft: &mut Draft, what: &str, words: String) {
        self.lose(LossKind::Described, what);
        draft.words.push(words);
    }

    fn attach_defs(&mut self, schema: &mut Schema, wire: &mut WirePlan) {
        let written = std::mem::take(&mut self.defs);
        let mut defs = Schema::default();
        for (slot, def) in written.into_iter().zip(&self.shape.defs) {
            let (def_schema, plan) = slot.unwrap_or_default();
            wire.defs.push(plan);
            if !self.inlines() && !def_schema.0.is_empty() {
                defs.set(&def.name, def_schema.into());
            }
        }
        prune(wire);
        if !defs.0.is_empty() {
            schema.set("$defs", defs.into());
        }
    }
}

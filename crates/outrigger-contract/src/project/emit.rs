//! Going through a shape and writing each node in a profile's dialect.

use std::sync::Arc;

use super::prune::prune;
use super::schema::{Json, Schema};
use super::sizes::Sizes;
use super::{Loss, LossKind, Projection};
use crate::plan::{PlanNode, WirePlan};
use crate::profile::{NullForm, ReferenceForm, SchemaProfile};
use crate::shape::{Kind, Node, Property, Shape, Tagging, Text};

/// Writes one shape in one dialect, noting what the dialect cannot say.
pub(super) struct Emitter<'a> {
    pub(super) shape: &'a Shape,
    pub(super) profile: &'a SchemaProfile,
    pub(super) sizes: Sizes,
    losses: Vec<Loss>,
    path: Vec<String>,
    /// Definitions that have been written, and the changes inside them.
    defs: Vec<Option<(Schema, PlanNode)>>,
    /// Definitions being written at their place of use.
    inlined: Vec<usize>,
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
            sizes: Sizes::default(),
            losses: Vec::new(),
            path: Vec::new(),
            defs: vec![None; shape.defs.len()],
            inlined: Vec::new(),
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
        if let Some(what) = self.sizes.beyond(&self.profile.limits) {
            self.not_strict(what);
        }
        let strict = self.profile.strict && !self.losses.iter().any(|loss| loss.kind == LossKind::NotStrict);
        Projection { schema: schema.to_text().into_bytes().into(), plan: Arc::new(wire), strict, losses: self.losses }
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
        self.sizes.enter();
        let mut draft = match node.kind {
            Kind::Ref(index) => self.reference(index, plan),
            _ => self.kind(node, plan),
        };
        self.sizes.leave();
        if nullable {
            draft = self.or_null(draft);
        }
        self.annotate(node, draft)
    }

    pub(super) fn at_root(&self) -> bool {
        self.path.is_empty()
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
                    || union
                        .branches
                        .iter()
                        .any(|branch| !matches!(branch.node.kind, Kind::Ref(_)) && self.declares(&branch.node, name))
            }
            _ => false,
        }
    }

    fn kind(&mut self, node: &'a Node, plan: &mut PlanNode) -> Draft {
        match &node.kind {
            Kind::Any | Kind::Ref(_) => self.any(),
            Kind::Null => Schema::typed("null").into(),
            Kind::Bool => Schema::typed("boolean").into(),
            Kind::Integer(rules) => self.integer(rules),
            Kind::Number(rules) => self.number(rules),
            Kind::String(rules) => self.string(rules),
            Kind::Enum(values) => self.enumeration(values, plan),
            Kind::Array(rules) => self.array(rules, plan),
            Kind::Tuple(rules) => self.tuple(rules, plan),
            Kind::Object(rules) => self.object(rules, plan),
            Kind::Union(union) => self.union(union, plan),
        }
    }

    fn any(&mut self) -> Draft {
        if !self.profile.any {
            self.not_strict("a value without a type");
        }
        Draft::default()
    }

    /// A reference to a definition, or the definition itself at the place of use.
    fn reference(&mut self, index: usize, plan: &mut PlanNode) -> Draft {
        let Some(def) = self.shape.defs.get(index) else {
            return self.any();
        };
        plan.reference = u32::try_from(index).ok();
        let shape = self.shape;
        let levels = match self.profile.references {
            ReferenceForm::Inline { levels } => levels,
            ReferenceForm::Defs | ReferenceForm::BareDefs => {
                self.define(index);
                let mut schema = Schema::default();
                schema.set("$ref", Json::String(format!("#/$defs/{}", pointer_escaped(&def.name))));
                return schema.into();
            }
        };
        let open = self.inlined.iter().filter(|inlined| **inlined == index).count();
        if u32::try_from(open).is_ok_and(|open| open >= levels) {
            self.lose(LossKind::Described, "recursion");
            return Draft { schema: Schema::default(), words: vec![format!("Another {}.", def.name)] };
        }
        self.inlined.push(index);
        let mut inner = PlanNode::default();
        let schema = shape.defs.get(index).map(|def| self.node(&def.node, &mut inner));
        self.inlined.pop();
        if let Some(slot @ None) = self.defs.get_mut(index) {
            *slot = Some((Schema::default(), inner));
        }
        schema.unwrap_or_default().into()
    }

    fn define(&mut self, index: usize) {
        let Some(slot @ None) = self.defs.get_mut(index) else {
            return;
        };
        // Filled before its content, which refers back to it.
        *slot = Some((Schema::default(), PlanNode::default()));
        let shape = self.shape;
        let Some(def) = shape.defs.get(index) else {
            return;
        };
        let mut plan = PlanNode::default();
        let schema = self.node(&def.node, &mut plan);
        if let Some(slot) = self.defs.get_mut(index) {
            *slot = Some((schema, plan));
        }
    }

    fn attach_defs(&mut self, schema: &mut Schema, wire: &mut WirePlan) {
        let written = std::mem::take(&mut self.defs);
        let mut defs = Schema::default();
        for (slot, def) in written.into_iter().zip(&self.shape.defs) {
            let (def_schema, plan) = slot.unwrap_or_default();
            wire.defs.push(plan);
            if !matches!(self.profile.references, ReferenceForm::Inline { .. }) && !def_schema.0.is_empty() {
                defs.set(&def.name, def_schema.into());
            }
        }
        prune(wire);
        if !defs.0.is_empty() {
            schema.set("$defs", defs.into());
        }
    }

    fn or_null(&mut self, draft: Draft) -> Draft {
        let Draft { mut schema, words } = draft;
        if schema.0.is_empty() {
            return Draft { schema, words };
        }
        let by_type = match self.profile.null {
            NullForm::NullableKeyword => {
                schema.set("nullable", Json::Bool(true));
                return Draft { schema, words };
            }
            NullForm::TypeArray => true,
            NullForm::AnyOf => false,
        };
        let single = matches!(schema.get_mut("type"), Some(Json::String(_))) && !schema.has("const");
        if by_type && single {
            if let Some(kind) = schema.get_mut("type") {
                let name = kind.clone();
                *kind = Json::Array(vec![name, Json::string("null")]);
            }
            if let Some(Json::Array(values)) = schema.get_mut("enum") {
                values.push(Json::raw("null"));
            }
            return Draft { schema, words };
        }
        if let Some(Json::Array(branches)) = schema.get_mut("anyOf") {
            branches.push(Schema::typed("null").into());
            return Draft { schema, words };
        }
        let mut outer = Schema::default();
        outer.set("anyOf", Json::Array(vec![schema.into(), Schema::typed("null").into()]));
        Draft { schema: outer, words }
    }

    /// Adds what the node says about itself.
    fn annotate(&mut self, node: &Node, draft: Draft) -> Schema {
        let Draft { mut schema, mut words } = draft;
        let keywords = &self.profile.keywords;
        if let Some(default) = &node.default
            && !keywords.default
        {
            words.push(format!("Default: {default}."));
        }
        if !node.examples.is_empty() && !keywords.examples {
            words.push(format!("Examples: {}.", node.examples.join(", ")));
        }
        let description = described(node.description.as_deref(), &words);
        let bare_ref = self.profile.references == ReferenceForm::BareDefs && schema.has("$ref");
        if bare_ref && (description.is_some() || node.default.is_some()) {
            let mut outer = Schema::default();
            outer.set("anyOf", Json::Array(vec![schema.into()]));
            schema = outer;
        }
        if let Some(description) = description {
            schema.set("description", Json::String(description));
        }
        if let Some(default) = &node.default
            && keywords.default
        {
            schema.set("default", Json::raw(default));
        }
        if !node.examples.is_empty() && keywords.examples {
            let examples = node.examples.iter().map(Json::raw).collect();
            schema.set("examples", Json::Array(examples));
        }
        schema
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
}

fn described(description: Option<&str>, words: &[String]) -> Option<String> {
    let mut parts: Vec<&str> = description.into_iter().filter(|text| !text.is_empty()).collect();
    parts.extend(words.iter().map(String::as_str));
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn pointer_escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

//! Enumerations.

use std::collections::HashSet;

use super::LossKind;
use super::emit::{Draft, Emitter};
use super::schema::{Json, Schema};
use crate::plan::PlanNode;
use crate::profile::{ConstantForm, EnumForm};
use crate::prompts;
use crate::shape::{EnumValue, Literal};

impl Emitter<'_> {
    pub(super) fn enumeration(&mut self, values: &[EnumValue], beside_text: bool, plan: &mut PlanNode) -> Draft {
        self.check_case(values.iter().filter_map(|known| match &known.value {
            Literal::String(text) => Some(&**text),
            _ => None,
        }));
        let mut draft = match self.profile.enums {
            EnumForm::Strings if beside_text => self.typed_values(values),
            EnumForm::Strings => self.strings(values, plan),
            EnumForm::Scalars => self.by_type(values),
            EnumForm::Any => self.values(values.iter().map(|known| &known.value)).into(),
        };
        draft.words.extend(values.iter().filter_map(meaning));
        draft
    }

    /// Notes names that differ only in case, if the provider may change the case.
    pub(super) fn check_case<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        if self.profile.exact_case {
            return;
        }
        let mut folded: Vec<String> = names.map(str::to_lowercase).collect();
        folded.sort_unstable();
        if folded.windows(2).any(|pair| pair.first() == pair.last()) {
            self.not_strict("values that differ only in case");
        }
    }

    fn values<'v>(&self, values: impl Iterator<Item = &'v Literal> + Clone) -> Schema {
        let mut schema = match common_type(values.clone()) {
            Some(name) => Schema::typed(name),
            None => Schema::default(),
        };
        self.set_values(&mut schema, values.map(written).collect());
        schema
    }

    fn set_values(&self, schema: &mut Schema, mut values: Vec<Json>) {
        if values.len() == 1 && self.profile.constant == ConstantForm::Const {
            return schema.set("const", values.pop().unwrap_or(Json::Bool(true)));
        }
        schema.set("enum", Json::Array(values));
    }

    /// Every value as a string, to be bound back.
    fn strings(&mut self, values: &[EnumValue], plan: &mut PlanNode) -> Draft {
        let is_empty = |known: &EnumValue| matches!(&known.value, Literal::String(text) if text.is_empty());
        if values.iter().any(is_empty) {
            let mut draft = Draft::from(Schema::typed("string"));
            self.say(&mut draft, "an empty value", prompts::sentence(&prompts::one_of(values)));
            return draft;
        }
        let own = values.iter().filter_map(|known| match &known.value {
            Literal::String(text) => Some(text.to_string()),
            _ => None,
        });
        let mut written: HashSet<String> = own.collect();
        let mut all = Vec::with_capacity(values.len());
        for known in values {
            if let Literal::String(text) = &known.value {
                all.push(Json::string(text));
                continue;
            }
            let json = known.value.to_json();
            let mut wire = json.to_string();
            while !written.insert(wire.clone()) {
                wire.push('_');
            }
            all.push(Json::string(&wire));
            plan.values.push((wire.into(), json));
        }
        if !plan.values.is_empty() {
            self.lose(LossKind::Described, "values that are no strings");
        }
        let mut schema = Schema::typed("string");
        self.set_values(&mut schema, all);
        schema.into()
    }

    /// Where text has another meaning already: the types of the values, and the values in words.
    fn typed_values(&mut self, values: &[EnumValue]) -> Draft {
        let mut names: Vec<&'static str> = Vec::new();
        for known in values {
            let name = type_of(&known.value).unwrap_or("object");
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut branches: Vec<_> = names.into_iter().map(|name| Json::from(Schema::typed(name))).collect();
        let mut draft = Draft::default();
        match (branches.len(), branches.pop()) {
            (1, Some(Json::Object(only))) => draft.schema = only,
            (_, last) => {
                branches.extend(last);
                draft.schema.set("anyOf", Json::Array(branches));
            }
        }
        self.say(&mut draft, "values beside text", prompts::sentence(&prompts::one_of(values)));
        draft
    }

    /// Values of one type under that type; others as one enumeration a type.
    fn by_type(&mut self, values: &[EnumValue]) -> Draft {
        if common_type(values.iter().map(|known| &known.value)).is_some() {
            return self.values(values.iter().map(|known| &known.value)).into();
        }
        let mut names: Vec<&'static str> = Vec::new();
        for known in values {
            match type_of(&known.value) {
                Some(name) if names.contains(&name) => {}
                Some(name) => names.push(name),
                None => self.not_strict("a value that is an object or an array"),
            }
        }
        let of_type = |name| values.iter().map(|known| &known.value).filter(move |value| type_of(value) == Some(name));
        let branches: Vec<_> = names.iter().map(|name| Json::from(self.values(of_type(*name)))).collect();
        let mut schema = Schema::default();
        schema.set("anyOf", Json::Array(branches));
        schema.into()
    }
}

fn written(value: &Literal) -> Json {
    match value {
        Literal::String(text) => Json::string(text),
        other => Json::raw(other.to_json()),
    }
}

/// What one value of an enumeration means.
fn meaning(known: &EnumValue) -> Option<String> {
    let description = known.description.as_deref()?;
    let value = match &known.value {
        Literal::String(text) if !text.is_empty() => text.clone(),
        other => other.to_json(),
    };
    Some(format!("{value}: {description}"))
}

fn common_type<'v>(mut values: impl Iterator<Item = &'v Literal>) -> Option<&'static str> {
    let first = type_of(values.next()?)?;
    values.all(|value| type_of(value) == Some(first)).then_some(first)
}

/// The type of a scalar.
fn type_of(literal: &Literal) -> Option<&'static str> {
    match literal {
        Literal::Null => Some("null"),
        Literal::Bool(_) => Some("boolean"),
        Literal::Integer(_) => Some("integer"),
        Literal::String(_) => Some("string"),
        Literal::Json(json) => json.starts_with(|c: char| c == '-' || c.is_ascii_digit()).then_some("number"),
    }
}

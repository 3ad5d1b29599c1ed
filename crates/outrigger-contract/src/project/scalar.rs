//! Numbers, strings and enumerations.

use super::LossKind;
use super::emit::{Draft, Emitter};
use super::schema::{Json, Schema};
use crate::format::known_format;
use crate::plan::PlanNode;
use crate::profile::{ConstantForm, EnumForm};
use crate::prompts;
use crate::shape::{Bounds, EnumValue, Integer, Literal, Number, StringRules};

impl Emitter<'_> {
    pub(super) fn integer(&mut self, rules: &Integer) -> Draft {
        let mut draft = Draft::from(Schema::typed("integer"));
        let mut bounds = rules.bounds;
        if let Some((min, max)) = rules.range
            && self.profile.keywords.type_bounds
        {
            bounds.min = bounds.min.max(Some(min));
            bounds.max = Some(bounds.max.map_or(max, |bound| bound.min(max)));
        }
        self.bounds(&mut draft, &bounds);
        let excluded = bounds.min.is_some_and(|min| min > crate::Int::ZERO)
            || bounds.max.is_some_and(|max| max < crate::Int::ZERO);
        if rules.non_zero && !excluded {
            if self.profile.keywords.not {
                let mut zero = Schema::default();
                zero.set("const", Json::raw("0"));
                draft.schema.set("not", zero.into());
            } else {
                self.say(&mut draft, "not zero", "Not 0.".to_owned());
            }
        }
        draft
    }

    pub(super) fn number(&mut self, rules: &Number) -> Draft {
        let mut draft = Draft::from(Schema::typed("number"));
        let mut bounds = rules.bounds;
        if rules.single && self.profile.keywords.type_bounds {
            let max = f64::from(f32::MAX);
            bounds.min = Some(bounds.min.map_or(-max, |min| min.max(-max)));
            bounds.max = Some(bounds.max.map_or(max, |bound| bound.min(max)));
        }
        self.bounds(&mut draft, &bounds.map(Finite));
        draft
    }

    fn bounds<T: ToString + Copy>(&mut self, draft: &mut Draft, bounds: &Bounds<T>) {
        let keywords = self.profile.keywords;
        let rules = [
            ("minimum", bounds.min, keywords.bounds, "At least"),
            ("maximum", bounds.max, keywords.bounds, "At most"),
            ("exclusiveMinimum", bounds.exclusive_min, keywords.exclusive_bounds, "Above"),
            ("exclusiveMaximum", bounds.exclusive_max, keywords.exclusive_bounds, "Below"),
            ("multipleOf", bounds.multiple_of, keywords.multiple_of, "A multiple of"),
        ];
        for (keyword, bound, allowed, words) in rules {
            let Some(bound) = bound else { continue };
            if allowed {
                draft.schema.set(keyword, Json::raw(bound.to_string()));
            } else {
                self.say(draft, keyword, format!("{words} {}.", bound.to_string()));
            }
        }
    }

    pub(super) fn string(&mut self, rules: &StringRules) -> Draft {
        let mut draft = Draft::from(Schema::typed("string"));
        let keywords = self.profile.keywords;
        let mut said = false;
        if let Some(format) = &rules.format {
            let allowed = self.profile.formats.as_ref().is_none_or(|formats| formats.contains(format));
            if allowed {
                draft.schema.set("format", Json::string(format));
                said = rules.check.is_none() || rules.check == known_format(format);
            } else {
                self.lose(LossKind::Described, "format");
            }
        }
        match (rules.check, &rules.format) {
            (Some(check), _) if !said => draft.words.push(prompts::sentence(check.expected)),
            (None, Some(format)) if !said => draft.words.push(format!("Format: {format}.")),
            _ => {}
        }
        if keywords.lengths {
            for (keyword, len) in [("minLength", rules.min_len), ("maxLength", rules.max_len)] {
                if let Some(len) = len {
                    draft.schema.set(keyword, Json::raw(len));
                }
            }
        } else if rules.min_len.is_some() || rules.max_len.is_some() {
            let words = prompts::sentence(&prompts::string_length(rules));
            self.say(&mut draft, "length", words);
        }
        if let Some(pattern) = &rules.pattern {
            if keywords.pattern {
                draft.schema.set("pattern", Json::string(pattern.source()));
            } else {
                let words = format!("Matches /{}/.", pattern.source());
                self.say(&mut draft, "pattern", words);
            }
        }
        draft
    }

    pub(super) fn enumeration(&mut self, values: &[EnumValue], plan: &mut PlanNode) -> Draft {
        let as_strings = self.profile.enums == EnumForm::Strings;
        let mut written = Vec::with_capacity(values.len());
        for known in values {
            let json = known.value.to_json();
            written.push(match &known.value {
                Literal::String(text) => {
                    self.sizes.value(text);
                    Json::string(text)
                }
                _ if as_strings => {
                    self.sizes.value(&json);
                    plan.values.push((json.clone(), json.clone()));
                    Json::string(&json)
                }
                _ => {
                    self.sizes.value(&json);
                    Json::raw(&json)
                }
            });
        }
        let mut draft = Draft::from(match common_type(values, as_strings) {
            Some(name) => Schema::typed(name),
            None => Schema::default(),
        });
        match (written.as_slice(), self.profile.constant) {
            ([only], ConstantForm::Const) => draft.schema.set("const", only.clone()),
            _ => draft.schema.set("enum", Json::Array(written)),
        }
        draft.words.extend(values.iter().filter_map(meaning));
        draft
    }
}

/// What one value of an enumeration means.
fn meaning(known: &EnumValue) -> Option<String> {
    let description = known.description.as_deref()?;
    let value = match &known.value {
        Literal::String(text) => text.clone(),
        other => other.to_json(),
    };
    Some(format!("{value}: {description}"))
}

fn common_type(values: &[EnumValue], as_strings: bool) -> Option<&'static str> {
    if as_strings {
        return Some("string");
    }
    let name = |literal: &Literal| match literal {
        Literal::Null => Some("null"),
        Literal::Bool(_) => Some("boolean"),
        Literal::Integer(_) => Some("integer"),
        Literal::String(_) => Some("string"),
        Literal::Json(_) => None,
    };
    let first = name(&values.first()?.value)?;
    values.iter().all(|known| name(&known.value) == Some(first)).then_some(first)
}

/// A float as JSON writes it.
#[derive(Clone, Copy)]
struct Finite(f64);

impl std::fmt::Display for Finite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

//! Numbers and strings.

use super::LossKind;
use super::emit::{Draft, Emitter};
use super::schema::{Json, Schema};
use crate::format::known_format;
use crate::profile::TypeBounds;
use crate::prompts;
use crate::shape::{Bounds, Int, Integer, Number, StringRules};

impl Emitter<'_> {
    pub(super) fn integer(&mut self, rules: &Integer) -> Draft {
        let mut draft = Draft::from(Schema::typed("integer"));
        let mut bounds = rules.bounds;
        if let Some((min, max)) = rules.range {
            bounds.min = bounds.min.max(Some(min).filter(|min| self.says_type_bound(*min)));
            let max = Some(max).filter(|max| self.says_type_bound(*max));
            bounds.max = match (bounds.max, max) {
                (Some(bound), Some(max)) => Some(bound.min(max)),
                (bound, max) => bound.or(max),
            };
        }
        self.bounds(&mut draft, &bounds);
        let excluded = bounds.min.is_some_and(|min| min > Int::ZERO) || bounds.max.is_some_and(|max| max < Int::ZERO);
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

    /// Whether a bound that comes from the width of an integer type is said, by keyword or in words.
    fn says_type_bound(&self, bound: Int) -> bool {
        let keywords = &self.profile.keywords;
        match (keywords.bounds, keywords.type_bounds) {
            (true, TypeBounds::All) => true,
            (true, TypeBounds::Small) => bound.magnitude() < 1 << 53,
            _ => bound.magnitude() <= u128::from(u32::MAX),
        }
    }

    pub(super) fn number(&mut self, rules: &Number) -> Draft {
        let mut draft = Draft::from(Schema::typed("number"));
        let mut bounds = rules.bounds;
        if rules.single && self.profile.keywords.type_bounds == TypeBounds::All {
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
}

/// A float as JSON writes it.
#[derive(Clone, Copy)]
struct Finite(f64);

impl std::fmt::Display for Finite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

//! The validator's errors as issues.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

use crate::issue::{Code, Issue};
use crate::prompts;

/// The issues of one error: one, or one for each property that may not be there.
pub(super) fn issues_of(error: &ValidationError<'_>, out: &mut Vec<Issue>) {
    let path = error.instance_path().as_str();
    let found = || prompts::cut(&error.instance().to_string());
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            out.push(Issue {
                path: below(path, name),
                code: Code::Missing,
                expected: "a value".to_owned(),
                found: prompts::NOTHING.to_owned(),
                hint: None,
            });
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            out.extend(unexpected.iter().map(|name| Issue {
                path: below(path, name),
                code: Code::UnknownProperty,
                expected: prompts::expected_in_general(Code::UnknownProperty),
                found: prompts::quoted(name),
                hint: None,
            }));
        }
        ValidationErrorKind::PropertyNames { error } => {
            let name = error.instance().as_str().unwrap_or_default();
            out.push(Issue {
                path: below(path, name),
                code: Code::Value,
                expected: prompts::property_name(&expected(error)),
                found: prompts::quoted(name),
                hint: None,
            });
        }
        kind => out.push(Issue {
            path: path.to_owned(),
            code: code_of(kind, error.instance()),
            expected: expected(error),
            found: found(),
            hint: None,
        }),
    }
}

fn below(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn code_of(kind: &ValidationErrorKind, instance: &Value) -> Code {
    use ValidationErrorKind as Kind;
    match kind {
        Kind::Type { .. } if instance.is_null() => Code::Null,
        Kind::Type { .. } => Code::Type,
        Kind::Enum { .. } | Kind::Constant { .. } => Code::Enum,
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => Code::Branch,
        Kind::Minimum { .. }
        | Kind::Maximum { .. }
        | Kind::ExclusiveMinimum { .. }
        | Kind::ExclusiveMaximum { .. }
        | Kind::MultipleOf { .. } => Code::Range,
        Kind::MinLength { .. } | Kind::MaxLength { .. } => Code::Length,
        Kind::Pattern { .. } => Code::Pattern,
        Kind::Format { .. } => Code::Format,
        Kind::MinItems { .. }
        | Kind::MaxItems { .. }
        | Kind::AdditionalItems { .. }
        | Kind::UnevaluatedItems { .. } => Code::Items,
        Kind::UniqueItems => Code::Unique,
        _ => Code::Value,
    }
}

/// What should stand there, in words.
fn expected(error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Kind;
    let count = |count: u64, noun: &str, most: bool| {
        let (min, max) = if most { (None, Some(count)) } else { (Some(count), None) };
        prompts::count_words(min, max, noun).trim_start_matches(" of ").to_owned()
    };
    match error.kind() {
        Kind::Type { kind } => types(kind),
        Kind::Enum { options } => match options.as_array() {
            Some(values) => prompts::one_of_values(values),
            None => prompts::expected_in_general(Code::Enum),
        },
        Kind::Constant { expected_value } => prompts::cut(&expected_value.to_string()),
        Kind::Minimum { limit } => format!("at least {limit}"),
        Kind::Maximum { limit } => format!("at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("above {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("below {limit}"),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::MinLength { limit } => count(*limit, "character", false),
        Kind::MaxLength { limit } => count(*limit, "character", true),
        Kind::MinItems { limit } => count(*limit, "item", false),
        Kind::MaxItems { limit } => count(*limit, "item", true),
        Kind::Pattern { pattern } => format!("a string matching /{pattern}/"),
        Kind::UniqueItems => prompts::DIFFERENT.to_owned(),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => prompts::expected_in_general(Code::Branch),
        Kind::OneOfMultipleValid { .. } => prompts::ONE_BRANCH.to_owned(),
        Kind::FalseSchema => prompts::NOTHING_HERE.to_owned(),
        kind => prompts::keyword(kind.keyword()),
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(single) => prompts::type_name(&single.to_string()),
        TypeKind::Multiple(types) => {
            let names: Vec<_> = types.iter().map(|name| prompts::type_name(&name.to_string())).collect();
            names.join(", or ")
        }
    }
}

//! OpenAI: structured outputs, and functions that are not strict.
//!
//! Sources, read on 2026-11-30:
//! - the guide <https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas>, through excerpts;
//! - the schema check of OpenAI's own Java library, `JsonSchemaValidator.kt` at commit 24964646;
//! - refusals that users reported, each named at its rule.

use std::borrow::Cow;

use outrigger_contract::{
    AnyForm, ConstantForm, EnumForm, Keywords, LongEnum, NameRule, NullForm, OptionalForm, ReferenceForm, SchemaLimits,
    SchemaProfile, TupleForm, TypeBounds,
};

/// The formats OpenAI knows. `uri` is refused: <https://github.com/cyanheads/git-mcp-server/issues/47> (2026-05-06),
/// <https://github.com/can1357/oh-my-pi/issues/206> (2026-02-28).
pub const FORMATS: [&str; 9] = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// Names of functions: `[a-zA-Z0-9_-]`, at most 64 characters, as the API's own types say (openai-python 3.57.0,
/// `function_definition.py`, read on 2026-11-30). Dots are refused: xagent #1342.
const TOOL_NAMES: NameRule = NameRule {
    first: Cow::Borrowed("_-"),
    later: Cow::Borrowed("_-"),
    first_digit: true,
    max_len: Some(64),
    any: false,
};

/// Strict functions of current models.
#[must_use]
pub fn strict() -> SchemaProfile {
    SchemaProfile {
        name: Cow::Borrowed("openai strict"),
        strict: true,
        relaxed: Some(Box::new(plain())),
        // «All fields must be required»; an optional one is a union with null (guide). The refusal:
        // <https://github.com/ash-project/ash_ai/issues/155> (2025-12-21).
        optional: OptionalForm::RequiredOrNull,
        null: NullForm::TypeArray,
        optional_also_null: true,
        // Not refused, but one form serves every provider.
        constant: ConstantForm::OneValueEnum,
        // A schema has exactly one of `type`, `anyOf` and `$ref` (JsonSchemaValidator.kt), so values without a common
        // type need one enumeration a type.
        enums: EnumForm::Scalars,
        exact_case: true,
        // Nothing may stand beside `$ref`: <https://github.com/vectorize-io/hindsight/pull/3944> (2026-08-31),
        // <https://github.com/defog-ai/defog/pull/244> (2026-03-13). Recursion is supported (guide).
        references: ReferenceForm::BareDefs,
        recursion: true,
        // `prefixItems` is no supported keyword, and an array without `items` is refused:
        // <https://github.com/LionSR/TeXRA/pull/2323> (2026-01-20).
        tuples: TupleForm::AnyOfItems,
        // «additionalProperties: false must always be set in objects» (guide).
        closed_keyword: true,
        close_unstated: true,
        maps: false,
        any: AnyForm::Unsayable,
        // «Root objects must not be anyOf and must be an object» (guide); the refusal:
        // <https://github.com/nspady/google-calendar-mcp/issues/39> (2025-06-01).
        root_union: false,
        union_siblings: true,
        // «Objects provided via 'anyOf' must not share identical first keys», in a secondary place:
        // <https://zenn.dev/nicopin/scraps/a8d8f53f5faebb>. Later models may be more lenient.
        distinct_branches: true,
        keywords: KEYWORDS_STRICT,
        formats: Some(FORMATS.map(Cow::Borrowed).into()),
        names: NameRule::ANY,
        tool_names: TOOL_NAMES,
        // 5000 properties, 10 levels, 1000 values, 120,000 characters, and 15,000 for an enumeration of more than 250
        // values (guide). Levels are counted as JsonSchemaValidator.kt counts them.
        limits: SchemaLimits {
            depth: Some(10),
            properties: Some(5000),
            enum_values: Some(1000),
            text: Some(120_000),
            long_enum: Some(LongEnum { above: 250, text: 15_000 }),
            inlined: None,
        },
        budget: None,
    }
}

/// Strict functions of older models, and of servers that copied their limits: 5 levels, 100 properties, 500 values,
/// 15,000 characters (JsonSchemaValidator.kt; the refusal: <https://github.com/tidyverse/ellmer/issues/671>).
#[must_use]
pub fn strict_older() -> SchemaProfile {
    SchemaProfile {
        name: Cow::Borrowed("openai strict, older models"),
        limits: SchemaLimits {
            depth: Some(5),
            properties: Some(100),
            enum_values: Some(500),
            text: Some(15_000),
            long_enum: Some(LongEnum { above: 250, text: 7_500 }),
            inlined: None,
        },
        ..strict()
    }
}

/// Functions that are not strict: the canonical schema without what is refused even so.
#[must_use]
pub fn plain() -> SchemaProfile {
    SchemaProfile {
        name: Cow::Borrowed("openai plain"),
        // Refused without `strict` too: <https://github.com/nspady/google-calendar-mcp/issues/39> (2025-06-01).
        root_union: false,
        // <https://github.com/LionSR/TeXRA/pull/2323> (2026-01-20).
        tuples: TupleForm::AnyOfItems,
        // The Responses API makes strict what does not say that it is not, so the list is kept to.
        formats: Some(FORMATS.map(Cow::Borrowed).into()),
        references: ReferenceForm::BareDefs,
        close_unstated: true,
        keywords: Keywords { not: false, type_bounds: TypeBounds::Small, ..Keywords::ALL },
        tool_names: TOOL_NAMES,
        ..SchemaProfile::canonical()
    }
}

/// `multipleOf`, the four bounds, `pattern`, `format`, `minItems` and `maxItems` are supported (guide). `default`:
/// «'default' is not permitted» (<https://zenn.dev/nicopin/scraps/a8d8f53f5faebb>). Lengths, `uniqueItems`, property
/// counts and `not` are not on the list.
const KEYWORDS_STRICT: Keywords = Keywords {
    bounds: true,
    type_bounds: TypeBounds::Small,
    exclusive_bounds: true,
    multiple_of: true,
    pattern: true,
    min_items_up_to: u64::MAX,
    max_items: true,
    ..Keywords::NONE
};

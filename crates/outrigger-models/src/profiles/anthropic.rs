//! Anthropic: tools, strict within a budget.
//!
//! Sources, read on 2026-11-30:
//! - the schema transformation of Anthropic's own Python library, anthropic 2.14.0, `lib/_parse/_transform.py`;
//! - refusals that users reported, each named at its rule.

use std::borrow::Cow;

use outrigger_contract::{
    AnyForm, EnumForm, Keywords, NameRule, OptionalForm, SchemaLimits, SchemaProfile, StrictBudget, TupleForm,
};

/// The string formats that the library keeps (`_transform.py`).
pub const FORMATS: [&str; 10] =
    ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

/// «Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'»:
/// <https://github.com/anthropics/claude-code/issues/79418> (2026-07-20).
const NAMES: NameRule = NameRule {
    first: Cow::Borrowed("_.-"),
    later: Cow::Borrowed("_.-"),
    first_digit: true,
    max_len: Some(64),
    any: false,
};

/// `^[a-zA-Z0-9_-]{1,128}$` (github/copilot-cli #1879), but older deployments hold names to 64 characters
/// (microsoft/vscode #243602).
const TOOL_NAMES: NameRule = NameRule {
    first: Cow::Borrowed("_-"),
    later: Cow::Borrowed("_-"),
    first_digit: true,
    max_len: Some(64),
    any: false,
};

/// Strict tools, of which a request has only so many.
#[must_use]
pub fn strict() -> SchemaProfile {
    SchemaProfile {
        name: Cow::Borrowed("anthropic strict"),
        strict: true,
        relaxed: Some(Box::new(plain())),
        // Optional properties are left out of `required`, which spends the budget for optional properties and not the
        // scarcer one for unions.
        optional: OptionalForm::NotRequired,
        optional_also_null: false,
        // «Enum members must be scalars»: complex ones are refused (`_transform.py`).
        enums: EnumForm::Scalars,
        // The case of a value is not guaranteed (documentation of structured outputs, excerpt).
        exact_case: false,
        // «Circular reference detected in schema definitions»:
        // <https://github.com/egonSchiele/agency-lang/issues/487> (2026-07-10).
        recursion: false,
        // Not among the keywords that are kept (`_transform.py`).
        tuples: TupleForm::Unsayable,
        // «additionalProperties must be explicitly set to false» (`_transform.py` sets it on every object).
        closed_keyword: true,
        maps: false,
        any: AnyForm::Unsayable,
        // «For 'integer' type, properties maximum, minimum are not supported»:
        // <https://github.com/earendil-works/pi/issues/9953> (2026-09-23). «For 'array' type, property 'maxItems' is
        // not supported»: <https://github.com/agentjido/req_llm/pull/706> (2026-05-19); `minItems` may be 0 or 1
        // (`_transform.py`; <https://github.com/laravel/ai/issues/715>, 2026-06-16).
        keywords: Keywords { min_items_up_to: 1, ..Keywords::NONE },
        formats: Some(FORMATS.map(Cow::Borrowed).into()),
        limits: SchemaLimits::default(),
        // 20 strict tools, 24 optional parameters, 16 parameters with union types a request; the refusals:
        // <https://github.com/elizaOS/eliza/issues/16499> (2026-07-16),
        // <https://github.com/elie222/inbox-zero/issues/2323> (2026-04-20),
        // <https://github.com/mozilla/bugbug/pull/6129> (2026-06-04). There is a limit of the compiled grammar's size
        // besides, which nobody has written down: <https://github.com/alphaXiv/agents/pull/49> (2026-08-04).
        budget: Some(StrictBudget { tools: 20, optional: 24, unions: 16 }),
        ..plain()
    }
}

/// Tools that are not strict: the canonical schema, but for the root and the names.
#[must_use]
pub fn plain() -> SchemaProfile {
    SchemaProfile {
        name: Cow::Borrowed("anthropic plain"),
        // «input_schema does not support oneOf, allOf, or anyOf at the top level»:
        // <https://github.com/dearlordylord/huly-mcp/issues/66> (2026-05-26).
        root_union: false,
        close_unstated: true,
        names: NAMES,
        tool_names: TOOL_NAMES,
        ..SchemaProfile::canonical()
    }
}

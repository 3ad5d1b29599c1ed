//! Gemini: function declarations with `parameters`, the subset of OpenAPI 3.0 that every endpoint takes.
//!
//! Sources, read on 2026-11-30:
//! - the types of Google's own Python library, google-genai 3.6.1, `types.py` (`Schema`, `FunctionDeclaration`);
//! - refusals that users reported, each named at its rule.

use std::borrow::Cow;

use outrigger_contract::{
    AnyForm, ConstantForm, EnumForm, Keywords, NameRule, NullForm, OptionalForm, ReferenceForm, SchemaLimits,
    SchemaProfile, TupleForm, TypeBounds,
};

/// Names of parameters: a letter or `_`, then letters, digits and `_`, at most 64 (`types.py`).
const NAMES: NameRule = NameRule {
    first: Cow::Borrowed("_"),
    later: Cow::Borrowed("_"),
    first_digit: false,
    max_len: Some(64),
    any: false,
};

/// Names of functions: a letter or `_`, then also dots, colons and dashes (`types.py`); 128 characters there, 64 in the
/// older documentation of Vertex AI.
const TOOL_NAMES: NameRule = NameRule {
    first: Cow::Borrowed("_"),
    later: Cow::Borrowed("_.:-"),
    first_digit: false,
    max_len: Some(64),
    any: false,
};

/// Function declarations.
#[must_use]
pub fn functions() -> SchemaProfile {
    SchemaProfile {
        name: Cow::Borrowed("gemini"),
        strict: false,
        relaxed: None,
        optional: OptionalForm::NotRequired,
        // «Proto field is not repeating, cannot start list» for an array of types:
        // <https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099> (2026-09-06).
        null: NullForm::NullableKeyword,
        optional_also_null: false,
        // «Unknown name "const"»: <https://github.com/zed-industries/zed/issues/44875> (2025-12-15).
        constant: ConstantForm::OneValueEnum,
        // «Invalid value at …enum[0] (TYPE_STRING), 0»: <https://github.com/microsoft/azure-devops-mcp/issues/139>;
        // «enum[1]: cannot be empty»: <https://github.com/Bobsilvio/ha-claude/pull/32> (2026-03-19).
        enums: EnumForm::Strings,
        exact_case: true,
        // There is no `$ref` in that subset.
        references: ReferenceForm::Inline { levels: 1 },
        recursion: true,
        tuples: TupleForm::AnyOfItems,
        // «Unknown name "additionalProperties"»: <https://github.com/musistudio/claude-code-router/issues/187>
        // (2025-07-15).
        closed_keyword: false,
        close_unstated: true,
        maps: false,
        // A schema without a type is refused by Gemini 3:
        // <https://github.com/UKGovernmentBEIS/inspect_ai/pull/3097> (2026-01-22).
        any: AnyForm::AllTypes,
        // «parameters schema should be of type OBJECT»: <https://github.com/diegosouzapw/OmniRoute/pull/3360>
        // (2026-06-07).
        root_union: false,
        // «When using any_of, it must be the only field set»: <https://github.com/anomalyco/opencode/issues/15795>
        // (2026-03-03).
        union_siblings: false,
        distinct_branches: false,
        // `Schema` in `types.py` has these; `uniqueItems`, `multipleOf` and `not` it has not. «Unknown name
        // "exclusiveMinimum"»: <https://github.com/ahmadrosid/nakama/issues/292> (2026-08-17). `default` is there, but
        // remembered as refused by the Developer API.
        keywords: Keywords {
            bounds: true,
            type_bounds: TypeBounds::Small,
            lengths: true,
            pattern: true,
            min_items_up_to: u64::MAX,
            max_items: true,
            property_counts: true,
            ..Keywords::NONE
        },
        // «only 'enum' and 'date-time' are supported for STRING type»:
        // <https://github.com/google-gemini/gemini-cli/issues/3178> (2025-07-03).
        formats: Some(vec![Cow::Borrowed("date-time")]),
        names: NAMES,
        tool_names: TOOL_NAMES,
        // No limit is published; this one keeps definitions that refer to each other from growing without end.
        limits: SchemaLimits { inlined: Some(400), ..SchemaLimits::default() },
        budget: None,
    }
}

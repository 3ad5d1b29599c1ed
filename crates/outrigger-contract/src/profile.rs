//! Schema profiles: what one provider's schema dialect can say, as plain data.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// What one provider accepts in a tool's schema. The modules that know providers make these; the projection engine only
/// reads them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchemaProfile {
    /// Shown in reports and losses.
    pub name: Cow<'static, str>,
    /// Whether the provider is asked to hold the model to the schema. A shape that such a profile cannot say is sent by
    /// `relaxed` instead.
    pub strict: bool,
    /// The profile for what this one cannot say strictly; without it the offending node is opened up.
    pub relaxed: Option<Box<SchemaProfile>>,
    /// How an optional property is written.
    pub optional: OptionalForm,
    /// How a value that may be `null` is written.
    pub null: NullForm,
    /// Whether an optional property whose value may be `null`, meaning the same as absence, says so. The binder takes
    /// `null` there in any case.
    pub optional_also_null: bool,
    /// How a single value is written.
    pub constant: ConstantForm,
    /// Which values an enumeration may hold.
    pub enums: EnumForm,
    /// Whether the provider keeps the case of enumeration values. Where it does not, a tool with values that differ
    /// only in case is not strict.
    pub exact_case: bool,
    /// How definitions are written, which native shapes have for recursive types only.
    pub references: ReferenceForm,
    /// Whether a definition may contain itself.
    pub recursion: bool,
    /// How a tuple is written.
    pub tuples: TupleForm,
    /// Whether `additionalProperties: false` is written on closed objects.
    pub closed_keyword: bool,
    /// Whether an object of a foreign schema that says nothing about undeclared properties is sent as if it were
    /// closed. It is open all the same when arguments are held against the schema.
    pub close_unstated: bool,
    /// Whether objects with schema-valued `additionalProperties` can be said.
    pub maps: bool,
    /// How a value of any type is written.
    pub any: AnyForm,
    /// Whether a union may stand at the root. Where it may not, its branches are sent as one object.
    pub root_union: bool,
    /// Whether a node with `anyOf` may have a description beside it. Where not, the first branch has it.
    pub union_siblings: bool,
    /// Whether the branches of a union must begin with different properties, or with a tag of different values.
    pub distinct_branches: bool,
    /// The keywords that may be written; what the others would say goes to the description.
    pub keywords: Keywords,
    /// Which `format` values may be written; `None` allows all.
    pub formats: Option<Vec<Cow<'static, str>>>,
    /// What property names look like.
    pub names: NameRule,
    /// What tool names look like.
    pub tool_names: NameRule,
    /// Sizes beyond which the shape cannot be said.
    pub limits: SchemaLimits,
    /// What the strict tools of one request may have together; `None` does not bind.
    pub budget: Option<StrictBudget>,
}

/// How an optional property is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OptionalForm {
    /// It is left out of `required`.
    NotRequired,
    /// It is required and may be `null`, which means absent.
    RequiredOrNull,
}

/// How a value that may be `null` is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NullForm {
    /// `"type": ["string", "null"]`, or `anyOf` where there is no single type.
    TypeArray,
    /// Always `anyOf` with `{"type": "null"}`.
    AnyOf,
    /// `"nullable": true`.
    NullableKeyword,
}

/// How a single value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstantForm {
    /// `const`.
    Const,
    /// `enum` with one value.
    OneValueEnum,
}

/// Which values an enumeration may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnumForm {
    /// Any JSON values.
    Any,
    /// Strings that are not empty; other values are written as strings and bound back.
    Strings,
    /// Scalars; all values of one enumeration that have no common type are written as one enumeration a type.
    Scalars,
}

/// How a value of any type is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnyForm {
    /// As a schema that says nothing.
    Untyped,
    /// As a union of all types.
    AllTypes,
    /// Not at all.
    Unsayable,
}

/// How definitions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceForm {
    /// `$ref` into `$defs`, with the description beside it.
    Defs,
    /// `$ref` into `$defs`, alone: what belongs beside it goes around it, in an `anyOf` of one.
    BareDefs,
    /// Written out at each use, and cut at this many levels of the same type.
    Inline {
        /// Levels of one type inside itself.
        levels: u32,
    },
}

/// How a tuple is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TupleForm {
    /// `prefixItems` and `items: false`.
    PrefixItems,
    /// `items` that fit any position, with the length fixed; the order is said in the description.
    AnyOfItems,
    /// Not at all.
    Unsayable,
}

/// Keywords that may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keywords {
    /// `default`.
    pub default: bool,
    /// `examples`.
    pub examples: bool,
    /// `minimum` and `maximum`.
    pub bounds: bool,
    /// Which of the bounds that come from a type's width alone, such as those of `u8`.
    pub type_bounds: TypeBounds,
    /// `exclusiveMinimum` and `exclusiveMaximum`.
    pub exclusive_bounds: bool,
    /// `multipleOf`.
    pub multiple_of: bool,
    /// `minLength` and `maxLength`.
    pub lengths: bool,
    /// `pattern`.
    pub pattern: bool,
    /// `minItems`, up to this value.
    pub min_items_up_to: u64,
    /// `maxItems`.
    pub max_items: bool,
    /// `uniqueItems`.
    pub unique: bool,
    /// `minProperties` and `maxProperties`.
    pub property_counts: bool,
    /// `not`.
    pub not: bool,
}

/// Which of the bounds that come from a type's width are written as `minimum` and `maximum`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TypeBounds {
    /// All.
    All,
    /// Those within 2^53, which every reader of JSON keeps exactly.
    Small,
    /// None. Those of small types are said in words.
    None,
}

impl Keywords {
    /// Every keyword.
    pub const ALL: Self = Self {
        default: true,
        examples: true,
        bounds: true,
        type_bounds: TypeBounds::All,
        exclusive_bounds: true,
        multiple_of: true,
        lengths: true,
        pattern: true,
        min_items_up_to: u64::MAX,
        max_items: true,
        unique: true,
        property_counts: true,
        not: true,
    };

    /// No keyword.
    pub const NONE: Self = Self {
        default: false,
        examples: false,
        bounds: false,
        type_bounds: TypeBounds::None,
        exclusive_bounds: false,
        multiple_of: false,
        lengths: false,
        pattern: false,
        min_items_up_to: 0,
        max_items: false,
        unique: false,
        property_counts: false,
        not: false,
    };
}

/// What names look like: a first character, further characters, a length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameRule {
    /// ASCII punctuation that may come first, besides letters.
    pub first: Cow<'static, str>,
    /// ASCII punctuation that may come later, besides letters and digits.
    pub later: Cow<'static, str>,
    /// Whether a digit may come first.
    pub first_digit: bool,
    /// Most characters; `None` with empty sets allows every name.
    pub max_len: Option<u32>,
    /// Whether every name is allowed, whatever the other fields say.
    pub any: bool,
}

impl NameRule {
    /// Every name is allowed.
    pub const ANY: Self =
        Self { first: Cow::Borrowed(""), later: Cow::Borrowed(""), first_digit: true, max_len: None, any: true };
}

/// Sizes beyond which a profile cannot say a shape; an absent limit does not bind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaLimits {
    /// Schemas inside each other below the root: a property, an item and a branch are one level each.
    pub depth: Option<u32>,
    /// Properties of all objects together.
    pub properties: Option<u32>,
    /// Values of all enumerations together.
    pub enum_values: Option<u32>,
    /// Characters of all names of properties and definitions and of all enumeration values together.
    pub text: Option<u32>,
    /// How much text an enumeration of many values may have.
    pub long_enum: Option<LongEnum>,
    /// Schemas that may be written before references are no longer written out at their place of use.
    pub inlined: Option<u32>,
}

/// A limit for enumerations of many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongEnum {
    /// With more values than these, the enumeration is a long one.
    pub above: u32,
    /// Most characters of all values of a long one.
    pub text: u32,
}

/// What the strict tools of one request may have together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrictBudget {
    /// Strict tools.
    pub tools: u32,
    /// Properties that are not required.
    pub optional: u32,
    /// Properties with a union type.
    pub unions: u32,
}

impl SchemaProfile {
    /// JSON Schema 2020-12 with everything it can say: what the binder accepts, exactly. An MCP server publishes it too.
    #[must_use]
    pub fn canonical() -> Self {
        Self {
            name: Cow::Borrowed("canonical"),
            strict: false,
            relaxed: None,
            optional: OptionalForm::NotRequired,
            null: NullForm::TypeArray,
            optional_also_null: true,
            constant: ConstantForm::Const,
            enums: EnumForm::Any,
            exact_case: true,
            references: ReferenceForm::Defs,
            recursion: true,
            tuples: TupleForm::PrefixItems,
            closed_keyword: true,
            close_unstated: false,
            maps: true,
            any: AnyForm::Untyped,
            root_union: true,
            union_siblings: true,
            distinct_branches: false,
            keywords: Keywords::ALL,
            formats: None,
            names: NameRule::ANY,
            tool_names: NameRule::ANY,
            limits: SchemaLimits::default(),
            budget: None,
        }
    }
}

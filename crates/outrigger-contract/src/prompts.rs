//! Every text that a model reads about its arguments. They are short and stable, and snapshots hold them.

#[cfg(feature = "foreign")]
mod foreign;
mod refusal;
mod words;

#[cfg(feature = "foreign")]
pub(crate) use foreign::{NOTHING_HERE, ONE_BRANCH, keyword, needs_one_of, one_of_values, property_name, type_name};
pub(crate) use refusal::{refusal, refusal_with_schema};
pub(crate) use words::{
    Words, array_words, count_words, integer_words, matching, number_words, one_of, property_count, string_length,
    tuple_words,
};

use crate::{Code, Issue};

pub(crate) const NOTHING: &str = "nothing";
pub(crate) const LEAVE_OUT: &str = "leave the property out";
pub(crate) const NO_FRACTION: &str = "round it to a whole number";
pub(crate) const NOT_AS_STRING: &str = "send the JSON value itself, not a string that holds it";
pub(crate) const IN_BRACKETS: &str = "put it in an array: [...]";
pub(crate) const WELL_FORMED: &str = "whole Unicode characters";
pub(crate) const ONCE: &str = "each property once";
pub(crate) const DIFFERENT: &str = "items that all differ";

/// Characters of a document that an issue repeats at most.
const FOUND_CHARS: usize = 80;

/// JSON text cut to what an issue may repeat, at a character boundary.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(FOUND_CHARS) {
        None => text.to_owned(),
        Some(_) => text.chars().take(FOUND_CHARS - 1).chain(['…']).collect(),
    }
}

/// A name as JSON text, cut likewise.
pub(crate) fn quoted(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    push_quoted(&mut out, name);
    out
}

fn push_quoted(out: &mut String, name: &str) {
    let plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if name.len() + 2 <= FOUND_CHARS && name.bytes().all(plain) {
        out.extend(["\"", name, "\""]);
        return;
    }
    let mut json = crate::writer::Writer::default();
    json.string(name);
    out.push_str(&cut(&json.finish()));
}

/// Words as a sentence of a description.
pub(crate) fn sentence(words: &str) -> String {
    let mut chars = words.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).chain(['.']).collect()
}

/// One form of an object that has several.
pub(crate) fn form(name: &str, needs: &[&str], may: &[&str]) -> String {
    let needs = if needs.is_empty() { "nothing".to_owned() } else { needs.join(", ") };
    let may = if may.is_empty() { String::new() } else { format!(", may have {}", may.join(", ")) };
    format!("Form {name}: needs {needs}{may}.")
}

pub(crate) fn did_you_mean(name: &str) -> String {
    let mut hint = String::with_capacity(name.len() + 16);
    hint.push_str("did you mean ");
    push_quoted(&mut hint, name);
    hint.push('?');
    hint
}

pub(crate) fn would_fit(branch: &str) -> String {
    format!("the other properties fit {}", quoted(branch))
}

pub(crate) fn belongs_to(branch: &str) -> String {
    format!("it belongs to {}", quoted(branch))
}

pub(crate) fn without_content(branch: &str) -> String {
    format!("{} stands alone", quoted(branch))
}

/// The branch that comes nearest, and what keeps it from fitting.
pub(crate) fn nearest_branch(branch: &str, issue: Option<&Issue>) -> String {
    match issue {
        Some(issue) => format!(
            "nearest is {}, but at {}: expected {}, found {}",
            quoted(branch),
            refusal::place(&issue.path),
            issue.expected,
            issue.found
        ),
        None => format!("nearest is {}", quoted(branch)),
    }
}

pub(crate) fn without_quotes(text: &str) -> String {
    format!("write {} without quotes", cut(text))
}

pub(crate) fn with_quotes(token: &str) -> String {
    format!("write {} in quotes", quoted(token))
}

pub(crate) fn write_as(expected: &str) -> String {
    format!("write {expected}")
}

pub(crate) fn has_characters(count: u64) -> String {
    match count {
        1 => "it has 1 character".to_owned(),
        _ => format!("it has {count} characters"),
    }
}

pub(crate) fn items(count: u64) -> String {
    match count {
        1 => "1 item".to_owned(),
        _ => format!("{count} items"),
    }
}

pub(crate) fn one_of_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    words::alternatives("one of ", names)
}

pub(crate) fn one_of_properties<'a>(names: impl Iterator<Item = &'a str>, tag: Option<&'a str>) -> String {
    let mut names = tag.into_iter().chain(names).peekable();
    let Some(first) = names.next() else {
        return "no properties".to_owned();
    };
    let prefix = match names.peek() {
        None => "only the property ",
        Some(_) => "only the properties ",
    };
    words::alternatives(prefix, [first].into_iter().chain(names))
}

pub(crate) fn too_large(text: &str, limit: usize) -> Issue {
    Issue {
        path: String::new(),
        code: Code::TooLarge,
        expected: format!("at most {limit} bytes"),
        found: format!("{} bytes", text.len()),
        hint: Some("send less at once".to_owned()),
    }
}

pub(crate) fn too_deep(text: &str, at: usize, limit: u32) -> Issue {
    Issue {
        path: String::new(),
        code: Code::TooDeep,
        expected: format!("at most {limit} levels of arrays and objects"),
        found: cut(text.get(at..).unwrap_or_default()),
        hint: None,
    }
}

/// Nested so that holding it against its schema would take too long.
pub(crate) fn too_entangled(text: &str) -> Issue {
    Issue {
        path: String::new(),
        code: Code::TooDeep,
        expected: "fewer levels inside each other".to_owned(),
        found: cut(text),
        hint: Some("send less at once".to_owned()),
    }
}

pub(crate) fn not_json(text: &str, at: usize) -> Issue {
    let rest = text.get(at..).unwrap_or_default().trim_ascii_start();
    let hint = if rest.is_empty() {
        "the text ends too early"
    } else if ["NaN", "Infinity", "-Infinity", "nan", "inf"].iter().any(|word| rest.starts_with(word)) {
        "JSON has no NaN and no Infinity"
    } else if rest.starts_with('\'') {
        "strings stand in double quotes"
    } else if rest.starts_with(|c: char| c < ' ') {
        "escape control characters, such as \\n"
    } else {
        "the text stops being one JSON value here"
    };
    Issue {
        path: String::new(),
        code: Code::NotJson,
        expected: "one JSON object".to_owned(),
        found: if rest.is_empty() { NOTHING.to_owned() } else { cut(rest) },
        hint: Some(hint.to_owned()),
    }
}

/// What a code asks for where nothing more is known.
pub(crate) fn expected_in_general(code: Code) -> String {
    let text = match code {
        Code::NotJson => "one JSON object",
        Code::NotObject => "a JSON object",
        Code::TooLarge => "a shorter text",
        Code::TooDeep => "fewer levels",
        Code::DuplicateKey => ONCE,
        Code::UnknownProperty | Code::WrongCase => "only known properties",
        Code::Missing => "every required property",
        Code::Null => "no null",
        Code::Type => "a value of the right type",
        Code::Enum => "one of the listed values",
        Code::Branch => "one of the branches",
        Code::Range => "a number in range",
        Code::Length => "a string of the right length",
        Code::Pattern => "a string that matches its pattern",
        Code::Format => "a string in its format",
        Code::Items => "an array of the right length",
        Code::Unique => DIFFERENT,
        Code::Surrogate => WELL_FORMED,
        Code::Value => "a value the tool accepts",
    };
    text.to_owned()
}

//! The text of a refusal.

use crate::project::schema_part;
use crate::{BindError, Code, Issue, SchemaProfile, Shape};

/// All problems, one a line.
pub(crate) fn refusal(error: &BindError) -> String {
    let mut text = String::with_capacity(128 * (error.issues.len() + 1));
    text.push_str("The arguments do not fit, so nothing was run. Fix them and call again:");
    for issue in &error.issues {
        push_line(&mut text, issue);
    }
    if error.more {
        text.push_str("\n- and more");
    }
    text
}

/// The same, and the schema of the smallest part that holds all problems.
pub(crate) fn refusal_with_schema(error: &BindError, shape: &Shape, profile: &SchemaProfile) -> String {
    let (place_of_part, schema) = schema_part(shape, &common_path(&error.issues), profile);
    format!("{}\nThe schema of {}:\n{schema}", refusal(error), place(&place_of_part))
}

fn push_line(text: &mut String, issue: &Issue) {
    let Issue { path, code, expected, found, hint } = issue;
    let says = match code {
        Code::Missing => " is missing; expected ",
        Code::UnknownProperty => " is not a property; expected ",
        Code::WrongCase => " is misspelled; expected ",
        Code::DuplicateKey => " appears twice; expected ",
        _ => ": expected ",
    };
    text.extend(["\n- ", place(path), says, expected]);
    if says == ": expected " {
        text.extend([", found ", found]);
    }
    if let Some(hint) = hint {
        text.extend([" (", hint, ")"]);
    }
}

/// A path as it is shown; the root's empty pointer has no ink.
pub(super) fn place(path: &str) -> &str {
    if path.is_empty() { "the arguments" } else { path }
}

/// The pointer to the smallest part that holds every issue; for one that is missing, the part around it.
fn common_path(issues: &[Issue]) -> String {
    let mut paths = issues.iter().map(|issue| {
        let parent = issue.path.rsplit_once('/').map_or("", |(parent, _)| parent);
        match issue.code {
            Code::Missing | Code::UnknownProperty | Code::WrongCase | Code::DuplicateKey | Code::Branch => parent,
            _ => &issue.path,
        }
    });
    let first = paths.next().unwrap_or_default();
    let mut common: Vec<&str> = first.split('/').collect();
    for path in paths {
        let shared = common.iter().zip(path.split('/')).take_while(|(a, b)| **a == *b).count();
        common.truncate(shared);
    }
    common.join("/")
}

//! The text of a refusal.

use crate::project::schema_part;
use crate::{BindError, Code, Issue, SchemaProfile, Shape};

/// All problems, one a line.
pub(crate) fn refusal(error: &BindError) -> String {
    let mut text = String::from("The arguments do not fit, so nothing was run. Fix them and call again:");
    for issue in &error.issues {
        text.push_str("\n- ");
        text.push_str(&line(issue));
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

fn line(issue: &Issue) -> String {
    let Issue { path, code, expected, found, hint } = issue;
    let place = place(path);
    let mut line = match code {
        Code::Missing => format!("{place} is missing; expected {expected}"),
        Code::UnknownProperty => format!("{place} is not a property; expected {expected}"),
        Code::WrongCase => format!("{place} is misspelled; expected {expected}"),
        Code::DuplicateKey => format!("{place} appears twice; expected {expected}"),
        _ => format!("{place}: expected {expected}, found {found}"),
    };
    if let Some(hint) = hint {
        line.push_str(" (");
        line.push_str(hint);
        line.push(')');
    }
    line
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

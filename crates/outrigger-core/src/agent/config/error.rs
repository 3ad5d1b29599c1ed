//! What is wrong with a file, and where.

use std::fmt;

use outrigger_contract::{BindError, Code, Issue};
use serde::{Deserialize, Serialize};

use super::places::{Place, Places};

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigError {
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
    /// The value it is about, as a JSON Pointer; empty for the whole file.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub suggestion: Option<String>,
}

/// Everything that is wrong with a file, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigErrors {
    /// The errors; at least one.
    pub errors: Vec<ConfigError>,
}

impl ConfigErrors {
    /// In the order of the file.
    pub(super) fn sorted(mut errors: Vec<ConfigError>) -> Self {
        errors.sort_by_key(|error| (error.line, error.column));
        Self { errors }
    }
}

impl ConfigError {
    pub(super) fn new(place: Place, path: &str, message: impl Into<String>, suggestion: Option<String>) -> Self {
        let Place { line, column } = place;
        Self { line, column, path: path.to_owned(), message: message.into(), suggestion }
    }

    /// The errors of values under `base` that do not bind.
    pub(super) fn of_binding(error: &BindError, base: &str, places: &Places) -> Vec<Self> {
        let mut errors: Vec<Self> = error.issues.iter().map(|issue| Self::of_issue(issue, base, places)).collect();
        if let (true, Some(last)) = (error.more, errors.last_mut()) {
            last.message.push_str("; there is more after this");
        }
        errors
    }

    fn of_issue(issue: &Issue, base: &str, places: &Places) -> Self {
        let path = format!("{base}{}", issue.path);
        let place = match issue.code {
            Code::UnknownProperty | Code::WrongCase | Code::DuplicateKey => places.key(&path),
            _ => places.value(&path),
        };
        Self::new(place, &path, message(issue, &path), suggestion(issue, &path))
    }
}

/// Whether what stands there may be a secret, put there in clear by mistake.
fn may_be_secret(path: &str) -> bool {
    path.starts_with("/model/") && path.split('/').any(|step| matches!(step, "key" | "headers" | "proxy"))
}

/// What was found, as far as it may be shown.
fn shown<'a>(found: &'a str, path: &str) -> &'a str {
    let hidden = may_be_secret(path);
    match found.as_bytes().first() {
        Some(b'"') if hidden => "a string, which is not shown",
        Some(b'{') if hidden || path.starts_with("/model") => "an object",
        Some(b'[') if hidden || path.starts_with("/model") => "an array",
        _ if hidden => "another value",
        _ => found,
    }
}

fn message(issue: &Issue, at: &str) -> String {
    let Issue { path, code, expected, found, .. } = issue;
    let key = path.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
    match code {
        Code::Missing => format!("the key {key:?} is missing: expected {expected}"),
        Code::UnknownProperty | Code::WrongCase => format!("unknown key {key:?}"),
        _ => format!("expected {expected}, found {}", shown(found, at)),
    }
}

/// Where the binder has no near name, the names there are.
fn suggestion(issue: &Issue, at: &str) -> Option<String> {
    if at.ends_with("/key") && may_be_secret(at) {
        return Some("say where the key is: `{ env = … }`, `{ file = … }` or `{ command = […] }`".to_owned());
    }
    // A hint may repeat the value.
    let hint = issue
        .hint
        .as_ref()
        .filter(|_| !may_be_secret(at) || matches!(issue.code, Code::UnknownProperty | Code::WrongCase));
    hint.cloned().or_else(|| match issue.code {
        Code::UnknownProperty | Code::WrongCase => Some(format!("expected {}", issue.expected)),
        _ => None,
    })
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.line, self.column, self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(out, " ({suggestion})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            let line = if index == 0 { "" } else { "\n" };
            write!(out, "{line}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}
impl std::error::Error for ConfigErrors {}

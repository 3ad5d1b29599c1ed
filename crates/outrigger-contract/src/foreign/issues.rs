//! What is wrong with arguments, in the words of native tools where the shape can say it, and from the validator's
//! errors where it cannot.

mod map;
mod place;

use serde_json::Value;

use super::ForeignSchema;
use crate::diagnose;
use crate::issue::{BindError, Code, Issue, Limits};
use crate::plan::WirePlan;

use place::Places;

/// Errors of the validator that are looked at.
const ERRORS: usize = 64;

/// Every problem of a document that the validator refuses.
pub(super) fn collect(
    foreign: &ForeignSchema,
    document: &Value,
    text: &str,
    plan: &WirePlan,
    limits: &Limits,
) -> BindError {
    let walked = diagnose::check(&foreign.shape, text, plan, limits);
    let (mut issues, mut more) = match walked {
        Ok(()) => (Vec::new(), false),
        Err(error) => (error.issues, error.more),
    };
    let places = Places::new(&foreign.shape, plan, text, limits);
    if issues.iter().all(|issue| issue.code != Code::NotObject) {
        let mut found = Vec::new();
        for error in foreign.judge().errors(document).take(ERRORS) {
            map::issues_of(&error, &mut found);
        }
        for mut issue in found {
            issue.path = places.on_the_wire(&issue.path);
            if !is_known(&issues, &issue) {
                issues.push(issue);
            }
        }
    }
    issues.sort_by_key(|issue| places.order(&issue.path));
    if issues.len() > BindError::MAX_ISSUES {
        issues.truncate(BindError::MAX_ISSUES);
        more = true;
    }
    BindError { issues, more }
}

/// Whether something has been said about this place, or about a part of it that explains it.
fn is_known(issues: &[Issue], issue: &Issue) -> bool {
    issues.iter().any(|known| {
        let below = known.path.strip_prefix(&issue.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let composed = matches!(issue.code, Code::Branch | Code::Unique | Code::Value);
        known.path == issue.path || (composed && below)
    })
}

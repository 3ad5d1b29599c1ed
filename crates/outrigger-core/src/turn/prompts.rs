//! Text the model reads about how a turn treated its calls.

/// The turn was cancelled.
pub(crate) const CANCELLED: &str = "Cancelled before it ran.";

/// Permission was refused.
pub(crate) fn denied(reason: Option<&str>) -> String {
    match reason {
        Some(reason) => {
            format!("Denied: this tool needs permission, and {reason}. Do not call it again with the same arguments.")
        }
        None => "Denied: this tool needs permission, and it was refused. Do not call it again with the same arguments."
            .to_owned(),
    }
}

/// An output tool was called with arguments that fit.
pub(crate) const OUTPUT_ACCEPTED: &str = "Accepted.";

/// A call beside an output that ended the turn.
pub(crate) const OUTPUT_ENDED: &str = "Cancelled before it ran: the turn ended with its output.";

/// The model's answer was to be a value, and does not fit.
pub(crate) fn output_misfits(problem: &str) -> String {
    format!("Your answer was not accepted. Give the whole answer again, as one JSON value and nothing else. {problem}")
}

/// The model answered in text and owes an output.
pub(crate) fn output_wanted(tool: &str) -> String {
    format!(
        "Your answer was not recorded. Give it by calling the tool {tool:?}, with the whole answer as its arguments."
    )
}

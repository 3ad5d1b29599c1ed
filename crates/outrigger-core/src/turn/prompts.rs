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

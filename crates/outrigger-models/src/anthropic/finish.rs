//! Why the model stopped.

use outrigger_core::model::{ModelError, ModelErrorKind};
use outrigger_core::transcript::Finish;

/// The reason in neutral words. `None` is a stream that ended in order without giving one, as some servers that imitate
/// the API do. A reason that is not known says no more than that the answer ended.
pub(super) fn of(reason: Option<&str>, has_calls: bool) -> Result<Finish, ModelError> {
    match reason {
        Some("max_tokens" | "model_context_window_exceeded") => Ok(Finish::Length),
        Some("refusal") => Ok(Finish::Refused),
        Some(reason @ ("pause_turn" | "compaction")) => Err(paused(reason)),
        // `end_turn`, `stop_sequence`, `tool_use`: what the answer holds is what counts.
        _ if has_calls => Ok(Finish::Calls),
        _ => Ok(Finish::Stop),
    }
}

/// The provider waits for the same conversation with the unfinished answer at its end. Nothing here asks for what it
/// pauses for: it pauses its own tools and its own summaries. Trying again would only pause again.
fn paused(reason: &str) -> ModelError {
    let message = format!(
        "the provider paused its answer ({reason}) and expects it back unfinished, which this client does not do; \
         leave out the provider's own tools and its compaction"
    );
    ModelError::new(ModelErrorKind::Rejected, message)
}

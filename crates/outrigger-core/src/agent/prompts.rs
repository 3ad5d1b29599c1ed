//! Text the model reads about an agent's own tools.

/// The description of a run's output tool.
pub(super) const FINAL_ANSWER: &str =
    "Gives the final answer. Call it once, when you have everything; the answer is its arguments, not text.";

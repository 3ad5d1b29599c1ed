//! Text the model reads about tools.

/// What a body that returns nothing is answered with.
pub(crate) const DONE: &str = "Done.";

/// A value could not be written as JSON.
pub(crate) fn unserialisable(error: &serde_json::Error) -> String {
    format!("The tool ran, but its result could not be written as JSON: {error}.")
}

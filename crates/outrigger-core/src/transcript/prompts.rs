//! Text the model reads about its transcript.

/// A call that was open when its process went away.
pub(crate) fn interrupted(started: bool) -> &'static str {
    if started {
        "Interrupted: the process ended while the tool was running. Whether it took effect is unknown; check before calling it again."
    } else {
        "Interrupted: the process ended before the tool ran. It had no effect."
    }
}

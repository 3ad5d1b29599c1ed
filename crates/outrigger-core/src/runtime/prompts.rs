//! Text the model reads about its calls.

use std::time::Duration;

use crate::transcript::Text;

/// An output that says nothing.
pub(crate) const EMPTY: &str = "(empty)";

/// A call that the output limit cut.
pub(crate) fn truncated() -> &'static str {
    "Truncated: your answer reached the output limit in the middle of this call, so it was not run. Send it again with a \
     smaller payload, or split it into several calls."
}

/// A name that no tool has.
pub(crate) fn unknown_tool(name: &str, nearest: &[Text]) -> String {
    match nearest {
        [] => format!("There is no tool {name:?}. Use only the tools you were given."),
        _ => format!("There is no tool {name:?}. Nearest: {}.", nearest.join(", ")),
    }
}

/// A container that is open already.
pub(crate) fn already_open(name: &str) -> String {
    format!("{name} is open already: call its tools.")
}

/// A hidden tool, where only containers may be called.
pub(crate) fn open_first(name: &str, container: &str) -> String {
    format!("The tool {name:?} is not open. Call {container:?} first, then call it.")
}

/// Arguments that do not bind, of a tool the model has not seen yet.
pub(crate) fn with_schema(problem: &str, name: &str, schema: &str) -> String {
    format!("{problem}\nThe arguments of {name}: {schema}")
}

/// A tool that may not be called now.
pub(crate) fn unavailable(name: &str) -> String {
    format!("The tool {name:?} is not available now.")
}

/// A body that panicked.
pub(crate) fn panicked(tool: &str) -> String {
    format!("The tool {tool} failed unexpectedly. This is a fault of the tool, not of your arguments.")
}

/// A body that took too long.
pub(crate) fn timed_out(after: Duration, still_running: bool) -> String {
    let still = if still_running { " It cannot be stopped and may still be running." } else { "" };
    format!("Timed out after {after:?}.{still}")
}

/// A body that the run's cancellation stopped.
pub(crate) fn cancelled(still_running: bool) -> &'static str {
    if still_running {
        "Cancelled while it ran. It cannot be stopped and may still be running."
    } else {
        "Cancelled while it ran."
    }
}

/// An output over its cap.
pub(crate) fn too_large(size: u64, cap: u64) -> String {
    format!("The tool ran, but its output has {size} bytes and at most {cap} are allowed. Ask for less.")
}

/// A call whose earlier attempt has no known outcome, and whose tool may not run twice.
pub(crate) fn interrupted() -> &'static str {
    "Interrupted: an earlier attempt of this call did not report its outcome. Whether it took effect is unknown; check before calling it again."
}

/// A tool that went away between binding and running.
pub(crate) fn gone(tool: &str) -> String {
    format!("The tool {tool} is no longer there; it was not run.")
}

//! Models that are known, and what each takes.

use outrigger_core::model::ModelProfile;
use outrigger_core::transcript::{Dialect, ModelName};

use super::server::Server;

/// A model, or all whose names begin alike.
struct Known {
    /// The server.
    server: &'static str,
    /// How names begin.
    prefix: &'static str,
    context: u64,
    output: Option<u64>,
    images: bool,
    /// Whether functions can be strict and answers held to a schema.
    structured: bool,
}

const KNOWN: &[Known] = &[];

/// What a model takes. Of an unknown one nothing is assumed, and the profile says so.
pub(super) fn profile(model: &str, server: &Server) -> ModelProfile {
    let name = ModelName { provider: server.name.into(), model: model.into() };
    let known = known(model, server.name);
    let structured = known.is_some_and(|known| known.structured);
    let unknown = ModelProfile::unknown(name, dialect(server), server.quirks.schemas(structured));
    match known {
        Some(known) => ModelProfile {
            context_window: Some(known.context),
            output_limit: known.output,
            images: known.images,
            native_output: structured && server.quirks.strict,
            ..unknown
        },
        None => unknown,
    }
}

fn known(model: &str, server: &str) -> Option<&'static Known> {
    let of_server = KNOWN.iter().filter(|known| known.server == server && model.starts_with(known.prefix));
    of_server.max_by_key(|known| known.prefix.len())
}

/// The form of conversations. The wire leaves out what says nothing, so nothing need be refused for it.
fn dialect(server: &Server) -> Dialect {
    Dialect {
        name: format!("chat ({})", server.name).into(),
        refuses_empty: false,
        call_ids: server.quirks.call_id_rule(),
        ..Dialect::chat()
    }
}

//! Chat completions: what a request is on the wire, and how a streamed answer is read.
//!
//! The form is that of OpenAI's own types (openai-python 3.57.0, `types/chat`, read on 2026-12-01); what a server does
//! otherwise stands in its row of [`SERVERS`](super::SERVERS).

mod body;
mod calls;
mod chunk;
mod decode;
mod encode;
mod finish;
mod kept;
mod prompts;
mod refusal;
mod text;
mod usage;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use outrigger_core::model::{Encode, Item, ModelError, ModelProfile, SealedRequest};

use super::models;
use super::server::{Quirks, Server};
use crate::wire::{Body, Decode, Protocol};
pub(crate) use decode::Decoder;

/// One model behind chat completions.
#[derive(Clone, Debug)]
pub(crate) struct Chat {
    profile: ModelProfile,
    server: &'static Server,
    /// Whether the model takes no tools here unless it is told not to reason.
    quiet_with_tools: bool,
}

/// A model by the server's name of it, such as `gpt-5-mini`.
pub(crate) fn chat(model: &str, server: &'static Server) -> Chat {
    let profile = models::profile(model, server);
    Chat { profile, server, quiet_with_tools: models::is_quiet_with_tools(model, server) }
}

impl Chat {
    fn quirks(&self) -> &'static Quirks {
        &self.server.quirks
    }
}

impl Encode for Chat {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        encode::item(self, item)
    }
}

impl Protocol for Chat {
    fn path(&self) -> &'static str {
        "/chat/completions"
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        self.quirks().key_header
    }

    fn body(&self, request: &SealedRequest) -> Body {
        body::write(self, request)
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(Decoder::new(self.server.name))
    }

    fn refusal(&self, status: u16, body: &str) -> ModelError {
        refusal::of_response(self.server.name, status, body)
    }
}

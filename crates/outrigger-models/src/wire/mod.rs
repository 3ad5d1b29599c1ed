//! What providers over HTTP have in common: bodies out, streamed events in.

mod answer;
pub(crate) mod arguments;
mod body;
mod client;
mod command;
pub(crate) mod frame;
mod http;
mod key;
pub(crate) mod open;
mod redact;
pub(crate) mod sse;
mod wait;

#[cfg(test)]
pub(crate) mod peers;
#[cfg(test)]
mod tests;

pub(crate) use body::Body;
pub use client::is_url_of_this_machine;
pub use key::Key;
pub(crate) use open::{open, route};

use outrigger_core::model::{Encode, ModelError, Part, SealedRequest};

/// One provider's way of asking and answering; everything else about HTTP is the same for all.
pub(crate) trait Protocol: Encode + 'static {
    /// Where requests go, after the base URL: `/chat/completions`.
    fn path(&self) -> &'static str;

    /// How the key is sent: the header's name, and what stands before the key in it (`"Bearer "`).
    fn key_header(&self) -> (&'static str, &'static str);

    /// Headers that every request has, beside the content type and the key.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The request's body: JSON, made of the request's fragments without copying them.
    fn body(&self, request: &SealedRequest) -> Body;

    /// What reads one streamed answer.
    fn decoder(&self) -> Box<dyn Decode>;

    /// What an answer of a status that is no success says. `body` is at most a few kilobytes, with the key taken out.
    fn refusal(&self, status: u16, body: &str) -> ModelError;
}

/// Reads the events of one streamed answer. A wire's quirks end here.
pub(crate) trait Decode: Send {
    /// Takes one event of the stream and adds what it means to `out`, in order. An event that is not known adds
    /// [`Part::Alive`]. An event without a name is called `message`.
    fn event(&mut self, name: &str, data: &str, out: &mut Vec<Part>) -> Result<(), ModelError>;

    /// Whether the events have said that the answer is over. What comes after is not read: some servers leave the
    /// connection open.
    fn is_done(&self) -> bool {
        false
    }

    /// The stream is over: adds what was held back, [`Part::Finish`] last. A stream that was cut off is an error.
    fn end(&mut self, out: &mut Vec<Part>) -> Result<(), ModelError>;
}

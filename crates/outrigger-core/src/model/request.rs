//! Drafts, and the sealed requests that models take.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::SealError;
use super::example::Example;
use crate::transcript::{Legal, Message, Spine, Text};

/// A request as middleware sees and edits it. The thread's messages are not in it: they are facts.
#[derive(Clone, Debug, Default)]
pub struct RequestDraft {
    /// System texts, in order.
    pub system: Vec<Text>,
    /// Messages after the thread's, for this one request.
    pub extra: Vec<Arc<Message>>,
}

/// A tool as one model is told of it, made once and shared by every request that shows it.
#[derive(Clone, Debug)]
pub struct ToolBlock {
    /// The name on the wire.
    pub name: Text,
    /// The tool's identity, `Harness.tool`.
    pub identity: Text,
    /// What it does.
    pub description: Text,
    /// The projected schema, as JSON text.
    pub schema: Text,
    /// Worked examples.
    pub examples: Arc<[Example]>,
    /// Whether it is sent strictly.
    pub strict: bool,
    /// The block as it stands in the request's body.
    pub wire: Arc<[u8]>,
}

/// How large something is. The unit and where the figure comes from always travel with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// How much.
    pub value: u64,
    /// Of what.
    pub unit: SizeUnit,
    /// Known how.
    pub source: SizeSource,
}

/// What a size counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SizeUnit {
    /// UTF-8 bytes as they go on the wire.
    Bytes,
}

/// How a size is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SizeSource {
    /// Counted here.
    Counted,
}

/// The encoded items of a request, in order.
#[derive(Clone)]
pub(crate) struct WireParts {
    pub(crate) system: Arc<[Arc<[u8]>]>,
    pub(crate) history: Spine<Arc<[u8]>>,
    pub(crate) extra: Arc<[Arc<[u8]>]>,
}

/// A request that may be sent: within its limit and legal in its model's dialect. Only sealing makes one.
pub struct SealedRequest {
    system: Arc<[Text]>,
    tools: Arc<[Arc<ToolBlock>]>,
    messages: Legal,
    output: Option<Arc<ToolBlock>>,
    wire: WireParts,
    size: Size,
    limit: Option<u64>,
}

impl SealedRequest {
    /// The last gate: `messages` is the proof of form, the size is checked here.
    pub(crate) fn seal(
        system: Arc<[Text]>,
        tools: Arc<[Arc<ToolBlock>]>,
        messages: Legal,
        output: Option<Arc<ToolBlock>>,
        wire: WireParts,
        size: Size,
        limit: Option<u64>,
    ) -> Result<Arc<Self>, SealError> {
        match limit {
            Some(limit) if size.value > limit => Err(SealError::TooLarge { size: size.value, limit }),
            _ => Ok(Arc::new(Self { system, tools, messages, output, wire, size, limit })),
        }
    }

    /// The system texts, in order.
    #[must_use]
    pub fn system(&self) -> &[Text] {
        &self.system
    }

    /// The tools the model sees, in order.
    #[must_use]
    pub fn tools(&self) -> &[Arc<ToolBlock>] {
        &self.tools
    }

    /// The messages, in order.
    #[must_use]
    pub fn messages(&self) -> &Legal {
        &self.messages
    }

    /// What the answer itself must be, if the model is to be held to it without a tool.
    #[must_use]
    pub fn output(&self) -> Option<&Arc<ToolBlock>> {
        self.output.as_ref()
    }

    /// The system texts, as encoded.
    #[must_use]
    pub fn system_fragments(&self) -> &[Arc<[u8]>] {
        &self.wire.system
    }

    /// Calls `each` with every message and its fragment, in order: the thread's, then this one request's.
    pub fn for_each_message(&self, mut each: impl FnMut(&Message, &Arc<[u8]>)) {
        let (history, extra) = self.messages.parts();
        history.with(|messages| {
            self.wire.history.with(|parts| messages.iter().zip(parts).for_each(|(message, part)| each(message, part)));
        });
        extra.iter().zip(self.wire.extra.iter()).for_each(|(message, part)| each(message, part));
    }

    /// How many of the messages are the thread's; the others are this one request's.
    #[must_use]
    pub fn history_len(&self) -> usize {
        self.wire.history.len()
    }

    /// How large it is.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// What its size may be, in the size's unit.
    #[must_use]
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }
}

impl fmt::Debug for SealedRequest {
    /// Sizes only: what people wrote has no place in a log.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SealedRequest")
            .field("tools", &self.tools.len())
            .field("messages", &self.messages.len())
            .field("size", &self.size)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

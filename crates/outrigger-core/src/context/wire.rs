//! A thread as one model's wire has it: every message encoded once, its size summed, its form checked.

use std::sync::Arc;

use crate::catalog::Menu;
use crate::model::{
    Encode, Item, RequestDraft, SealError, SealedRequest, Size, SizeSource, SizeUnit, ToolBlock, WireParts,
};
use crate::transcript::{CallId, Legality, Message, Spine, Text, View};

/// The incremental fold of a view for one encoder. It costs what is new, and is never the truth: dropping it and
/// folding afresh gives the same requests.
pub(crate) struct ThreadWire {
    encoder: Arc<dyn Encode>,
    legality: Legality,
    history: Spine<Arc<[u8]>>,
    bytes: u64,
    system: EncodedSystem,
}

/// The system texts of the last request: most requests of a thread have the same.
#[derive(Default)]
struct EncodedSystem {
    texts: Arc<[Text]>,
    fragments: Arc<[Arc<[u8]>]>,
    bytes: u64,
}

impl ThreadWire {
    pub(crate) fn new(encoder: Arc<dyn Encode>) -> Self {
        let legality = Legality::new(Arc::clone(&encoder.profile().dialect));
        Self { encoder, legality, history: Spine::default(), bytes: 0, system: EncodedSystem::default() }
    }

    /// Whether the thread has a call of this id.
    pub(crate) fn has_call(&self, id: &CallId) -> bool {
        self.legality.has_call(id)
    }

    /// Takes in what the view has more than before.
    pub(crate) fn catch_up(&mut self, view: &View) {
        let Self { encoder, legality, history, bytes, .. } = self;
        view.messages().with(|messages| {
            for message in messages.iter().skip(legality.len()) {
                let fragment = encoder.encode(Item::Message(message));
                *bytes = bytes.saturating_add(fragment.len() as u64);
                legality.push(message);
                history.push(fragment);
            }
        });
    }

    /// Makes the request that this thread, this draft and this menu amount to.
    pub(crate) fn seal(
        &mut self,
        draft: &RequestDraft,
        menu: &Menu,
        output: Option<&Arc<ToolBlock>>,
        limit: Option<u64>,
    ) -> Result<Arc<SealedRequest>, SealError> {
        let messages = self.legality.prove(&draft.extra)?;
        self.encode_system(&draft.system);
        let extra: Arc<[Arc<[u8]>]> = draft.extra.iter().map(|message| self.encode(message)).collect();
        let output_bytes = output.map_or(0, |block| block.wire.len() as u64);
        let parts = [self.system.bytes, menu.bytes(), self.bytes, bytes_of(&extra), output_bytes];
        let value = parts.into_iter().fold(0, u64::saturating_add);
        let size = Size { value, unit: SizeUnit::Bytes, source: SizeSource::Counted };
        let wire = WireParts { system: Arc::clone(&self.system.fragments), history: self.history.clone(), extra };
        let (system, tools) = (Arc::clone(&self.system.texts), Arc::clone(menu.blocks()));
        SealedRequest::seal(system, tools, messages, output.cloned(), wire, size, limit)
    }

    fn encode(&self, message: &Message) -> Arc<[u8]> {
        self.encoder.encode(Item::Message(message))
    }

    fn encode_system(&mut self, texts: &[Text]) {
        if *self.system.texts != *texts {
            let fragments: Arc<[Arc<[u8]>]> =
                texts.iter().map(|text| self.encoder.encode(Item::System(text))).collect();
            let bytes = bytes_of(&fragments);
            self.system = EncodedSystem { texts: texts.into(), fragments, bytes };
        }
    }
}

fn bytes_of(fragments: &[Arc<[u8]>]) -> u64 {
    fragments.iter().map(|fragment| fragment.len() as u64).fold(0, u64::saturating_add)
}

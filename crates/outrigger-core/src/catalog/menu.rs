//! What one model sees of a catalog.

use std::collections::HashMap;
use std::sync::Arc;

use outrigger_contract::{Loss, Projection, WirePlan, project};

use super::Entry;
use crate::model::{Encode, Item, ToolBlock, ToolItem};
use crate::transcript::Text;

/// What one model sees: each tool's block, serialised once and shared by every request.
pub struct Menu {
    blocks: Arc<[Arc<ToolBlock>]>,
    items: HashMap<Text, MenuItem>,
    bytes: u64,
}

/// How one tool is told to the model, and read back.
#[derive(Clone)]
pub struct MenuItem {
    /// The block.
    pub block: Arc<ToolBlock>,
    /// How arguments written under the block's schema are read.
    pub plan: Arc<WirePlan>,
    /// What the schema could not say.
    pub losses: Arc<[Loss]>,
}

impl Menu {
    pub(super) fn new(entries: &[Entry], encoder: &dyn Encode) -> Self {
        let items: Vec<MenuItem> = entries.iter().map(|entry| item(entry, encoder)).collect();
        let bytes = items.iter().map(|item| item.block.wire.len() as u64).fold(0, u64::saturating_add);
        Self {
            blocks: items.iter().map(|item| Arc::clone(&item.block)).collect(),
            items: items.into_iter().map(|item| (item.block.identity.clone(), item)).collect(),
            bytes,
        }
    }

    /// The same menu with one tool more at its end. What was serialised is shared.
    #[must_use]
    pub fn with(&self, entry: &Entry, encoder: &dyn Encode) -> Self {
        let added = item(entry, encoder);
        let blocks = self.blocks.iter().cloned().chain([Arc::clone(&added.block)]).collect();
        let bytes = self.bytes.saturating_add(added.block.wire.len() as u64);
        let mut items = self.items.clone();
        items.insert(Arc::clone(&entry.identity), added);
        Self { blocks, items, bytes }
    }

    /// The blocks, in order.
    #[must_use]
    pub fn blocks(&self) -> &Arc<[Arc<ToolBlock>]> {
        &self.blocks
    }

    /// The item of a tool's identity.
    #[must_use]
    pub fn item(&self, identity: &str) -> Option<&MenuItem> {
        self.items.get(identity)
    }

    /// How many bytes all blocks have on the wire.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl MenuItem {
    /// The tool as what the answer itself must be: its arguments, without a call.
    #[must_use]
    pub fn output(entry: &Entry, encoder: &dyn Encode) -> Self {
        made(entry, encoder, true)
    }
}

fn item(entry: &Entry, encoder: &dyn Encode) -> MenuItem {
    made(entry, encoder, false)
}

fn made(entry: &Entry, encoder: &dyn Encode, is_answer: bool) -> MenuItem {
    let spec = entry.tool.spec();
    let Projection { schema, plan, strict, losses, .. } =
        project(&entry.tool.shape(), &encoder.profile().schemas, &[], &[]);
    let schema: Text = String::from_utf8_lossy(&schema).into();
    let told = ToolItem {
        name: &entry.name,
        description: &spec.description,
        schema: &schema,
        strict,
        examples: &spec.examples,
    };
    let wire = encoder.encode(if is_answer { Item::Output(told) } else { Item::Tool(told) });
    let block = ToolBlock {
        name: entry.name.clone(),
        identity: entry.identity.clone(),
        description: spec.description.clone(),
        schema,
        examples: spec.examples.as_slice().into(),
        strict,
        wire,
    };
    MenuItem { block: Arc::new(block), plan, losses: losses.into() }
}

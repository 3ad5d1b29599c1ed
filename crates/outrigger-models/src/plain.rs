//! Items in the form of `--requests`: for models without a wire of their own, so that sizes are those a person can
//! count there.

use std::sync::Arc;

use outrigger_core::model::{Item, MessageLine};
use serde::Serialize;
use serde_json::value::RawValue;

/// An item as it stands in a line of `--requests`.
pub(crate) fn encode(item: Item<'_>) -> Arc<[u8]> {
    match item {
        Item::System(text) => text.as_bytes().into(),
        Item::Message(message) => json(&MessageLine::from(message)),
        Item::Tool(tool) | Item::Output(tool) => {
            let schema = serde_json::from_str(tool.schema).ok();
            json(&Block { name: tool.name, description: tool.description, schema })
        }
        _ => Arc::default(),
    }
}

#[derive(Serialize)]
struct Block<'a> {
    name: &'a str,
    description: &'a str,
    schema: Option<&'a RawValue>,
}

/// Plain data of ours always serialises; were that to change, an empty fragment is the honest size of nothing sent.
fn json(value: &impl Serialize) -> Arc<[u8]> {
    serde_json::to_vec(value).unwrap_or_default().into()
}

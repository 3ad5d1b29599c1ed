//! What one model sees of a catalog.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use outrigger_contract::{Loss, Projection, Shape, WirePlan, project};

use super::Catalog;
use super::tree::{Entry, Node};
use super::visible::{Visible, visible};
use crate::Contract;
use crate::model::{Encode, Item, ToolBlock, ToolItem};
use crate::tool::ToolSpec;
use crate::transcript::{Openings, Text};

/// Most menus of one model that are kept for the next thread that has the same containers open.
const KEPT: usize = 64;

/// The menus of one model: each tool's block is serialised once, when it is first shown, and shared by every menu and
/// every request that shows it.
pub struct Menus {
    items: Arc<Items>,
    /// The newest first, but for the one where nothing is open.
    kept: Mutex<VecDeque<Arc<Menu>>>,
    closed: OnceLock<Arc<Menu>>,
}

/// What one model sees while certain containers are open.
pub struct Menu {
    items: Arc<Items>,
    /// What is open: what the menu was made of.
    open: Vec<Text>,
    visible: Visible,
    blocks: Arc<[Arc<ToolBlock>]>,
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

struct Items {
    catalog: Arc<Catalog>,
    encoder: Arc<dyn Encode>,
    tools: Vec<OnceLock<MenuItem>>,
    containers: Vec<OnceLock<MenuItem>>,
}

/// The arguments of a container: none.
#[derive(Contract)]
pub(crate) struct NoArguments {}

impl Menus {
    /// The menus of a catalog for a model.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>, encoder: Arc<dyn Encode>) -> Self {
        let tools = empty(catalog.tree.entries.len());
        let containers = empty(catalog.tree.containers.len());
        Self::of(Items { catalog, encoder, tools, containers })
    }

    fn of(items: Items) -> Self {
        Self { items: Arc::new(items), kept: Mutex::default(), closed: OnceLock::new() }
    }

    /// The menus of the same catalog with more tools at its end. What was serialised is shared.
    #[must_use]
    pub fn extended(&self, catalog: Arc<Catalog>) -> Self {
        let Items { encoder, tools, containers, .. } = &*self.items;
        let more = catalog.tree.entries.len().saturating_sub(tools.len());
        let tools = tools.iter().cloned().chain(empty(more)).collect();
        Self::of(Items { catalog, encoder: Arc::clone(encoder), tools, containers: containers.clone() })
    }

    /// The menu while these containers are open. The same openings get the same menu.
    #[must_use]
    pub fn menu(&self, openings: &Openings) -> Arc<Menu> {
        if openings.list().is_empty() {
            return Arc::clone(self.closed.get_or_init(|| Arc::new(Menu::new(&self.items, openings))));
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().position(|menu| menu.is_of(openings)) {
            if let Some(menu) = kept.remove(at) {
                kept.push_front(menu);
            }
        } else {
            kept.push_front(Arc::new(Menu::new(&self.items, openings)));
            kept.truncate(KEPT);
        }
        kept.front().cloned().unwrap_or_else(|| Arc::new(Menu::new(&self.items, openings)))
    }

    /// How a tool is told to the model, visible or not.
    #[must_use]
    pub fn item(&self, identity: &str) -> Option<&MenuItem> {
        self.items.item(identity)
    }
}

impl Menu {
    fn new(items: &Arc<Items>, openings: &Openings) -> Self {
        let Catalog { tree, collapsing, .. } = &*items.catalog;
        let visible = visible(tree, openings, collapsing);
        let blocks: Arc<[Arc<ToolBlock>]> =
            visible.nodes.iter().filter_map(|node| items.of_node(*node)).map(|item| Arc::clone(&item.block)).collect();
        let bytes = blocks.iter().map(|block| block.wire.len() as u64).fold(0, u64::saturating_add);
        let open = openings.list().iter().map(|one| one.opened.container.clone()).collect();
        Self { items: Arc::clone(items), open, visible, blocks, bytes }
    }

    fn is_of(&self, openings: &Openings) -> bool {
        let list = openings.list();
        self.open.len() == list.len() && self.open.iter().zip(list).all(|(name, one)| *name == one.opened.container)
    }

    /// The blocks, in order.
    #[must_use]
    pub fn blocks(&self) -> &Arc<[Arc<ToolBlock>]> {
        &self.blocks
    }

    /// How a tool of this identity is told to the model, visible or not.
    #[must_use]
    pub fn item(&self, identity: &str) -> Option<&MenuItem> {
        self.items.item(identity)
    }

    /// Whether a tool of this identity, or a container of this name, is on the menu.
    #[must_use]
    pub fn has(&self, identity: &str) -> bool {
        self.items.catalog.tree.numbers.get(identity).is_some_and(|node| self.shows(*node))
    }

    pub(super) fn shows(&self, node: Node) -> bool {
        self.visible.shown.contains(&node)
    }

    /// How many bytes all blocks have on the wire.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many bytes at the start of this menu are those of another: what a prompt cache keeps.
    #[must_use]
    pub fn shared_prefix(&self, other: &Self) -> u64 {
        let pairs = self.blocks.iter().zip(other.blocks.iter());
        let same = pairs.take_while(|(one, another)| Arc::ptr_eq(one, another));
        same.map(|(one, _)| one.wire.len() as u64).fold(0, u64::saturating_add)
    }
}

impl MenuItem {
    /// The tool as what the answer itself must be: its arguments, without a call.
    #[must_use]
    pub fn output(entry: &Entry, encoder: &dyn Encode) -> Self {
        let shape = entry.tool.shape();
        made(
            &Told { identity: &entry.identity, name: &entry.name, spec: entry.tool.spec(), is_answer: true },
            &shape,
            encoder,
        )
    }
}

impl Items {
    fn item(&self, identity: &str) -> Option<&MenuItem> {
        self.of_node(*self.catalog.tree.numbers.get(identity)?)
    }

    fn of_node(&self, node: Node) -> Option<&MenuItem> {
        let tree = &self.catalog.tree;
        match node {
            Node::Tool(index) => {
                let (entry, item) = (tree.entries.get(index)?, self.tools.get(index)?);
                let spec = entry.tool.spec();
                let told = Told { identity: &entry.identity, name: &entry.name, spec, is_answer: false };
                Some(item.get_or_init(|| made(&told, &entry.tool.shape(), &*self.encoder)))
            }
            Node::Container(index) => {
                let (container, item) = (tree.containers.get(index)?, self.containers.get(index)?);
                let name = &container.name;
                let spec = || ToolSpec::new(name, &container.description);
                let make = |spec: &ToolSpec| {
                    let told = Told { identity: name, name, spec, is_answer: false };
                    made(&told, &outrigger_contract::shape_of::<NoArguments>(), &*self.encoder)
                };
                Some(item.get_or_init(|| make(&spec())))
            }
        }
    }
}

/// What a model is told of a tool.
struct Told<'a> {
    identity: &'a Text,
    name: &'a Text,
    spec: &'a ToolSpec,
    /// Whether it is what the answer itself must be.
    is_answer: bool,
}

fn made(told: &Told<'_>, shape: &Shape, encoder: &dyn Encode) -> MenuItem {
    let Told { identity, name, spec, is_answer } = *told;
    let Projection { schema, plan, strict, losses, .. } = project(shape, &encoder.profile().schemas, &[], &[]);
    let schema: Text = String::from_utf8_lossy(&schema).into();
    let item = ToolItem { name, description: &spec.description, schema: &schema, strict, examples: &spec.examples };
    let wire = encoder.encode(if is_answer { Item::Output(item) } else { Item::Tool(item) });
    let block = ToolBlock {
        name: name.clone(),
        identity: identity.clone(),
        description: spec.description.clone(),
        schema,
        examples: spec.examples.as_slice().into(),
        strict,
        wire,
    };
    MenuItem { block: Arc::new(block), plan, losses: losses.into() }
}

fn empty(count: usize) -> Vec<OnceLock<MenuItem>> {
    (0..count).map(|_| OnceLock::new()).collect()
}

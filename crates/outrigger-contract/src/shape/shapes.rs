//! Collecting a shape from types that describe themselves.

use std::any::TypeId;

use super::{Definition, Kind, Node, Shape, Text};

/// Where types describe themselves to; it notices the ones that contain themselves.
#[derive(Debug, Default)]
pub struct Shapes {
    open: Vec<Open>,
    defs: Vec<(TypeId, Definition)>,
}

/// A named type whose description has begun and not ended.
#[derive(Debug)]
struct Open {
    id: TypeId,
    /// Its place in `defs`, once it has been met inside itself.
    slot: Option<usize>,
}

impl Shapes {
    /// Describes a whole type.
    #[must_use]
    pub fn collect(describe: impl FnOnce(&mut Self) -> Node) -> Shape {
        let mut shapes = Self::default();
        let root = describe(&mut shapes);
        Shape { root, defs: shapes.defs.into_iter().map(|(_, def)| def).collect() }
    }

    /// Describes a named type: inline, or as a reference if it contains itself.
    pub fn named<T: 'static>(&mut self, name: &'static str, describe: impl FnOnce(&mut Self) -> Node) -> Node {
        let id = TypeId::of::<T>();
        if let Some(slot) = self.defs.iter().position(|(known, _)| *known == id) {
            return Node::new(Kind::Ref(slot));
        }
        if let Some(at) = self.open.iter().position(|open| open.id == id) {
            let slot = self.reserve(id, name);
            if let Some(open) = self.open.get_mut(at) {
                open.slot = Some(slot);
            }
            return Node::new(Kind::Ref(slot));
        }
        self.open.push(Open { id, slot: None });
        let node = describe(self);
        match self.open.pop().and_then(|open| open.slot) {
            Some(slot) => self.fill(slot, node),
            None => node,
        }
    }

    /// Makes room for a recursive type under a name that no other has.
    fn reserve(&mut self, id: TypeId, name: &'static str) -> usize {
        let taken = |name: &str| self.defs.iter().any(|(_, def)| def.name == name);
        let name = if taken(name) {
            let free = (2_u32..).map(|n| format!("{name}_{n}")).find(|n| !taken(n));
            free.map_or(Text::Borrowed(name), Text::Owned)
        } else {
            Text::Borrowed(name)
        };
        let node = Node::new(Kind::Any);
        self.defs.push((id, Definition { name, node }));
        self.defs.len() - 1
    }

    fn fill(&mut self, slot: usize, node: Node) -> Node {
        if let Some((_, def)) = self.defs.get_mut(slot) {
            def.node = node;
        }
        Node::new(Kind::Ref(slot))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Array, Kind};
    use super::*;

    struct Tree;
    struct Leaf;

    fn leaf(shapes: &mut Shapes) -> Node {
        shapes.named::<Leaf>("Leaf", |_| Node::new(Kind::Bool))
    }

    fn tree(shapes: &mut Shapes) -> Node {
        shapes.named::<Tree>("Tree", |shapes| {
            Node::new(Kind::Array(Array {
                items: Box::new(tree(shapes)),
                min_items: None,
                max_items: None,
                unique: false,
            }))
        })
    }

    #[test]
    fn only_a_type_that_contains_itself_becomes_a_definition() {
        let flat = Shapes::collect(leaf);
        assert_eq!((flat.root.kind, flat.defs.len()), (Kind::Bool, 0));

        let recursive = Shapes::collect(tree);
        assert_eq!(recursive.root.kind, Kind::Ref(0));
        assert_eq!(recursive.defs.len(), 1);
        assert_eq!(recursive.defs[0].name, "Tree");
    }
}

//! The schema of a part, for a model that has never seen the whole.

use super::emit::Emitter;
use crate::profile::SchemaProfile;
use crate::shape::{Additional, Kind, Node, Shape};

/// The place and the schema of the smallest part around `path`. Unions are shown whole: which branch was meant is for
/// the reader to see.
pub(crate) fn schema_part(shape: &Shape, path: &str, profile: &SchemaProfile) -> (String, String) {
    let mut node = &shape.root;
    let mut place = String::new();
    for step in path.split('/').skip(1) {
        let Some(next) = below(shape, node, step) else {
            break;
        };
        node = next;
        place.push('/');
        place.push_str(step);
    }
    let node = shape.resolve(node).unwrap_or(node);
    (place, Emitter::new(shape, profile).part(node))
}

fn below<'a>(shape: &'a Shape, node: &'a Node, step: &str) -> Option<&'a Node> {
    match &shape.resolve(node)?.kind {
        Kind::Object(rules) => {
            let name = step.replace("~1", "/").replace("~0", "~");
            let declared = rules.properties.iter().find(|property| property.name == name);
            match (declared, &rules.additional) {
                (Some(property), _) => Some(&property.node),
                (None, Additional::Typed(node)) => Some(node),
                (None, _) => None,
            }
        }
        Kind::Array(rules) => Some(&rules.items),
        Kind::Tuple(rules) => rules.items.get(step.parse::<usize>().ok()?),
        _ => None,
    }
}

//! The second reading of a refused text: every problem at once, in document order.
//!
//! The binder refuses on the first problem and says only where it stood. This module reads the text into a tree, walks
//! it beside the shape, and says in words what is wrong. The two agree: the binder refuses exactly what has an issue
//! here.

mod array;
mod nearest;
mod object;
mod scalar;
mod seen;
mod tree;
mod union;
mod walk;

use crate::issue::{BindError, Code, Issue, Limits};
use crate::plan::{Plan, WirePlan};
use crate::prompts;
use crate::reader::{Reader, Refused};
use crate::shape::{Kind, Node, Shape};
pub use nearest::nearest_names;

pub(crate) use scalar::{is_multiple, within};
pub(crate) use tree::{Data, Member, Value, parse};
pub(crate) use walk::fuel_for;

use walk::Walker;

/// What a text is held against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    shape: &'a Shape,
    wire: &'a WirePlan,
    limits: &'a Limits,
}

impl<'a> Context<'a> {
    pub(crate) fn new(shape: &'a Shape, wire: &'a WirePlan, limits: &'a Limits) -> Self {
        Self { shape, wire, limits }
    }
}

/// Whether a text is short enough to be looked at.
pub(crate) fn fits(raw: &str, limits: &Limits) -> Result<(), BindError> {
    if raw.len() > limits.text {
        return Err(BindError::single(prompts::too_large(raw, limits.text)));
    }
    Ok(())
}

/// Every problem of a text that the binder refused, as it was refused.
pub(crate) fn error(cx: &Context<'_>, text: &str, refused: Refused) -> BindError {
    let error = problems(cx, text);
    if !error.issues.is_empty() {
        return error;
    }
    // A type with a hand-written contract may refuse what its shape allows, and so may a set whose items differ as
    // JSON and not as values.
    let code = refused.code;
    BindError::single(Issue {
        path: String::new(),
        code,
        expected: prompts::expected_in_general(code),
        found: prompts::cut(text),
        hint: None,
    })
}

/// Every problem of a text, or none. Unlike binding, this needs no Rust type: a shape is enough.
///
/// # Errors
///
/// With the problems, if there are any.
pub fn check(shape: &Shape, text: &str, plan: &WirePlan, limits: &Limits) -> Result<(), BindError> {
    fits(text, limits)?;
    let cx = Context::new(shape, plan, limits);
    let error = problems(&cx, crate::bind::or_empty_object(text));
    if error.issues.is_empty() { Ok(()) } else { Err(error) }
}

/// The problems of a text that no schema can say: what is not well formed, or more than the limits.
pub(crate) fn check_form(text: &str, wire: &WirePlan, limits: &Limits) -> Result<(), BindError> {
    let open = Shape { root: Kind::Any.into(), defs: Vec::new() };
    let error = problems(&Context::new(&open, wire, limits), text);
    if error.issues.is_empty() { Ok(()) } else { Err(error) }
}

/// Whether a value fits one node of a shape, as far as `fuel` lasts; what it costs is taken from that.
pub(crate) fn is_valid<'v>(
    shape: &'v Shape,
    wire: &'v WirePlan,
    (node, plan): (&'v Node, Plan<'v>),
    value: &'v Value<'v>,
    fuel: &mut u32,
) -> bool {
    let mut walker = Walker::new(shape, wire, *fuel);
    walker.trials = 1;
    walker.check(node, plan, value);
    *fuel = walker.fuel;
    walker.fuel > 0 && walker.finish().issues.is_empty()
}

fn problems(cx: &Context<'_>, text: &str) -> BindError {
    let mut reader = Reader::new(text, cx.wire, cx.limits);
    let root = match tree::parse(&mut reader) {
        Ok(root) => root,
        Err(refused) if refused.code == Code::TooDeep => {
            return BindError::single(prompts::too_deep(text, refused.at, cx.limits.depth));
        }
        Err(refused) => return BindError::single(prompts::not_json(text, refused.at)),
    };
    let mut walker = Walker::new(cx.shape, cx.wire, walk::fuel_for(text));
    if wants_object(cx.shape) && !matches!(root.data, Data::Object(_)) {
        walker.report(Code::NotObject, "a JSON object".to_owned(), &root, not_object_hint(&root));
    } else {
        walker.check(&cx.shape.root, Plan::root(cx.wire), &root);
    }
    if walker.fuel == 0 {
        return BindError::single(prompts::too_entangled(text));
    }
    walker.finish()
}

fn wants_object(shape: &Shape) -> bool {
    walk::takes_only_objects(shape, &shape.root)
}

fn not_object_hint(root: &Value<'_>) -> Option<String> {
    match &root.data {
        Data::String { text, .. } if text.trim_start().starts_with('{') => Some(prompts::NOT_AS_STRING.to_owned()),
        _ => None,
    }
}

/// The identity of each JSON text, for finding equal ones.
pub(crate) fn identity(text: &str) -> Option<String> {
    let wire = WirePlan::default();
    let limits = Limits { depth: u32::MAX, text: usize::MAX };
    let mut reader = Reader::new(text, &wire, &limits);
    tree::parse(&mut reader).ok().map(|value| value.identity())
}

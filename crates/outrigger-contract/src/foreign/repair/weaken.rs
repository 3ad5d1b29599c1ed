//! What must go with a part that could not be used. A schema that says less than it should must not be negated, counted
//! or compared: the whole would refuse what the original takes.

use std::collections::{BTreeMap, BTreeSet};

use super::Repairer;
use crate::foreign::DegradedKind;
use crate::foreign::json::{Json, Map, steps_of};
use crate::foreign::references::{Edges, each};

type Path = Vec<String>;

/// Weakens what looks at a part that could not be used.
pub(super) fn weaken(root: &mut Json, repairer: &mut Repairer<'_>) {
    let unchecked = repairer.notes.iter().filter(|note| note.kind == DegradedKind::Unchecked);
    let start: BTreeSet<Path> = unchecked.filter_map(|note| steps_of(&note.pointer)).collect();
    if start.is_empty() {
        return;
    }
    let weak = reaching(root, start);
    let mut gone = Vec::new();
    for place in &weak {
        let Some(Json::Object(map)) = root.at_mut(place) else { continue };
        weaken_one(map, |keyword| is_weak(&weak, place, keyword), &mut |keyword| {
            gone.push((place.clone(), keyword));
        });
    }
    for (place, keyword) in gone {
        let what = format!("{keyword}, since a part could not be used");
        repairer.note_at(&place, DegradedKind::Unchecked, what);
    }
}

/// All schemas that hang on one of these.
fn reaching(root: &Json, start: BTreeSet<Path>) -> BTreeSet<Path> {
    let edges = Edges { root };
    let mut back: BTreeMap<Path, Vec<Path>> = BTreeMap::new();
    each(root, &mut |place, _| {
        let referred = edges.referred(place).into_iter().map(|(_, to)| to);
        for to in edges.below(place, false).into_iter().chain(referred) {
            back.entry(to).or_default().push(place.to_vec());
        }
    });
    let mut found = start.clone();
    let mut open: Vec<Path> = start.into_iter().collect();
    while let Some(place) = open.pop() {
        for from in back.get(&place).into_iter().flatten() {
            if found.insert(from.clone()) {
                open.push(from.clone());
            }
        }
    }
    found
}

/// Whether a keyword of a schema holds a weak one.
fn is_weak(weak: &BTreeSet<Path>, place: &[String], keyword: &str) -> bool {
    let inside: Path = place.iter().cloned().chain([keyword.to_owned()]).collect();
    weak.range(inside.clone()..).next().is_some_and(|found| found.starts_with(&inside))
}

fn weaken_one(map: &mut Map, is_weak: impl Fn(&str) -> bool, gone: &mut dyn FnMut(&'static str)) {
    let mut remove = |map: &mut Map, keyword: &'static str| {
        if map.remove(keyword).is_some() {
            gone(keyword);
        }
    };
    if is_weak("not") {
        remove(map, "not");
    }
    if is_weak("if") {
        ["if", "then", "else"].into_iter().for_each(|keyword| remove(map, keyword));
    }
    if is_weak("contains") {
        remove(map, "maxContains");
    }
    ["unevaluatedItems", "unevaluatedProperties"].into_iter().for_each(|keyword| remove(map, keyword));
    if is_weak("oneOf")
        && let Some(branches) = map.remove("oneOf")
    {
        gone("that only one of `oneOf` fits");
        if !map.has("anyOf") {
            map.set("anyOf", branches);
        }
    }
}

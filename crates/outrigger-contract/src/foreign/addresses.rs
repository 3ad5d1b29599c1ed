//! Addresses inside a schema. A schema may give its parts addresses and names of their own, and refer to those; every
//! reference to something inside is rewritten as a pointer from the root, so that nothing else has to know.

use std::collections::HashMap;

use super::Draft;
use super::json::{Json, Map, pointer_of, steps_of};
use super::references::each_mut;

/// What stands at which address.
#[derive(Default)]
struct Book {
    resources: HashMap<String, Vec<String>>,
    names: HashMap<(String, String), Vec<String>>,
    /// The address that holds at each place that sets one.
    bases: Vec<(Vec<String>, String)>,
    /// How often a dynamic name is given.
    dynamic: HashMap<String, u32>,
}

/// Rewrites references as pointers, and takes the addresses out. Dynamic references stay where only one place has the
/// name, so that they are not dynamic at all.
pub(super) fn settle(root: &mut Json, draft: Draft) {
    let mut book = Book::default();
    each_mut(root, &mut |path, map| book.enter(path, map, draft));
    each_mut(root, &mut |path, map| {
        let base = book.base(path).to_owned();
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(reference) = map.get(keyword).and_then(Json::text) else { continue };
            let name = reference.rsplit_once('#').map_or("", |(_, name)| name);
            if keyword == "$dynamicRef" && book.dynamic.get(name).is_some_and(|count| *count > 1) {
                continue;
            }
            if let Some(target) = book.find(&base, reference) {
                map.remove(keyword);
                map.set("$ref", Json::String(fragment_of(&target)));
            }
        }
        for keyword in ["$id", "$anchor", "$dynamicAnchor"] {
            map.remove(keyword);
        }
    });
}

impl Book {
    fn enter(&mut self, path: &[String], map: &Map, draft: Draft) {
        let mut base = self.base(path).to_owned();
        // In draft 7 nothing counts beside a reference.
        let alone = draft == Draft::Seven && map.has("$ref");
        if let Some(id) = map.get("$id").and_then(Json::text).filter(|_| !alone) {
            let (address, name) = id.split_once('#').unwrap_or((id, ""));
            if !address.is_empty() {
                base = joined(&base, address);
                self.bases.push((path.to_vec(), base.clone()));
                self.resources.entry(base.clone()).or_insert_with(|| path.to_vec());
            }
            if !name.is_empty() {
                self.names.insert((base.clone(), name.to_owned()), path.to_vec());
            }
        }
        if path.is_empty() {
            self.resources.entry(String::new()).or_default();
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            let Some(name) = map.get(keyword).and_then(Json::text) else { continue };
            self.names.entry((base.clone(), name.to_owned())).or_insert_with(|| path.to_vec());
            if keyword == "$dynamicAnchor" {
                *self.dynamic.entry(name.to_owned()).or_default() += 1;
            }
        }
    }

    fn base(&self, path: &[String]) -> &str {
        let around = self.bases.iter().filter(|(place, _)| path.starts_with(place));
        around.max_by_key(|(place, _)| place.len()).map_or("", |(_, base)| base)
    }

    fn find(&self, base: &str, reference: &str) -> Option<Vec<String>> {
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let address = if address.is_empty() { base.to_owned() } else { joined(base, address) };
        let place = self.resources.get(&address)?;
        if fragment.is_empty() {
            return Some(place.clone());
        }
        if fragment.starts_with('/') {
            return Some(place.iter().cloned().chain(steps_of(fragment)?).collect());
        }
        self.names.get(&(address, fragment.to_owned())).cloned()
    }
}

/// A pointer as a reference, with what a URI cannot hold escaped.
fn fragment_of(steps: &[String]) -> String {
    let mut out = String::from("#");
    for byte in pointer_of(steps).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'$' => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// An address relative to another, as RFC 3986 has it.
fn joined(base: &str, address: &str) -> String {
    let has_scheme = address.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    });
    if has_scheme || base.is_empty() {
        return address.to_owned();
    }
    let (scheme, rest) = base.split_once(':').unwrap_or(("", base));
    let (host, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let prefix = match (scheme.is_empty(), rest.starts_with("//")) {
        (false, true) => format!("{scheme}://{host}"),
        (false, false) => format!("{scheme}:"),
        (true, _) => String::new(),
    };
    if let Some(path) = address.strip_prefix("//") {
        return format!("{scheme}://{path}");
    }
    if address.starts_with('/') {
        return prefix + &without_dots(address);
    }
    let folder = path.rfind('/').map_or("/", |end| path.get(..=end).unwrap_or("/"));
    prefix + &without_dots(&format!("{folder}{address}"))
}

fn without_dots(path: &str) -> String {
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/') {
        match step {
            "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn an_address_is_relative_to_the_one_around_it() {
        for (base, address, expected) in [
            ("http://a.example/b/c.json", "d.json", "http://a.example/b/d.json"),
            ("http://a.example/b/c.json", "/d.json", "http://a.example/d.json"),
            ("http://a.example/b/c.json", "../d.json", "http://a.example/d.json"),
            ("http://a.example/b/", "d/e.json", "http://a.example/b/d/e.json"),
            ("http://a.example", "d.json", "http://a.example/d.json"),
            ("http://a.example/b", "urn:x:y", "urn:x:y"),
            ("", "d.json", "d.json"),
        ] {
            assert_eq!(joined(base, address), expected, "{base} {address}");
        }
    }
}

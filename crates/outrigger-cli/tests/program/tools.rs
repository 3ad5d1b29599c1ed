//! `outrigger tools` (formats.md; H9).

use crate::bench::Bench;

#[test]
fn json_has_the_promised_keys() {
    let done = Bench::new().run(&["tools", "--json"]);
    let menu = done.json();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&menu), ["profile", "tools", "visible_tokens", "flat_tokens"]);
    assert_eq!(
        keys(&menu["tools"][0]),
        ["name", "identity", "wire_name", "visible", "behind", "source", "bytes", "tokens", "strict", "losses"]
    );
    assert_eq!((menu["profile"].as_str(), done.code), (Some("canonical"), Some(0)));
    let sum: u64 = menu["tools"].as_array().unwrap().iter().map(|tool| tool["tokens"].as_u64().unwrap()).sum();
    assert_eq!(menu["visible_tokens"], sum);
}

#[test]
fn people_read_a_line_a_tool() {
    let bench = Bench::new().with("agent.toml", "harnesses = [\"Calculator\", \"Clock\"]\n");
    let done = bench.run(&["tools"]);
    let first = done.stdout.lines().next().unwrap();
    assert!(first.starts_with("Calculator.calculate") && first.contains(" bytes  Calculates"), "{first}");
    assert_eq!(done.stdout.lines().count(), 3);
    assert_eq!(done.stderr, "");
}

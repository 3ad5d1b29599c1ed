//! Which tools of a request are held to their schemas.
//!
//! A request may have only so many strict tools, optional properties and unions, and tools come and go with the menu,
//! so it is decided for each request. A tool that is passed over keeps its schema: what a strict schema says is true of
//! the tool either way. Tools are served in their order, so that one more at the end changes nothing before it and
//! the provider's cache holds.

use std::sync::Arc;

use outrigger_contract::{StrictBudget, StrictCandidate, plan_strict};
use outrigger_core::model::ToolBlock;
use serde_json::Value;

/// Says for each tool whether it is strict. The schema of the answer, where there is one, spends first: it cannot be
/// sent otherwise.
pub(super) fn plan(tools: &[Arc<ToolBlock>], output: Option<&ToolBlock>, budget: &StrictBudget) -> Vec<bool> {
    let spent = output.map(|output| count(&output.schema)).unwrap_or_default();
    let left = StrictBudget {
        tools: budget.tools,
        optional: budget.optional.saturating_sub(spent.optional),
        unions: budget.unions.saturating_sub(spent.unions),
    };
    let candidates: Vec<StrictCandidate> = tools.iter().map(|tool| candidate(tool)).collect();
    plan_strict(&candidates, &left)
}

fn candidate(tool: &ToolBlock) -> StrictCandidate {
    let Counts { optional, unions } = if tool.strict { count(&tool.schema) } else { Counts::default() };
    StrictCandidate { strict: tool.strict, optional, unions, read_only: false }
}

/// What a schema spends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    optional: u32,
    unions: u32,
}

/// Counts as the projection does: references are counted where they stand and not followed.
fn count(schema: &str) -> Counts {
    let mut counts = Counts::default();
    if let Ok(schema) = serde_json::from_str(schema) {
        counts.add(&schema);
    }
    counts
}

impl Counts {
    fn add(&mut self, schema: &Value) {
        let Some(object) = schema.as_object() else { return };
        let is_union = object.contains_key("anyOf") || object.get("type").is_some_and(Value::is_array);
        self.unions = self.unions.saturating_add(u32::from(is_union));
        for (key, value) in object {
            match (key.as_str(), value) {
                ("properties", Value::Object(named)) => {
                    let required = object.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                    let is_optional = |name: &&String| !required.iter().any(|one| one.as_str() == Some(name));
                    let optional = named.keys().filter(is_optional).count();
                    self.optional = self.optional.saturating_add(u32::try_from(optional).unwrap_or(u32::MAX));
                    named.values().for_each(|inner| self.add(inner));
                }
                ("$defs", Value::Object(named)) => named.values().for_each(|inner| self.add(inner)),
                ("anyOf" | "prefixItems", Value::Array(schemas)) => schemas.iter().for_each(|inner| self.add(inner)),
                ("items" | "additionalProperties" | "not", inner) => self.add(inner),
                _ => {}
            }
        }
    }
}

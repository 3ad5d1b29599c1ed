//! Which tools of one request are strict, where a provider limits what strict tools may have together.

use super::Projection;
use crate::profile::StrictBudget;

/// One tool of a request, as its strict projection counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrictCandidate {
    /// Whether it could be sent strictly at all.
    pub strict: bool,
    /// Properties that are not required.
    pub optional: u32,
    /// Properties with a union type.
    pub unions: u32,
    /// Whether the tool changes nothing outside. Tools that do come first.
    pub read_only: bool,
}

impl StrictCandidate {
    /// What a projection needs of the budget.
    #[must_use]
    pub fn new(projection: &Projection, read_only: bool) -> Self {
        let sizes = projection.sizes;
        Self { strict: projection.strict, optional: sizes.optional, unions: sizes.unions, read_only }
    }
}

/// Says for each tool whether it is sent strictly. Tools with effects are served first, and each kind in its order; a
/// tool that no longer fits is passed over, and those after it may still fit. A tool that is not chosen is sent as the
/// profile's `relaxed` has it.
#[must_use]
pub fn plan_strict(tools: &[StrictCandidate], budget: &StrictBudget) -> Vec<bool> {
    let mut strict = vec![false; tools.len()];
    let mut left = *budget;
    let with_effects = tools.iter().zip(0..).filter(|(tool, _)| !tool.read_only);
    let reading = tools.iter().zip(0..).filter(|(tool, _)| tool.read_only);
    for (tool, index) in with_effects.chain(reading) {
        let Some(rest) = spend(left, tool) else { continue };
        left = rest;
        if let Some(slot) = strict.get_mut::<usize>(index) {
            *slot = true;
        }
    }
    strict
}

/// What is left of a budget after one more tool, if it fits.
fn spend(left: StrictBudget, tool: &StrictCandidate) -> Option<StrictBudget> {
    if !tool.strict {
        return None;
    }
    Some(StrictBudget {
        tools: left.tools.checked_sub(1)?,
        optional: left.optional.checked_sub(tool.optional)?,
        unions: left.unions.checked_sub(tool.unions)?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BUDGET: StrictBudget = StrictBudget { tools: 2, optional: 5, unions: 1 };

    fn tool(optional: u32, unions: u32, read_only: bool) -> StrictCandidate {
        StrictCandidate { strict: true, optional, unions, read_only }
    }

    #[test]
    fn tools_with_effects_come_first() {
        let tools = [tool(0, 0, true), tool(0, 0, false), tool(0, 0, true), tool(0, 0, false)];
        assert_eq!(plan_strict(&tools, &BUDGET), [false, true, false, true]);
    }

    #[test]
    fn a_tool_too_large_for_what_is_left_makes_way() {
        let tools = [tool(3, 0, false), tool(3, 0, false), tool(2, 1, false), tool(0, 0, true)];
        assert_eq!(plan_strict(&tools, &BUDGET), [true, false, true, false]);
    }

    #[test]
    fn what_cannot_be_strict_spends_nothing() {
        let tools = [StrictCandidate { strict: false, ..tool(5, 1, false) }, tool(5, 1, true)];
        assert_eq!(plan_strict(&tools, &BUDGET), [false, true]);
    }

    proptest! {
        #[test]
        fn the_budget_is_kept_and_used(
            tools in prop::collection::vec((any::<bool>(), 0_u32..8, 0_u32..3, any::<bool>()), 0..40),
        ) {
            let budget = StrictBudget { tools: 20, optional: 24, unions: 16 };
            let tools: Vec<_> = tools
                .into_iter()
                .map(|(strict, optional, unions, read_only)| StrictCandidate { strict, optional, unions, read_only })
                .collect();
            let plan = plan_strict(&tools, &budget);
            let chosen: Vec<_> = tools.iter().zip(&plan).filter(|(_, strict)| **strict).map(|(tool, _)| *tool).collect();
            let spent = |count: fn(&StrictCandidate) -> u32| chosen.iter().map(count).sum::<u32>();
            let (count, optional, unions) = (spent(|_| 1), spent(|tool| tool.optional), spent(|tool| tool.unions));
            prop_assert!(count <= budget.tools && optional <= budget.optional && unions <= budget.unions);
            for (tool, strict) in tools.iter().zip(&plan) {
                let fits = count < budget.tools
                    && optional + tool.optional <= budget.optional
                    && unions + tool.unions <= budget.unions;
                prop_assert!(*strict || !tool.strict || !fits);
            }
        }
    }
}

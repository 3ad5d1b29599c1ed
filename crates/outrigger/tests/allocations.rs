//! What a round of the loop allocates: counted, not timed, so that the gate holds on any machine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::alloc::System;
use std::sync::{Arc, Mutex};

use outrigger::Agent;
use outrigger::scripted::{Script, ScriptedModel};
use outrigger::tool::{Body, NativeTool, Tool, ToolOutput, ToolSpec};
use outrigger::transcript::StopReason;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Allocations so far, told by the tool at each of its calls.
struct Counter(Mutex<Vec<usize>>);

type Arguments = std::collections::BTreeMap<String, String>;

fn tool(counter: &Arc<Counter>, name: &str) -> Arc<dyn Tool> {
    let body = Body::<Counter, Arguments>::Future(|counter, _, _| {
        counter.0.lock().unwrap().push(ALLOCATOR.stats().allocations);
        Box::pin(std::future::ready(Ok(ToolOutput::text("counted"))))
    });
    Arc::new(NativeTool::new(Arc::clone(counter), ToolSpec::new(name, "Counts what was allocated."), body))
}

/// Allocations of each round, from one tool call to the next, with this many tools registered.
fn rounds(tools: usize, rounds: usize) -> Vec<usize> {
    let counter = Arc::new(Counter(Mutex::new(Vec::with_capacity(rounds))));
    let script = (0..rounds).fold(Script::new(), |script, _| script.call("count_0", r#"{"text":"a short argument"}"#));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let result = runtime.block_on(async {
        let mut limits = outrigger::agent::Limits::default();
        limits.max_iterations = limits.max_iterations.saturating_add(u32::try_from(rounds).unwrap());
        let builder = Agent::builder().model(ScriptedModel::new(script.text("done"))).limits(limits);
        let builder = (0..tools).fold(builder, |builder, n| builder.tool(tool(&counter, &format!("count_{n}"))));
        builder.build().await.unwrap().run("count").await.unwrap()
    });
    assert_eq!(result.stop, StopReason::Answered);
    let marks = counter.0.lock().unwrap();
    assert_eq!(marks.len(), rounds);
    marks.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// The least of three times: other threads of the test's process allocate now and then, and only add.
fn least(tools: usize, count: usize) -> Vec<usize> {
    let times = [rounds(tools, count), rounds(tools, count), rounds(tools, count)];
    (0..count - 1).map(|round| times.iter().map(|rounds| rounds[round]).min().unwrap()).collect()
}

/// Growing lists double now and then; a round is judged with its neighbours.
fn around(rounds: &[usize], round: usize) -> usize {
    let near = &rounds[round - 5..=(round + 4).min(rounds.len() - 1)];
    near.iter().sum::<usize>() / near.len()
}

#[test]
fn a_round_costs_the_same_with_1_and_with_500_tools_and_does_not_grow() {
    let (one, many) = (least(1, 120), least(500, 120));
    println!("allocations a round: {} at the 10th, {} at the 100th", around(&one, 10), around(&one, 100));
    assert_eq!(one, many, "rounds with 1 tool and with 500 allocate alike");
    assert!(around(&one, 100) * 10 <= around(&one, 10) * 11, "round 100 allocates more than 1.1 times round 10");
    assert!(one.iter().all(|round| *round <= 200), "a round allocates more than 200 times: {one:?}");
}

//! Wall time and allocations of the loop with a scripted model, of binding and of sealing.
//!
//! `cargo bench -p outrigger --bench rounds`

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::sync::Arc;

use divan::{AllocProfiler, Bencher};
use outrigger::Agent;
use outrigger::contract::{Limits as BindLimits, WirePlan};
use outrigger::scripted::{Script, ScriptedModel};
use outrigger::tool::{Body, NativeTool, Tool, ToolOutput, ToolSpec};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

type Arguments = std::collections::BTreeMap<String, String>;

fn tool(name: &str) -> Arc<dyn Tool> {
    let body = Body::<(), Arguments>::Future(|_, _, _| Box::pin(std::future::ready(Ok(ToolOutput::text("ok")))));
    Arc::new(NativeTool::new(Arc::new(()), ToolSpec::new(name, "Does nothing, quickly."), body))
}

async fn agent(tools: usize, rounds: usize) -> Agent {
    let script = (0..rounds).fold(Script::new(), |script, _| script.call("tool_0", r#"{"text":"a short argument"}"#));
    let mut limits = outrigger::agent::Limits::default();
    limits.max_iterations = limits.max_iterations.saturating_add(u32::try_from(rounds).unwrap_or(u32::MAX));
    let builder = Agent::builder().model(ScriptedModel::new(script.text("done"))).limits(limits);
    let builder = (0..tools).fold(builder, |builder, n| builder.tool(tool(&format!("tool_{n}"))));
    builder.build().await.unwrap()
}

/// A run of 100 rounds with one call each.
#[divan::bench(args = [1, 100, 500])]
fn hundred_rounds(bencher: Bencher<'_, '_>, tools: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    bencher
        .with_inputs(|| runtime.block_on(agent(tools, 100)))
        .bench_local_values(|agent| runtime.block_on(async { agent.run("go").await.unwrap() }));
}

/// Building an agent: shapes, schemas, blocks.
#[divan::bench(args = [1, 100, 500])]
fn build(bencher: Bencher<'_, '_>, tools: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    bencher.bench_local(|| runtime.block_on(agent(tools, 1)));
}

/// Binding one call's arguments.
#[divan::bench]
fn bind(bencher: Bencher<'_, '_>) {
    let (tool, plan, limits) = (tool("tool"), WirePlan::default(), BindLimits::default());
    bencher.bench_local(|| tool.bind(divan::black_box(r#"{"text":"a short argument"}"#), &plan, &limits).is_ok());
}

/// One run of one round on a thread that already has this many: what a request costs late in a thread.
#[divan::bench(args = [10, 1000])]
fn next_turn_on_a_thread_of(bencher: Bencher<'_, '_>, rounds: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    bencher
        .with_inputs(|| {
            runtime.block_on(async {
                let script = (0..rounds).fold(Script::new(), |script, _| script.call("tool_0", r#"{"text":"a"}"#));
                let mut limits = outrigger::agent::Limits::default();
                limits.max_iterations = limits.max_iterations.saturating_add(u32::try_from(rounds).unwrap_or(u32::MAX));
                let model = ScriptedModel::new(script.text("done").repeating());
                let agent = Agent::builder().model(model).limits(limits).tool(tool("tool_0")).build().await.unwrap();
                let thread = agent.thread("s", "main");
                thread.run("go").await.unwrap();
                thread
            })
        })
        // The thread goes out again, so that freeing it is not counted.
        .bench_local_values(|thread| (runtime.block_on(thread.run("and again")).is_ok(), thread));
}

#![allow(unused, reason = "only the errors are of interest")]

use std::sync::mpsc::Sender;

use outrigger_core::tool::ToolContext;
use outrigger_macros::harness;
use tokio_util::sync::CancellationToken;

struct Agent;
struct Weather;

#[harness]
impl Weather {
    #[tool]
    fn one(&self, agent: &Agent, words: &mut Vec<String>, bytes: &[u8]) {}

    #[tool]
    fn two(&self, out: Sender<u8>, tokens: Vec<CancellationToken>) {}

    #[tool]
    fn three(&self, context: ToolContext, token: &CancellationToken) {}

    #[tool]
    fn four(&self, words: Vec<&str>, call: fn(u8), #[arg(default)] context: &ToolContext) {}
}

fn main() {}

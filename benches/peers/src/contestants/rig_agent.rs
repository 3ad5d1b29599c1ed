//! rig's classic agent, streaming.

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use rig::agent::MultiTurnStreamItem;
use rig::providers::openai::OpenAIConfig;
use rig::tool::ToolExecutionError;
use rig::{Agent, AgentBuilder, rig_tool};

use super::Contestant;
use crate::conversation::{KEY, PROMPT, ROUNDS, SYSTEM};

pub(super) fn make(base_url: String) -> BoxFuture<'static, Box<dyn Contestant>> {
    let model = OpenAIConfig::new(KEY).with_base_url(base_url).client().chat("mock");
    let agent = AgentBuilder::new(model).preamble(SYSTEM).tool(Forecast).build();
    Box::pin(async move { Box::new(Rig { agent }) as Box<dyn Contestant> })
}

struct Rig {
    agent: Agent,
}

/// Forecasts the weather of one day in a city.
#[rig_tool]
async fn forecast(
    /// The city to look up.
    city: String,
    /// How many days from today.
    day: u32,
) -> Result<String, ToolExecutionError> {
    Ok(crate::conversation::forecast(&city, day))
}

impl Contestant for Rig {
    fn converse(&self) -> BoxFuture<'_, String> {
        Box::pin(async move {
            let mut stream = self.agent.prompt(PROMPT).max_turns(ROUNDS + 1).stream();
            let mut answer = None;
            while let Some(item) = stream.next().await {
                if let MultiTurnStreamItem::FinalResponse(response) = item.expect("an answer") {
                    answer = Some(response.output().to_owned());
                }
            }
            answer.expect("a final response")
        })
    }
}

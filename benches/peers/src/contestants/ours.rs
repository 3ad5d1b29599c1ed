//! Outrigger: the whole agent.

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use outrigger::event::EventKind;
use outrigger::models::Key;
use outrigger::prelude::*;

use super::Contestant;
use crate::conversation::{KEY, PROMPT, SYSTEM, forecast};

pub(super) fn make(base_url: String, events: bool) -> BoxFuture<'static, Box<dyn Contestant>> {
    Box::pin(async move {
        let model = model("openai:mock").base_url(base_url).key(Key::new(KEY));
        let agent = Agent::builder().instructions(SYSTEM).model(model).harness(Weather).build().await;
        Box::new(Ours { agent: agent.expect("a sound agent"), events }) as Box<dyn Contestant>
    })
}

struct Ours {
    agent: Agent,
    events: bool,
}

struct Weather;

/// The weather.
#[harness]
impl Weather {
    /// Forecasts the weather of one day in a city.
    #[tool]
    async fn forecast(
        &self,
        /// The city to look up.
        city: String,
        /// How many days from today.
        day: u32,
    ) -> String {
        forecast(&city, day)
    }
}

impl Contestant for Ours {
    fn converse(&self) -> BoxFuture<'_, String> {
        Box::pin(async move {
            let result = if self.events { self.read_events().await } else { self.agent.run(PROMPT).await };
            result.expect("an answer").text().to_owned()
        })
    }
}

impl Ours {
    async fn read_events(&self) -> Result<TurnResult, outrigger::agent::RunError> {
        let mut stream = self.agent.stream(PROMPT);
        let mut read = 0;
        while let Some(event) = stream.next().await {
            if let EventKind::TextDelta { text, .. } = &event.kind {
                read += text.len();
            }
        }
        assert!(read > 0, "text was heard");
        stream.result().await
    }
}

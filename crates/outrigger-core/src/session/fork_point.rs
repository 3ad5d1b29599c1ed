//! Where in a thread a fork begins.

use super::store::{Store, StoreError, ThreadKey};
use crate::transcript::{Envelope, View};

/// How much of a thread a fork shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForkPoint {
    /// All of it.
    #[default]
    End,
    /// Its first so many messages, as [`View::messages`] counts them.
    Messages(usize),
    /// Its first so many records.
    Records(u64),
}

impl ForkPoint {
    /// The number of records that are shared; all of them without.
    ///
    /// # Errors
    /// When there are not so many messages, or the store cannot read the thread.
    pub async fn resolve(self, store: &dyn Store, source: &ThreadKey) -> Result<Option<u64>, StoreError> {
        match self {
            Self::End => Ok(None),
            Self::Records(at) => Ok(Some(at)),
            Self::Messages(wanted) => {
                let reading = store.read(source, 0).await?;
                records_with(&reading.records, wanted).map(Some).map_err(|length| StoreError::TooFewMessages {
                    key: source.clone(),
                    at: wanted,
                    length,
                })
            }
        }
    }
}

/// How many records make up the first `wanted` messages: up to a point where no turn is open, if there is one, else just
/// enough. Fails with the number of messages there are.
fn records_with(records: &[Envelope], wanted: usize) -> Result<u64, usize> {
    let mut view = View::default();
    let mut enough = (wanted == 0).then_some(0);
    let mut settled = enough;
    for record in records {
        view.apply(record);
        let length = view.messages().len();
        if length > wanted {
            break;
        }
        if length == wanted {
            enough = enough.or(Some(view.sequence()));
            if view.turn().is_none() {
                settled = Some(view.sequence());
            }
        }
    }
    settled.or(enough).ok_or_else(|| view.messages().len())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::transcript::{
        AssistantMessage, AssistantPart, CallResult, CallStatus, Finish, ModelName, Record, StopReason, Timestamp,
        ToolCall, TurnEnded, TurnStarted, Usage, UserMessage,
    };

    fn said(parts: Vec<AssistantPart>) -> Record {
        let by = ModelName { provider: "p".into(), model: "m".into() };
        Record::AssistantMessage(Arc::new(AssistantMessage { parts, by, finish: Finish::Stop, partial: false }))
    }

    fn turn() -> Vec<Record> {
        let call = ToolCall { id: "c".into(), name: "t".into(), arguments: "{}".into() };
        vec![
            Record::TurnStarted(TurnStarted { turn: "t".into(), run: "r".into() }),
            Record::UserMessage(UserMessage::text("hi")),
            said(vec![AssistantPart::Call(call.clone())]),
            Record::ToolResult(Arc::new(CallResult::text(&call, CallStatus::Ok, "x"))),
            said(vec![AssistantPart::Text("done".into())]),
            Record::TurnEnded(TurnEnded { turn: "t".into(), stop: StopReason::Answered, usage: Usage::default() }),
        ]
    }

    // T5: a fork at any message has exactly those messages, and what belongs to them.
    #[test]
    fn messages_are_found_among_records() {
        let records: Vec<Envelope> =
            turn().into_iter().chain(turn()).map(|one| Envelope::new(Timestamp(0), None, one)).collect();
        let found: Vec<_> = (0..10).map(|wanted| records_with(&records, wanted)).collect();
        let ok = [0, 2, 3, 4, 6, 8, 9, 10, 12].map(Ok);
        assert_eq!(found, [&ok[..], &[Err(8)]].concat());
    }
}

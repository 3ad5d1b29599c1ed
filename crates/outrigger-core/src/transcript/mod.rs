//! Records and all plain data they name, their incremental projection, the legality checker.
//!
//! A thread is a log of [`Record`]s. Everything else is derived from it: [`View`] is the one fold that turns records
//! into a conversation, and [`Legality`] the one checker that says whether a conversation may be sent.

mod dialect;
mod ids;
mod legality;
mod message;
mod openings;
pub(crate) mod prompts;
mod question;
mod record;
mod spine;
mod stop;
mod time;
mod view;

pub use dialect::{CallIdRule, Dialect};
pub use ids::{CallId, RunId, SessionId, Text, ThreadId, TurnId};
pub use legality::{Illegal, Legal, Legality};
pub use message::{
    AssistantMessage, AssistantPart, CallResult, CallStatus, ContextMessage, Finish, Image, Message, ModelName,
    ModelResponse, Opaque, OutputPart, ResultsMessage, ToolCall, Usage, UserMessage, UserPart,
};
pub use openings::{ContainerClosed, ContainerOpened, Lifetime, Opening, Openings};
pub use question::{Answer, Question};
pub use record::{
    Envelope, Origin, RECORD_VERSION, Record, RecordsLost, ToolIntent, TurnEnded, TurnStarted, UnknownRecord,
};
pub use spine::Spine;
pub use stop::StopReason;
pub use time::Timestamp;
pub use view::{OpenTurn, View};

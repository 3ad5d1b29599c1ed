//! Asking people and clients.

use futures_util::future::BoxFuture;

use crate::transcript::{Answer, Question};

/// Who is asked. A host attaches one; without it every question is decided at once by [`NoAsker`].
pub trait Ask: Send + Sync {
    /// The answer. Dropping the future withdraws the question.
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer>;
}

/// Nobody can be asked: what needs permission is denied.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAsker;

impl Ask for NoAsker {
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer> {
        let answer = match question {
            Question::Permission { .. } => Answer::Denied { reason: Some(NOBODY.into()) },
        };
        Box::pin(std::future::ready(answer))
    }
}

/// What the model reads when nobody could be asked.
const NOBODY: &str = "nobody is there to allow it";

//! The turn as a state machine that does no I/O.
//!
//! A turn is a queue of [`Step`]s. [`Turn::step`] tells what to do next and repeats it until [`Turn::next`] hears the
//! [`Outcome`], so that the turn alone is the checkpoint: it serialises between any two steps, and a step whose outcome
//! was lost is simply performed again.

mod fault;
mod prompts;
mod step;

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use fault::Fault;
pub(crate) use prompts::CANCELLED;
pub use step::{BatchEnd, ModelEnd, Outcome, Prepared, PreparedCall, Step, TurnEnd};

use crate::transcript::{
    Answer, AssistantMessage, CallResult, CallStatus, ContextMessage, Finish, ModelResponse, Question, Record, RunId,
    StopReason, Text, ToolCall, TurnEnded, TurnId, TurnStarted, Usage, UserMessage,
};

/// One turn, from a user message to its typed end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    turn: TurnId,
    queue: VecDeque<Step>,
    number: u32,
    iteration: u32,
    failed_iterations: u32,
    limits: TurnLimits,
    wanted: Option<WantedOutput>,
    usage: Usage,
    output: Option<Text>,
    answer: Option<Arc<AssistantMessage>>,
}

/// An output the turn must end with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantedOutput {
    /// The output tool's name.
    tool: Text,
    /// Whether the answer itself is the output, and no tool is called.
    native: bool,
    /// How many times the model was asked for it after it answered in text.
    asked: u32,
}

impl WantedOutput {
    /// The output of this tool's arguments: by a call of it, or, `native`, by an answer that is them.
    #[must_use]
    pub fn new(tool: Text, native: bool) -> Self {
        Self { tool, native, asked: 0 }
    }
}

/// How many times a model that answers in text is asked for the output it owes.
const ASKED: u32 = 2;

/// When a turn ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnLimits {
    /// Most iterations.
    pub max_iterations: u32,
    /// Most iterations in a row in which every call failed.
    pub tool_errors: u32,
}

/// An outcome that is not one of the step's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the turn waits for the outcome of {step}, but was given {outcome}")]
pub struct Mismatch {
    /// The step that waits.
    pub step: &'static str,
    /// What was given.
    pub outcome: &'static str,
}

impl Turn {
    /// A turn that answers `message`.
    #[must_use]
    pub fn new(turn: TurnId, run: RunId, message: UserMessage, limits: TurnLimits) -> Self {
        let started = Record::TurnStarted(TurnStarted { turn: turn.clone(), run });
        let begin = Step::Append(vec![started, Record::UserMessage(message)]);
        Self {
            turn,
            queue: VecDeque::from([begin, Step::Model { iteration: 1 }]),
            number: 0,
            iteration: 1,
            failed_iterations: 0,
            limits,
            wanted: None,
            usage: Usage::default(),
            output: None,
            answer: None,
        }
    }

    /// The turn must end with this output: a model that answers otherwise is asked for it.
    #[must_use]
    pub fn wanting(mut self, output: WantedOutput) -> Self {
        self.wanted = Some(output);
        self
    }

    /// The turn's identity.
    #[must_use]
    pub fn id(&self) -> &TurnId {
        &self.turn
    }

    /// The present iteration, from 1.
    #[must_use]
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// How the turn stands if it cannot go on: failed, with nothing more written.
    pub(crate) fn abandon(&self, fault: Fault) -> TurnEnd {
        self.done(StopReason::Failed, Some(fault))
    }

    /// What to do now. The same until [`next`](Self::next) is told how it went.
    #[must_use]
    pub fn step(&self) -> &Step {
        self.queue.front().unwrap_or(&Step::Over)
    }

    /// The number of the present step: the same step has the same number, however often it is performed.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Hears how the present step went, and goes on to the next.
    ///
    /// # Errors
    /// When the outcome is not one of this step's; the turn is as it was.
    pub fn next(&mut self, outcome: Outcome) -> Result<&Step, Mismatch> {
        match (self.step(), outcome) {
            (Step::Append(_), Outcome::Appended) => self.advance(),
            (Step::Append(_) | Step::Tools(_), Outcome::Failed(fault)) => self.fail_unwritten(fault),
            (Step::Model { .. }, Outcome::Model(ModelEnd::Answered(response))) => self.answered(&response),
            (Step::Model { .. }, Outcome::Model(ModelEnd::Failed(fault))) => self.end(StopReason::Failed, Some(fault)),
            (Step::Model { .. }, Outcome::Model(ModelEnd::Stopped { stop, partial })) => {
                self.stopped(stop, partial.as_ref());
            }
            (Step::Prepare(_), Outcome::Prepared { batch, facts }) => self.prepared(batch, facts),
            (Step::Prepare(_), Outcome::Output(Ok(output))) => {
                self.output = Some(output);
                self.end(StopReason::OutputTool, None);
            }
            (Step::Prepare(_), Outcome::Output(Err(problem))) => self.ask_for_output(None, Some(&problem)),
            (Step::Ask { batch, .. }, Outcome::Answers(answers)) => {
                let batch = batch.clone();
                self.asked(batch, answers);
            }
            (Step::Ask { batch, .. }, Outcome::Stopped(stop)) => {
                let batch = batch.iter().map(|call| Prepared::Settled(cancelled(call))).collect();
                let [record, done] = self.ending(stop, None);
                self.replace([Step::Tools(batch), record, done]);
            }
            (Step::Tools(_), Outcome::Tools(end)) => self.ran(end),
            (step, outcome) => return Err(Mismatch { step: step.name(), outcome: outcome.name() }),
        }
        Ok(self.step())
    }

    fn advance(&mut self) {
        self.queue.pop_front();
        self.number = self.number.saturating_add(1);
    }

    /// The present step is done; these are the next ones.
    fn replace(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.advance();
        self.queue.clear();
        self.queue.extend(steps);
    }

    fn answered(&mut self, response: &ModelResponse) {
        let message = self.said(response);
        let calls: Vec<ToolCall> = message.calls().cloned().collect();
        let append = Step::Append(vec![Record::AssistantMessage(Arc::clone(message))]);
        let owes = self.wanted.as_ref().filter(|_| calls.is_empty() && message.finish != Finish::Refused);
        if let Some(wanted) = owes {
            if wanted.native {
                self.replace([append, Step::Prepare(Arc::clone(&response.message))]);
            } else {
                self.ask_for_output(Some(append), None);
            }
        } else if calls.is_empty() {
            let stop = if message.finish == Finish::Refused { StopReason::Refused } else { StopReason::Answered };
            let [record, done] = self.ending(stop, None);
            self.replace([append, record, done]);
        } else {
            self.replace([append, Step::Prepare(Arc::clone(&response.message))]);
        }
    }

    /// The model answered and owes an output, or one that fits: it is asked again, or the turn fails.
    fn ask_for_output(&mut self, answered: Option<Step>, problem: Option<&str>) {
        let Some(wanted) = &mut self.wanted else { return };
        if wanted.asked >= ASKED || self.iteration >= self.limits.max_iterations {
            let message = match problem {
                Some(problem) => format!("the model's answer never was the value it was asked for: {problem}"),
                None => format!("the model answered in text and never called {:?}, although asked to", wanted.tool),
            };
            let fault = Fault { kind: "output.missing".into(), message: message.into(), detail: None };
            let ending = self.ending(StopReason::Failed, Some(fault));
            return self.replace(answered.into_iter().chain(ending));
        }
        wanted.asked = wanted.asked.saturating_add(1);
        let text = match problem {
            Some(problem) => prompts::output_misfits(problem).into(),
            None => prompts::output_wanted(&wanted.tool).into(),
        };
        let asked = Record::ContextMessage(ContextMessage { source: "output".into(), text });
        self.iteration = self.iteration.saturating_add(1);
        let next = [Step::Append(vec![asked]), Step::Model { iteration: self.iteration }];
        self.replace(answered.into_iter().chain(next));
    }

    fn stopped(&mut self, stop: StopReason, partial: Option<&ModelResponse>) {
        let Some(response) = partial else { return self.end(stop, None) };
        let message = Arc::clone(self.said(response));
        let append = Step::Append(vec![Record::AssistantMessage(Arc::clone(&message))]);
        let batch: Vec<Prepared> = message
            .calls()
            .map(|call| Prepared::Settled(Arc::new(CallResult::text(call, CallStatus::Cancelled, prompts::CANCELLED))))
            .collect();
        let [record, done] = self.ending(stop, None);
        if batch.is_empty() {
            self.replace([append, record, done]);
        } else {
            self.replace([append, Step::Tools(batch), record, done]);
        }
    }

    fn said<'a>(&mut self, response: &'a ModelResponse) -> &'a Arc<AssistantMessage> {
        self.usage = self.usage.plus(response.usage);
        self.answer = Some(Arc::clone(&response.message));
        &response.message
    }

    fn prepared(&mut self, batch: Vec<Prepared>, facts: Vec<Record>) {
        let opened = (!facts.is_empty()).then_some(Step::Append(facts));
        if let Some(output) = batch.iter().find_map(Prepared::output) {
            self.output = Some(output);
            let batch = with_output(batch);
            let [record, done] = self.ending(StopReason::OutputTool, None);
            return self.replace(opened.into_iter().chain([Step::Tools(batch), record, done]));
        }
        let questions: Vec<Question> = batch.iter().filter_map(Prepared::question).collect();
        let next = if questions.is_empty() { Step::Tools(batch) } else { Step::Ask { questions, batch } };
        self.replace(opened.into_iter().chain([next]));
    }

    /// Answers come in the order of the questions; a question without an answer is a denial.
    fn asked(&mut self, batch: Vec<Prepared>, answers: Vec<Answer>) {
        let mut answers = answers.into_iter();
        let decided = batch.into_iter().map(|prepared| match prepared {
            Prepared::Run(call) if call.gated => match answers.next() {
                Some(Answer::Allowed) => Prepared::Run(PreparedCall { gated: false, ..call }),
                Some(Answer::Denied { reason }) => denied(&call.call, reason.as_deref()),
                None => denied(&call.call, None),
            },
            other => other,
        });
        let batch = decided.collect();
        self.replace([Step::Tools(batch)]);
    }

    fn ran(&mut self, end: BatchEnd) {
        // A batch that only settles what a stop left open is followed by the turn's end already.
        if self.queue.len() > 1 {
            return self.advance();
        }
        if let Some(stop) = end.stopped {
            return self.end(stop, None);
        }
        self.failed_iterations = if end.all_failed { self.failed_iterations.saturating_add(1) } else { 0 };
        if self.failed_iterations >= self.limits.tool_errors {
            self.end(StopReason::ToolErrors, None);
        } else if self.iteration >= self.limits.max_iterations {
            self.end(StopReason::MaxIterations, None);
        } else {
            self.iteration = self.iteration.saturating_add(1);
            self.replace([Step::Model { iteration: self.iteration }]);
        }
    }

    fn end(&mut self, stop: StopReason, fault: Option<Fault>) {
        let steps = self.ending(stop, fault);
        self.replace(steps);
    }

    fn ending(&self, stop: StopReason, fault: Option<Fault>) -> [Step; 2] {
        let ended = TurnEnded { turn: self.turn.clone(), stop, usage: self.usage };
        [Step::Append(vec![Record::TurnEnded(ended)]), Step::Done(self.done(stop, fault))]
    }

    /// The store does not take the turn's facts: nothing more is written, and repair on load ends the turn.
    fn fail_unwritten(&mut self, fault: Fault) {
        let done = Step::Done(self.done(StopReason::Failed, Some(fault)));
        self.replace([done]);
    }

    fn done(&self, stop: StopReason, fault: Option<Fault>) -> TurnEnd {
        TurnEnd {
            stop,
            fault,
            usage: self.usage,
            iterations: self.iteration,
            output: self.output.clone(),
            answer: self.answer.clone(),
        }
    }
}

fn cancelled(prepared: &Prepared) -> Arc<CallResult> {
    match prepared {
        Prepared::Settled(result) => Arc::clone(result),
        Prepared::Run(call) | Prepared::Output(call) => {
            Arc::new(CallResult::text(&call.call, CallStatus::Cancelled, prompts::CANCELLED))
        }
    }
}

/// The first valid output is accepted; whatever stands beside it is not run.
fn with_output(batch: Vec<Prepared>) -> Vec<Prepared> {
    let mut accepted = false;
    let settle = |prepared| match prepared {
        Prepared::Output(call) if !accepted => {
            accepted = true;
            Prepared::Settled(Arc::new(CallResult::text(&call.call, CallStatus::Ok, prompts::OUTPUT_ACCEPTED)))
        }
        Prepared::Output(call) | Prepared::Run(call) => {
            Prepared::Settled(Arc::new(CallResult::text(&call.call, CallStatus::Cancelled, prompts::OUTPUT_ENDED)))
        }
        settled @ Prepared::Settled(_) => settled,
    };
    batch.into_iter().map(settle).collect()
}

fn denied(call: &ToolCall, reason: Option<&str>) -> Prepared {
    Prepared::Settled(Arc::new(CallResult::text(call, CallStatus::Denied, prompts::denied(reason))))
}

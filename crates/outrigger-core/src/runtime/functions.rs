//! Running a batch: gated, wrapped, written ahead; one terminal result a call, whatever happens.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};

use super::performer::Performer;
use super::prompts;
use super::retry::wait_before_body;
use super::stop::GRACE;
use crate::catalog::Entry;
use crate::event::EventKind;
use crate::middleware::{FunctionCx, FunctionEnd, FunctionFuture, FunctionOutcome, NextFunction};
use crate::tool::{BoundCall, ToolContext, ToolError, ToolOutput, ToolPorts};
use crate::transcript::{CallResult, CallStatus, Record, Text, ToolIntent};
use crate::turn::{BatchEnd, Fault, Outcome, Prepared, PreparedCall};

/// The most bytes an output may have where its tool sets no cap.
pub(crate) const MAX_OUTPUT: u64 = 1 << 20;

impl Performer {
    /// Runs every call of the batch that has no result yet.
    pub(super) async fn run_batch(&self, iteration: u32, batch: &[Prepared]) -> Outcome {
        match self.run_all(iteration, batch).await {
            Ok(all_failed) => Outcome::Tools(BatchEnd { all_failed, stopped: self.stop.reason() }),
            Err(fault) => Outcome::Failed(fault),
        }
    }

    /// Starts calls in order: up to `max_parallel_tools` at once, and one that must be alone only alone. Tells whether
    /// every call failed.
    async fn run_all(&self, iteration: u32, batch: &[Prepared]) -> Result<bool, Fault> {
        let most = usize::try_from(self.agent.limits.max_parallel_tools.get()).unwrap_or(usize::MAX);
        let mut waiting = batch.iter().peekable();
        let mut running = FuturesUnordered::new();
        let mut alone = false;
        let mut all_failed = true;
        loop {
            while let Some(next) = waiting.peek() {
                let exclusive = self.is_exclusive(next);
                if running.len() >= most || (!running.is_empty() && (alone || exclusive)) {
                    break;
                }
                alone = exclusive;
                running.extend(waiting.next().map(|prepared| self.finish(iteration, prepared)));
            }
            match running.next().await {
                Some(status) => all_failed &= !status?.is_ok(),
                None => return Ok(all_failed),
            }
        }
    }

    fn is_exclusive(&self, prepared: &Prepared) -> bool {
        match prepared {
            Prepared::Run(call) => {
                self.catalog.by_identity(&call.tool).is_some_and(|entry| !entry.tool.spec().parallel)
            }
            Prepared::Output(_) | Prepared::Settled(_) => false,
        }
    }

    /// Brings one call to its result on record.
    async fn finish(&self, iteration: u32, prepared: &Prepared) -> Result<CallStatus, Fault> {
        let (id, name) = match prepared {
            Prepared::Run(call) | Prepared::Output(call) => (&call.call.id, &call.call.name),
            Prepared::Settled(result) => (&result.call, &result.name),
        };
        // The step may be performed again after its outcome was lost: what is on record stands.
        if let Some(result) = self.log.view().result(id) {
            return Ok(result.status);
        }
        let result = match prepared {
            Prepared::Settled(result) => Arc::clone(result),
            // The turn settles outputs itself; their body is never run.
            Prepared::Output(call) => {
                Arc::new(CallResult::text(&call.call, CallStatus::Cancelled, crate::turn::CANCELLED))
            }
            Prepared::Run(call) => {
                let FunctionOutcome { status, content } = self.run_function(iteration, call).await?;
                Arc::new(CallResult { call: id.clone(), name: Arc::clone(name), status, content })
            }
        };
        self.append(None, vec![Record::ToolResult(Arc::clone(&result))]).await?;
        self.emit_result(&result);
        Ok(result.status)
    }

    fn emit_result(&self, result: &CallResult) {
        let span = || Some(Text::from(result.call.as_str()));
        self.emit(span, || EventKind::ToolCallResult {
            call: result.call.clone(),
            name: Arc::clone(&result.name),
            status: result.status,
            content: result.text_content().into(),
        });
        self.emit(span, || EventKind::ToolCallEnded { call: result.call.clone(), status: result.status });
    }

    async fn run_function(&self, iteration: u32, call: &PreparedCall) -> Result<FunctionOutcome, Fault> {
        let Some(entry) = self.catalog.by_identity(&call.tool) else {
            return Ok(FunctionOutcome::text(CallStatus::Unavailable, prompts::gone(&call.tool)));
        };
        let attempts = self.log.view().attempts(&call.call.id);
        if attempts > 0 && !entry.tool.spec().idempotent {
            return Ok(FunctionOutcome::text(CallStatus::Interrupted, prompts::interrupted()));
        }
        let function =
            Function { performer: self, call, entry, attempts: AtomicU32::new(attempts), fault: OnceLock::new() };
        let cx = FunctionCx {
            run: &self.run,
            iteration,
            call: &call.call.id,
            tool: &call.tool,
            arguments: &call.arguments,
            events: &*self.events,
        };
        let chain = NextFunction { chain: &self.agent.pipeline.function, end: &function };
        // A wrapper's panic is the call's, as a body's is.
        let outcome = match AssertUnwindSafe(chain.run(&cx)).catch_unwind().await {
            Ok(outcome) => outcome,
            Err(_) => FunctionOutcome::text(CallStatus::Error, prompts::panicked(&call.tool)),
        };
        match function.fault.into_inner() {
            Some(fault) => Err(fault),
            None => Ok(outcome),
        }
    }
}

/// The function under way: what wrappers end in.
struct Function<'a> {
    performer: &'a Performer,
    call: &'a PreparedCall,
    entry: &'a Entry,
    attempts: AtomicU32,
    /// A write ahead that failed ends the turn, whatever wrappers make of the outcome.
    fault: OnceLock<Fault>,
}

impl FunctionEnd for Function<'_> {
    fn call<'a>(&'a self, _: &'a FunctionCx<'a>) -> FunctionFuture<'a> {
        Box::pin(async move {
            let mut failures: u32 = 0;
            loop {
                let end = match self.attempt().await {
                    Ok(end) => end,
                    Err(outcome) => return outcome,
                };
                failures = failures.saturating_add(1);
                match self.wait_before_another(&end, failures) {
                    Some(wait) => self.pause(wait).await,
                    None => return self.shaped(end),
                }
            }
        })
    }
}

/// How a body ended.
enum BodyEnd {
    Returned(Result<ToolOutput, ToolError>),
    Panicked,
    TimedOut,
    Stopped,
}

impl Function<'_> {
    /// Runs the body once, written ahead; or tells how the call ends without.
    async fn attempt(&self) -> Result<BodyEnd, FunctionOutcome> {
        if self.performer.stop.reason().is_some() {
            return Err(FunctionOutcome::text(CallStatus::Cancelled, crate::turn::CANCELLED));
        }
        let bound = self.bound().map_err(|error| FunctionOutcome::text(CallStatus::InvalidArguments, error))?;
        let attempt = self.attempts.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let key: Text = format!("{}:{}", self.performer.run.turn(), self.call.call.id).into();
        if let Err(fault) = self.write_ahead(attempt, &key).await {
            let outcome = FunctionOutcome::text(CallStatus::Error, fault.to_string());
            // The first failure is the one to report.
            drop(self.fault.set(fault));
            return Err(outcome);
        }
        Ok(self.run(bound, attempt, key).await)
    }

    /// How long to wait for another attempt after a failure that may pass, if the tool may run twice.
    fn wait_before_another(&self, end: &BodyEnd, failures: u32) -> Option<Duration> {
        match end {
            BodyEnd::Returned(Err(error)) if error.is_transient() && self.entry.tool.spec().idempotent => {
                wait_before_body(failures)
            }
            _ => None,
        }
    }

    async fn pause(&self, wait: Duration) {
        tokio::select! {
            _ = self.performer.stop.stopped() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }

    /// The call as it was bound when prepared, or, for a later attempt, bound again from its canonical arguments.
    fn bound(&self) -> Result<Box<dyn BoundCall>, String> {
        if let Some(bound) = self.performer.take_bound(&self.call.call.id) {
            return Ok(bound);
        }
        let limits = self.performer.agent.limits.binding();
        let plan = outrigger_contract::WirePlan::default();
        self.entry.tool.bind(&self.call.arguments, &plan, &limits).map_err(|error| error.to_string())
    }

    async fn write_ahead(&self, attempt: u32, key: &Text) -> Result<(), Fault> {
        let intent = Record::ToolIntent(ToolIntent {
            call: self.call.call.id.clone(),
            tool: Arc::clone(&self.call.tool),
            arguments: Arc::clone(&self.call.arguments),
            attempt,
            idempotency_key: Arc::clone(key),
            idempotent: self.entry.tool.spec().idempotent,
            owners: self.performer.catalog.owners(&self.call.tool).map(|one| one.name.clone()).collect(),
        });
        self.performer.append(None, vec![intent]).await
    }

    async fn run(&self, bound: Box<dyn BoundCall>, attempt: u32, idempotency_key: Text) -> BodyEnd {
        let performer = self.performer;
        let ports = ToolPorts {
            call: self.call.call.id.clone(),
            tool: Arc::clone(&self.call.tool),
            attempt,
            idempotency_key,
            events: Arc::clone(&performer.events),
        };
        let handle = performer.run.child();
        let flag = handle.cancellation().clone();
        let context = ToolContext::new(handle, Arc::new(ports));
        // Making the future runs code of the tool as well.
        let body = AssertUnwindSafe(async move { bound.run(context).await }).catch_unwind();
        let mut body = std::pin::pin!(body);
        let end = tokio::select! {
            biased;
            returned = &mut body => return returned_or_panicked(returned),
            _ = performer.stop.stopped() => BodyEnd::Stopped,
            () = tokio::time::sleep(self.timeout()) => BodyEnd::TimedOut,
        };
        flag.cancel();
        // A body that watches its flag may still clean up; what it returns then comes too late to count.
        drop(tokio::time::timeout(GRACE, body).await);
        end
    }

    fn timeout(&self) -> Duration {
        self.entry.tool.spec().timeout.unwrap_or(self.performer.agent.limits.tool_timeout)
    }

    fn shaped(&self, end: BodyEnd) -> FunctionOutcome {
        let spec = self.entry.tool.spec();
        match end {
            BodyEnd::Returned(Ok(output)) => {
                let (size, cap) = (output.size(), spec.max_output.unwrap_or(MAX_OUTPUT));
                if size > cap {
                    return FunctionOutcome::text(CallStatus::Error, prompts::too_large(size, cap));
                }
                if size == 0 {
                    // Some providers refuse a result without content.
                    return FunctionOutcome::text(CallStatus::Ok, prompts::EMPTY);
                }
                FunctionOutcome { status: CallStatus::Ok, content: output.parts }
            }
            BodyEnd::Returned(Err(error)) => {
                self.report(&error);
                FunctionOutcome::text(CallStatus::Error, cut(&error.to_string()))
            }
            BodyEnd::Panicked => FunctionOutcome::text(CallStatus::Error, prompts::panicked(&self.call.tool)),
            BodyEnd::TimedOut => {
                FunctionOutcome::text(CallStatus::TimedOut, prompts::timed_out(self.timeout(), spec.blocking))
            }
            BodyEnd::Stopped => FunctionOutcome::text(CallStatus::Cancelled, prompts::cancelled(spec.blocking)),
        }
    }

    /// Operators get what the model does not read: the error's source.
    fn report(&self, error: &ToolError) {
        self.performer.emit(
            || Some(self.call.call.id.as_str().into()),
            || EventKind::Error {
                source: "tool".into(),
                kind: Arc::clone(&self.call.tool),
                message: match super::faults::causes(error) {
                    Some(causes) => format!("{error}: {causes}").into(),
                    None => error.to_string().into(),
                },
            },
        );
    }
}

fn returned_or_panicked(returned: Result<Result<ToolOutput, ToolError>, Box<dyn std::any::Any + Send>>) -> BodyEnd {
    match returned {
        Ok(result) => BodyEnd::Returned(result),
        Err(panic) => {
            drop_quietly(panic);
            BodyEnd::Panicked
        }
    }
}

/// A panic's payload may itself panic when dropped.
fn drop_quietly(panic: Box<dyn std::any::Any + Send>) {
    if let Err(again) = std::panic::catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
}

/// The most bytes of an error's text that a model reads.
const MAX_ERROR: usize = 16 * 1024;

fn cut(text: &str) -> Text {
    match text.get(..text.floor_char_boundary(MAX_ERROR)) {
        Some(head) if head.len() < text.len() => format!("{head}… ({} bytes in all)", text.len()).into(),
        _ => text.into(),
    }
}

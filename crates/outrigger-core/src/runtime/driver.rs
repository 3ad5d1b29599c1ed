//! The driver of a run: a task the runtime owns, so that a dropped handle stops a run and never tears it.

use std::time::Duration;

use super::faults::store_fault;
use super::performer::{Performer, ended};
use crate::event::EventKind;
use crate::session::{Lease, StoreError, ThreadKey};
use crate::transcript::{StopReason, View};
use crate::turn::{Fault, Turn, TurnEnd};

/// Performs one turn on the thread, from waiting for the thread to its end on record.
pub(crate) async fn drive(
    performer: &Performer,
    lease: impl Future<Output = Result<Lease, StoreError>>,
    turn: Turn,
    max_duration: Duration,
) -> TurnEnd {
    performer.emit(|| None, || EventKind::RunStarted);
    let end = match begin(performer, lease).await {
        Ok(_lease) => {
            performer.emit(|| None, || EventKind::TurnStarted);
            let end = perform_all(performer, turn, max_duration).await;
            performer.emit(|| None, || EventKind::TurnFinished { stop: end.stop, usage: end.usage });
            end
        }
        Err((stop, fault)) => TurnEnd::before_it_began(stop, fault),
    };
    performer.emit(|| None, || EventKind::RunFinished { stop: end.stop });
    end
}

/// Waits for the thread, takes in what others wrote, and brings an interrupted turn to its end.
async fn begin(
    performer: &Performer,
    lease: impl Future<Output = Result<Lease, StoreError>>,
) -> Result<Lease, (StopReason, Option<Fault>)> {
    let failed = |error: StoreError| (StopReason::Failed, Some(store_fault(&error)));
    let lease = tokio::select! {
        biased;
        lease = lease => lease.map_err(failed)?,
        stop = performer.stop.stopped() => return Err((stop, None)),
    };
    performer.log.refresh().await.map_err(failed)?;
    mend(performer).await.map_err(|fault| (StopReason::Failed, Some(fault)))?;
    Ok(lease)
}

/// Sets aside what is damaged and answers what is open, each as a fact on record; or refuses, if it is to be strict.
async fn mend(performer: &Performer) -> Result<(), Fault> {
    let log = &performer.log;
    if let Some(damage) = log.damage() {
        if performer.agent.strict {
            return Err(store_fault(&StoreError::Damaged(Box::new(damage))));
        }
        let error = StoreError::Damaged(Box::new(damage));
        let (kind, message) = (error.kind().into(), error.to_string().into());
        performer.emit(|| None, || EventKind::Error { source: "store".into(), kind, message });
        log.set_damage_aside().await.map_err(|error| store_fault(&error))?;
    }
    let repairs = log.view().repairs();
    if repairs.is_empty() {
        return Ok(());
    }
    if performer.agent.strict {
        let message = unfinished(log.key(), &log.view()).into();
        return Err(Fault { kind: "thread.unfinished".into(), message, detail: None });
    }
    performer.append(None, repairs).await
}

fn unfinished(key: &ThreadKey, view: &View) -> String {
    let turn = view.turn().map_or_else(String::new, |open| format!("turn {} has not ended; ", open.turn));
    let calls: Vec<String> = view.open_calls().iter().map(|call| format!("{} ({})", call.name, call.id)).collect();
    let calls = if calls.is_empty() { "none".to_owned() } else { calls.join(", ") };
    format!(
        "thread {key} was left in the middle of a turn: {turn}open calls: {calls}. Only an agent that is not strict mends it"
    )
}

async fn perform_all(performer: &Performer, mut turn: Turn, max_duration: Duration) -> TurnEnd {
    let deadline = tokio::time::sleep(max_duration);
    performer.stop.ends_at(deadline.deadline());
    let mut deadline = std::pin::pin!(deadline);
    let mut in_time = true;
    loop {
        if let Some(end) = ended(&turn) {
            return end.clone();
        }
        performer.events.at_iteration(turn.iteration());
        let outcome = {
            let mut step = std::pin::pin!(performer.perform(&turn));
            tokio::select! {
                biased;
                outcome = &mut step => outcome,
                () = &mut deadline, if in_time => {
                    in_time = false;
                    performer.stop.time_is_up();
                    step.await
                }
            }
        };
        if let Err(mismatch) = turn.next(outcome) {
            // The performer answers each step with its own kind of outcome; this is a fault of the harness.
            let fault = Fault { kind: "turn.mismatch".into(), message: mismatch.to_string().into(), detail: None };
            return turn.abandon(fault);
        }
    }
}

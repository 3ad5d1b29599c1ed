//! `outrigger run`: one prompt, one answer.

use std::io::IsTerminal;
use std::sync::Arc;

use futures_util::StreamExt;
use outrigger::agent::{AgentBuilder, RunError, Thread, TurnResult};
use outrigger::session::{MemoryStore, Store};
use outrigger::transcript::{SessionId, StopReason};

use super::NO_ANSWER;
use crate::args::Run;
use crate::failure::Failure;
use crate::interrupt::Interrupts;
use crate::output::{Detail, Pace, ResultLine, Teller, error, print_line};
use crate::requests::RequestLog;
use crate::runtime::block_on;
use crate::setup::{Setup, read_stdin};
use crate::store;

pub(crate) fn run(options: &Run) -> Result<u8, Failure> {
    let done = prepare(options).and_then(|(prompt, setup)| block_on(answer(options, &setup, prompt)));
    match &done {
        Err(failure @ (Failure::Usage(_) | Failure::Config(_))) if options.json => {
            print_result(options, ResultLine::of_failure(failure))?;
            done
        }
        // Who was to read the answer is gone: the run was cancelled.
        Err(Failure::ClosedPipe) => Ok(NO_ANSWER),
        _ => done,
    }
}

/// What can be wrong before anything starts.
fn prepare(options: &Run) -> Result<(String, Setup), Failure> {
    let prompt = if options.prompt == "-" { read_stdin()? } else { options.prompt.clone() };
    if prompt.trim().is_empty() {
        return Err(Failure::Usage("the prompt is empty: say what you want of the agent".to_owned()));
    }
    let setup = Setup::load(options.agent.agent.as_deref())?;
    match &options.record.record {
        Some(path) => Ok((prompt, setup.recorded(path)?)),
        None => Ok((prompt, setup)),
    }
}

async fn answer(options: &Run, setup: &Setup, prompt: String) -> Result<u8, Failure> {
    let requests = options.requests.as_deref().map(RequestLog::create).transpose()?;
    let (store, session) = match store::of_session(&options.session)? {
        Some((store, session)) => (store, session),
        None => (Arc::new(MemoryStore::default()) as Arc<dyn Store>, SessionId::fresh()),
    };
    let change = |builder: AgentBuilder| match requests {
        Some(log) => builder.store(store).middleware(log),
        None => builder.store(store),
    };
    let agent = setup.build(options.model.model.as_deref(), change).await?;
    let thread = agent.thread(session, "main");
    let result = ResultLine::of_run(follow(options, &thread, prompt).await?);
    let code = match result.stop {
        StopReason::Answered | StopReason::OutputTool | StopReason::Ended => 0,
        _ => NO_ANSWER,
    };
    tell_end(&result);
    if result.error.is_none() {
        setup.tell_recording();
    }
    if options.json {
        print_result(options, result)?;
    }
    Ok(code)
}

/// Starts the run and tells what happens until its end.
async fn follow(options: &Run, thread: &Thread, prompt: String) -> Result<Result<TurnResult, RunError>, Failure> {
    let interrupts = Interrupts::listen();
    let pace = if std::io::stdout().is_terminal() { Pace::Live } else { Pace::Whole };
    let mut teller = (!options.json && !options.events).then(|| Teller::new(pace, Detail::Brief));
    let mut stream = thread.stream(prompt);
    loop {
        let event = tokio::select! {
            event = stream.next() => event,
            () = interrupts.pressed() => {
                stream.cancel();
                continue;
            }
        };
        let Some(event) = event else { break };
        if options.events {
            print_line(&event)?;
        }
        if let Some(teller) = &mut teller {
            teller.tell(&event)?;
        }
    }
    let ended = stream.result().await;
    if let Some(teller) = &mut teller {
        teller.end(text_of(&ended))?;
    }
    Ok(ended)
}

fn text_of(ended: &Result<TurnResult, RunError>) -> &str {
    match ended {
        Ok(result) => result.text(),
        Err(RunError::Failed { result, .. }) => result.text(),
        Err(_) => "",
    }
}

/// Why there is no answer, for a person.
fn tell_end(result: &ResultLine) {
    match (&result.error, result.stop) {
        (Some(fault), _) => error(&fault.message),
        (None, StopReason::Answered | StopReason::OutputTool | StopReason::Ended) => {}
        (None, stop) => error(&format!("the run stopped without an answer: {}", stop.as_str())),
    }
}

fn print_result(options: &Run, result: ResultLine) -> Result<(), Failure> {
    print_line(&if options.events { result.after_events() } else { result })?;
    Ok(())
}

//! `outrigger chat`: line by line, on one thread.

use std::io::{self, BufRead, IsTerminal, Write};

use futures_util::StreamExt;
use outrigger::agent::{Agent, RunError, Thread};
use outrigger::transcript::{SessionId, StopReason};
use tokio::sync::mpsc;

use crate::args::Chat;
use crate::failure::Failure;
use crate::interrupt::Interrupts;
use crate::output::{Pace, Teller, cut, error, note, one_line};
use crate::runtime::block_on;
use crate::setup::Setup;

/// Lines that wait while a turn goes on.
const LINES: usize = 16;

/// The most bytes of a line.
const MAX_LINE: u64 = 1 << 20;

pub(crate) fn chat(options: &Chat) -> Result<u8, Failure> {
    let setup = Setup::load(options.agent.agent.as_deref())?;
    block_on(talk(options, &setup))
}

async fn talk(options: &Chat, setup: &Setup) -> Result<u8, Failure> {
    let agent = setup.build(options.model.model.as_deref(), |builder| builder).await?;
    let interrupts = Interrupts::listen();
    let thread = agent.thread(SessionId::fresh(), "main");
    let mut lines = lines();
    loop {
        prompt()?;
        let line = tokio::select! {
            line = lines.recv() => line,
            () = interrupts.pressed() => {
                note("Ctrl-C again or /quit leaves");
                continue;
            }
        };
        let Some(line) = line else { return Ok(0) };
        interrupts.reset();
        match line?.trim() {
            "" => {}
            "/quit" => return Ok(0),
            "/tools" => tools(&agent)?,
            command if command.starts_with('/') => {
                error(&format!("there is no command {command:?}; there are: /quit, /tools"))
            }
            text => {
                turn(&thread, text, &interrupts).await?;
                interrupts.reset();
            }
        }
    }
}

/// One turn. What went wrong in it is told, and the talk goes on.
async fn turn(thread: &Thread, text: &str, interrupts: &Interrupts) -> Result<(), Failure> {
    let mut teller = Teller::new(Pace::Live);
    let mut stream = thread.stream(text);
    loop {
        let event = tokio::select! {
            event = stream.next() => event,
            () = interrupts.pressed() => {
                stream.cancel();
                continue;
            }
        };
        let Some(event) = event else { break };
        teller.tell(&event)?;
    }
    let ended = stream.result().await;
    teller.end("")?;
    match ended {
        Ok(result) if result.stop == StopReason::Answered => {}
        Ok(result) => note(&format!("the turn ended: {}", result.stop.as_str())),
        Err(RunError::Failed { fault, .. }) => error(&fault.message),
        Err(other) => error(&other.to_string()),
    }
    Ok(())
}

/// Lines of standard input, read on a thread of their own: reading blocks, and nothing may wait for it.
fn lines() -> mpsc::Receiver<io::Result<String>> {
    let (sender, receiver) = mpsc::channel(LINES);
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(line) = next_line(&mut input) {
            let failed = line.is_err();
            if sender.blocking_send(line).is_err() || failed {
                return;
            }
        }
    });
    receiver
}

fn next_line(input: &mut impl BufRead) -> Option<io::Result<String>> {
    let mut line = Vec::new();
    match io::Read::take(input, MAX_LINE).read_until(b'\n', &mut line) {
        Ok(0) => None,
        Ok(_) => Some(Ok(String::from_utf8_lossy(&line).into_owned())),
        Err(error) => Some(Err(error)),
    }
}

/// A sign that a line is waited for, where a person sees it.
fn prompt() -> io::Result<()> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(());
    }
    let mut out = io::stderr().lock();
    out.write_all(b"> ")?;
    out.flush()
}

fn tools(agent: &Agent) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for entry in agent.catalog().entries() {
        let about = entry.tool.spec().description.lines().next().unwrap_or_default();
        writeln!(out, "{}: {}", entry.identity, cut(&one_line(about), 80))?;
    }
    out.flush()
}

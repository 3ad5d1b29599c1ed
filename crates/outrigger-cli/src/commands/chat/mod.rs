//! `outrigger chat`: a talk on one thread.

mod commands;
mod input;
mod usage;

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use futures_util::StreamExt;
use outrigger::agent::{Agent, RunError, Thread};
use outrigger::session::{MemoryStore, Store};
use outrigger::transcript::{SessionId, StopReason, Usage};

use crate::args::Chat;
use crate::failure::Failure;
use crate::interrupt::{INTERRUPTED, Interrupts};
use crate::output::{Detail, Pace, Teller, ToldCall, columns, cut, error, fold, note, one_line, print_text};
use crate::runtime::block_on;
use crate::setup::Setup;
use crate::store;
use commands::{Command, command};
use input::{Input, Said};

/// The most characters of a description where lines are not cut to a terminal.
const ABOUT: usize = 80;

pub(crate) fn chat(options: &Chat) -> Result<u8, Failure> {
    let mut setup = Setup::load(options.agent.agent.as_deref())?;
    if let Some(path) = &options.record.record {
        setup = setup.recorded(path)?;
    }
    block_on(talk(options, &setup))
}

async fn talk(options: &Chat, setup: &Setup) -> Result<u8, Failure> {
    let kept = if options.resume {
        let (store, session) = store::last_session(&options.session.data).await?;
        note(&format!("going on with the session {:?}", session.as_str()));
        Some((store, session))
    } else {
        store::of_session(&options.session)?
    };
    let mut talk = Talk::begin(setup, options.model.model.as_deref(), kept).await?;
    let interrupts = Interrupts::listen();
    let mut input = Input::open();
    let mut pressed = false;
    loop {
        let said = tokio::select! {
            said = input.next() => said,
            () = interrupts.pressed() => {
                if pressed {
                    return Ok(INTERRUPTED);
                }
                pressed = true;
                note("Ctrl-C again or /quit leaves");
                continue;
            }
        };
        match said {
            Said::Line(line) => {
                interrupts.reset();
                pressed = false;
                if !talk.hear(&line, &interrupts, input.is_edited()).await? {
                    return Ok(0);
                }
                interrupts.reset();
            }
            Said::Interrupted { discarded: true } => pressed = false,
            Said::Interrupted { discarded: false } if pressed => return Ok(INTERRUPTED),
            Said::Interrupted { discarded: false } => {
                pressed = true;
                note("Ctrl-C again, Ctrl-D or /quit leaves");
            }
            Said::End => return Ok(0),
            Said::Failed(error) => return Err(Failure::Input(error)),
        }
    }
}

/// A talk on one thread, whoever answers.
struct Talk<'a> {
    setup: &'a Setup,
    store: Arc<dyn Store>,
    session: SessionId,
    model: String,
    agent: Agent,
    thread: Thread,
    teller: Teller,
    /// Tokens of the last turn.
    last: Usage,
}

impl<'a> Talk<'a> {
    async fn begin(setup: &'a Setup, asked: Option<&str>, kept: Option<store::Kept>) -> Result<Self, Failure> {
        let fresh = || (Arc::new(MemoryStore::default()) as Arc<dyn Store>, SessionId::fresh());
        let (store, session) = kept.unwrap_or_else(fresh);
        let model = setup.choice(asked);
        let agent = setup.build(asked, |builder| builder.store(Arc::clone(&store))).await?;
        let thread = agent.thread(session.clone(), "main");
        let person = io::stdin().is_terminal() && io::stdout().is_terminal();
        let teller = Teller::new(Pace::Live, if person { Detail::Talk } else { Detail::Brief });
        Ok(Self { setup, store, session, model, agent, thread, teller, last: Usage::default() })
    }

    /// Does what was said; `false`: it was the end.
    async fn hear(&mut self, line: &str, interrupts: &Interrupts, keys: bool) -> Result<bool, Failure> {
        match command(line) {
            None if line.trim().is_empty() => {}
            None => self.turn(line.trim(), interrupts).await?,
            Some(Err(wrong)) => error(&wrong),
            Some(Ok(Command::Help)) => print_text(&commands::help(keys))?,
            Some(Ok(Command::Tools)) => self.tools()?,
            Some(Ok(Command::Model(None))) => print_text(&one_line(&self.model))?,
            Some(Ok(Command::Model(Some(choice)))) => self.change_model(choice).await,
            Some(Ok(Command::Usage)) => self.usage().await?,
            Some(Ok(Command::Show(number))) => self.show(number)?,
            Some(Ok(Command::Quit)) => return Ok(false),
        }
        Ok(true)
    }

    /// One turn. What went wrong in it is told, and the talk goes on.
    async fn turn(&mut self, text: &str, interrupts: &Interrupts) -> Result<(), Failure> {
        let mut stream = self.thread.stream(text);
        loop {
            let event = tokio::select! {
                event = stream.next() => event,
                () = interrupts.pressed() => {
                    stream.cancel();
                    continue;
                }
            };
            let Some(event) = event else { break };
            self.teller.tell(&event)?;
        }
        let ended = stream.result().await;
        self.teller.end("")?;
        match ended {
            Ok(result) => {
                self.last = result.usage;
                if result.stop != StopReason::Answered {
                    note(&format!("the turn ended: {}", result.stop.as_str()));
                }
                self.setup.tell_recording();
            }
            Err(RunError::Failed { fault, result }) => {
                self.last = result.usage;
                error(&fault.message);
            }
            Err(other) => error(&other.to_string()),
        }
        Ok(())
    }

    fn tools(&self) -> io::Result<()> {
        let fits = io::stdout().is_terminal().then(columns);
        let mut out = io::stdout().lock();
        for entry in self.agent.catalog().entries() {
            let about = entry.tool.spec().description.lines().next().unwrap_or_default();
            let head = format!("{}:", entry.identity);
            match fits {
                Some(columns) => writeln!(out, "{}", fold(&head, about, columns))?,
                None => writeln!(out, "{head} {}", cut(&one_line(about), ABOUT))?,
            }
        }
        out.flush()
    }

    /// Goes on with another model on the same thread. One that cannot be used changes nothing.
    async fn change_model(&mut self, choice: &str) {
        match self.setup.build(Some(choice), |builder| builder.store(Arc::clone(&self.store))).await {
            Ok(agent) => {
                self.thread = agent.thread(self.session.clone(), "main");
                (self.agent, self.model) = (agent, choice.to_owned());
                note(&format!("{choice} answers from now on"));
            }
            Err(failure) => error(&failure.to_string()),
        }
    }

    async fn usage(&self) -> Result<(), Failure> {
        match self.thread.view().await {
            Ok(view) => print_text(&usage::table(self.last, view.usage()))?,
            Err(failed) => error(&failed.to_string()),
        }
        Ok(())
    }

    fn show(&self, number: Option<usize>) -> Result<(), Failure> {
        let calls = self.teller.calls();
        match (calls.get(number), calls.range()) {
            (Some((number, call)), _) => print_text(&shown(number, call))?,
            (None, Some((first, last))) => error(&format!("there is no such call; there are {first} to {last}")),
            (None, None) => error("no tool was called yet"),
        }
        Ok(())
    }
}

/// A call, whole.
fn shown(number: usize, call: &ToldCall) -> String {
    let begun = format!("{number} → {}\n{}\n", one_line(&call.name), call.arguments);
    match &call.result {
        Some((status, content)) => format!("{begun}{number} ← {}\n{content}", status.as_str()),
        None => format!("{begun}{number} ← no result"),
    }
}

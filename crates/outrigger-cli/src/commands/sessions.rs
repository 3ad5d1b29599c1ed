//! `outrigger sessions`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::Path;

use outrigger::handle::{Clock, SystemClock};
use outrigger::session::{
    Fork, ForkPoint, Page, SessionInfo, Store, StoreError, ThreadInfo, ThreadKey, ThreadLog, ThreadQuery,
};
use outrigger::store::transfer::{ThreadFile, TransferError};
use outrigger::transcript::{Message, SessionId, ThreadId, UserPart, View};
use serde::Serialize;
use std::sync::Arc;

use crate::args::{Sessions, SessionsAction, ThreadName};
use crate::failure::Failure;
use crate::output::{cut, note, one_line, print_line, print_text};
use crate::runtime::block_on;
use crate::setup::reason;
use crate::store;

/// The most characters of a part, where a person reads it.
const SHOWN: usize = 400;

pub(crate) fn sessions(options: Sessions) -> Result<u8, Failure> {
    block_on(perform(options))
}

async fn perform(options: Sessions) -> Result<u8, Failure> {
    // Only what comes from elsewhere makes a store.
    let store = match &options.action {
        SessionsAction::Import { .. } => store::make(&options.data)?,
        _ => store::open(&options.data)?,
    };
    match options.action {
        SessionsAction::List { session: None, json } => list_sessions(&*store, json).await?,
        SessionsAction::List { session: Some(session), json } => list_threads(&*store, &session, json).await?,
        SessionsAction::Show { thread, json } => show(store, &key(&thread), json).await?,
        SessionsAction::Fork { thread, messages, name } => {
            let point = messages.map_or(ForkPoint::End, ForkPoint::Messages);
            let source = key(&thread);
            let at = point.resolve(&*store, &source).await?;
            let target = name.map_or_else(ThreadId::fresh, |name| name.as_str().into());
            let target = ThreadKey { session: source.session.clone(), thread: target };
            let made = store.fork(Fork { source, at, target, time: SystemClock.now() }).await?;
            print_text(made.key.thread.as_str())?;
        }
        SessionsAction::Export { thread, to } => export(&*store, &key(&thread), to.as_deref()).await?,
        SessionsAction::Import { file, session, thread } => {
            let read = read(&file)?;
            let session = session.map_or_else(|| read.key.session.clone(), |name| name.as_str().into());
            let thread = thread.map_or_else(|| read.key.thread.clone(), |name| name.as_str().into());
            let made = read.import(&*store, Some(ThreadKey { session, thread }), SystemClock.now()).await?;
            print_text(&format!("{}: {} records", made.key, made.records))?;
        }
        SessionsAction::Delete { thread } => {
            let key = key(&thread);
            if !store.delete(&key).await? {
                return Err(StoreError::NoThread { key }.into());
            }
        }
    }
    Ok(0)
}

fn key(name: &ThreadName) -> ThreadKey {
    ThreadKey::new(name.session.as_str(), name.thread.as_str())
}

#[derive(Serialize)]
struct SessionList {
    sessions: Vec<SessionInfo>,
}

#[derive(Serialize)]
struct ThreadList {
    threads: Vec<ThreadInfo>,
}

async fn list_sessions(store: &dyn Store, json: bool) -> Result<(), Failure> {
    let mut sessions: Vec<SessionInfo> = Vec::new();
    loop {
        let after: Option<SessionId> = sessions.last().map(|last| last.session.clone());
        let page = store.sessions(Page { after, ..Page::default() }).await?;
        if page.is_empty() {
            break;
        }
        sessions.extend(page);
    }
    if json {
        return Ok(print_line(&SessionList { sessions })?);
    }
    for SessionInfo { session, threads, records, changed, .. } in &sessions {
        let name = one_line(session.as_str());
        print_text(&format!("{name}: {threads} threads, {records} records, changed {changed}"))?;
    }
    Ok(())
}

async fn list_threads(store: &dyn Store, session: &str, json: bool) -> Result<(), Failure> {
    let mut threads: Vec<ThreadInfo> = Vec::new();
    loop {
        let after = threads.last().map(|last| last.key.clone());
        let page = Page { after, ..Page::default() };
        let page = store.threads(ThreadQuery { page, ..ThreadQuery::session(session) }).await?;
        if page.is_empty() {
            break;
        }
        threads.extend(page);
    }
    if json {
        return Ok(print_line(&ThreadList { threads })?);
    }
    for ThreadInfo { key, records, changed, lineage, .. } in &threads {
        let from = lineage.as_ref().map_or_else(String::new, |from| {
            format!(", forked from {} at record {}", one_line(&from.parent.to_string()), from.at)
        });
        print_text(&format!("{}: {records} records, changed {changed}{from}", one_line(key.thread.as_str())))?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Shown<'a> {
    thread: ThreadInfo,
    messages: Vec<&'a Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<String>,
}

async fn show(store: Arc<dyn Store>, key: &ThreadKey, json: bool) -> Result<(), Failure> {
    let thread = store.info(key).await?.ok_or_else(|| StoreError::NoThread { key: key.clone() })?;
    let log = ThreadLog::open(store, key.clone(), Arc::new(SystemClock)).await?;
    let (view, damage) = (log.view(), log.damage().map(|damage| damage.to_string()));
    if json {
        return view.messages().with(|messages| {
            let messages = messages.iter().map(|message| &**message).collect();
            Ok(print_line(&Shown { thread, messages, damage })?)
        });
    }
    say(&view)?;
    if let Some(damage) = damage {
        note(&damage);
    }
    if !view.repairs().is_empty() {
        note("its last turn has not ended; the next run ends it as interrupted");
    }
    Ok(())
}

fn say(view: &View) -> io::Result<()> {
    view.messages().with(|messages| {
        for message in messages {
            match &**message {
                Message::User(message) => message.parts.iter().try_for_each(|part| match part {
                    UserPart::Text(text) => line("user", text),
                    _ => line("user", "(a picture)"),
                })?,
                Message::Assistant(message) => {
                    if !message.text().is_empty() {
                        line("assistant", &message.text())?;
                    }
                    message.calls().try_for_each(|call| line("call", &format!("{} {}", call.name, call.arguments)))?;
                }
                Message::Results(batch) => {
                    let mut results = batch.results.iter();
                    results.try_for_each(|one| line(one.status.as_str(), &one.text_content()))?;
                }
                Message::Context(message) => line(&message.source, &message.text)?,
                _ => {}
            }
        }
        Ok(())
    })
}

fn line(who: &str, text: &str) -> io::Result<()> {
    print_text(&format!("{}: {}", one_line(who), cut(&one_line(text), SHOWN)))
}

async fn export(store: &dyn Store, key: &ThreadKey, to: Option<&Path>) -> Result<(), Failure> {
    let (file, damage) = ThreadFile::export(store, key).await?;
    match to {
        Some(path) => {
            let refused = |error: io::Error| Failure::file(path, format!("cannot be made: {}", reason(&error)));
            let mut out = OpenOptions::new().write(true).create_new(true).open(path).map_err(refused)?;
            file.write(&mut out).map_err(|error| Failure::file(path, error.to_string()))?;
            out.sync_all().map_err(refused)?;
        }
        None => {
            let mut out = io::stdout().lock();
            file.write(&mut out).map_err(|error| match error {
                TransferError::Io { error, .. } => Failure::from(error),
                other => Failure::Sessions(other.to_string()),
            })?;
            out.flush()?;
        }
    }
    if let Some(damage) = damage {
        note(&damage.to_string());
    }
    Ok(())
}

fn read(path: &Path) -> Result<ThreadFile, Failure> {
    let file = File::open(path).map_err(|error| Failure::file(path, format!("cannot be read: {}", reason(&error))))?;
    ThreadFile::read(&mut BufReader::new(file)).map_err(|error| Failure::file(path, error.to_string()))
}

//! Agents over stores: forks, stores that fail within a turn, threads that others damaged, strict agents.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use futures_util::StreamExt;
use outrigger_core::agent::{Agent, RunError, Thread};
use outrigger_core::event::EventKind;
use outrigger_core::harness;
use outrigger_core::session::{ForkPoint, MemoryStore, Page, Store, StoreError, ThreadKey, ThreadQuery};
use outrigger_core::tool::ToolContext;
use outrigger_core::transcript::{CallStatus, Dialect, Legality, Message, Record, StopReason, View};
use outrigger_models::scripted::{Script, ScriptedModel};
use outrigger_store::conformance::{Faulty, When};
use outrigger_store::{PostgresOptions, PostgresStore, SqliteStore};
use rusqlite::Connection;
use tempfile::TempDir;

/// Counts what it did, by key.
#[derive(Clone, Default)]
struct Bank {
    paid: Arc<Mutex<Vec<String>>>,
}

/// A bank.
#[harness]
impl Bank {
    /// Pays.
    #[tool]
    fn pay(&self, context: &ToolContext) -> String {
        self.paid.lock().unwrap().push(context.idempotency_key().to_owned());
        "paid".to_owned()
    }
}

impl Bank {
    fn paid(&self) -> usize {
        let paid = self.paid.lock().unwrap();
        assert_eq!(paid.iter().collect::<HashSet<_>>().len(), paid.len(), "paid twice: {paid:?}");
        paid.len()
    }
}

async fn agent(store: &Arc<dyn Store>, script: Script, bank: &Bank) -> Agent {
    let builder = Agent::builder().model(ScriptedModel::new(script)).store(Arc::clone(store));
    builder.harness(bank.clone()).build().await.unwrap()
}

fn paying() -> Script {
    Script::new().calls([("pay", "{}"), ("pay", "{}")]).text("paid")
}

fn assert_legal(view: &View) {
    assert_eq!(view.repairs(), []);
    let mut legality = Legality::new(Arc::new(Dialect::chat()));
    view.messages().with(|messages| messages.iter().for_each(|message| legality.push(message)));
    legality.prove(&[]).unwrap();
}

async fn said(thread: &Thread) -> Vec<String> {
    let shown = |message: &Arc<Message>| match &**message {
        Message::User(message) => format!("{:?}", message.parts),
        Message::Assistant(message) => message.text(),
        Message::Results(batch) => batch.results.iter().map(|one| one.status.as_str()).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    };
    thread.view().await.unwrap().messages().with(|messages| messages.iter().map(shown).collect())
}

// T3: whichever call of the store fails within a turn, before or after it was done, nothing is paid twice, the turn ends,
// and the thread goes on.
#[tokio::test]
async fn a_turn_over_a_store_that_fails_at_each_call() {
    for when in [When::Before, When::After] {
        let mut call = 0;
        loop {
            let inner: Arc<dyn Store> = Arc::new(MemoryStore::default());
            let (faulty, bank) = (Arc::new(Faulty::failing(Arc::clone(&inner), call, when)), Bank::default());
            let over: Arc<dyn Store> = Arc::<Faulty>::clone(&faulty);
            let first = agent(&over, paying(), &bank).await.thread("s", "main").run("Pay.").await;
            if let Err(error) = &first {
                assert!(matches!(error, RunError::Failed { fault, .. } if &*fault.kind == "store.failed"), "{error}");
            }
            let paid = bank.paid();
            assert!(paid <= 2);
            let again = agent(&inner, paying(), &bank).await;
            let thread = again.thread("s", "main");
            assert_eq!(thread.run("Again.").await.unwrap().stop, StopReason::Answered, "{when:?} call {call}");
            assert_eq!(bank.paid(), paid + 2);
            assert_legal(&thread.view().await.unwrap());
            if faulty.calls() <= call {
                assert!(first.is_ok());
                break;
            }
            call += 1;
        }
        assert!(call >= 9, "only {call} calls were made to fail");
    }
}

// T5: a fork at any message has exactly those before it and goes its own way; the source is untouched; both are listed.
#[tokio::test]
async fn threads_fork_at_any_message() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let agent = agent(&store, paying().text("again").repeating(), &Bank::default()).await;
    let main = agent.thread("s", "main");
    main.run("one").await.unwrap();
    main.run("two").await.unwrap();
    let all = said(&main).await;
    assert_eq!(all.len(), 6);
    for messages in 0..=6 {
        let fork = main.fork(ForkPoint::Messages(messages)).await.unwrap();
        assert_eq!(said(&fork).await, all[..messages]);
        fork.run("three").await.unwrap();
        let after = said(&fork).await;
        // Calls that were open at the fork are answered first.
        let open = usize::from(messages == 2);
        assert_eq!(after.len(), messages + open + 2, "{after:?}");
        if open == 1 {
            assert_eq!(after[2], "interrupted interrupted");
        }
        assert_legal(&fork.view().await.unwrap());
    }
    let end = main.fork(ForkPoint::End).await.unwrap();
    assert_eq!(said(&end).await, all);
    assert!(matches!(
        main.fork(ForkPoint::Messages(7)).await,
        Err(StoreError::TooFewMessages { at: 7, length: 6, .. })
    ));
    assert!(matches!(main.fork(ForkPoint::Records(99)).await, Err(StoreError::ForkBeyondEnd { .. })));
    assert_eq!(said(&main).await, all);
    let forks = agent.threads(ThreadQuery::forks_of(main.key().clone())).await.unwrap();
    assert_eq!(forks.len(), 8);
    assert!(forks.iter().all(|fork| fork.lineage.as_ref().unwrap().parent == *main.key()));
    assert_eq!(agent.sessions(Page::default()).await.unwrap()[0].threads, 9);
}

/// Turns of two agents, each over a store of its own as in two processes, on one thread.
async fn turns_of_two(one: Arc<dyn Store>, two: Arc<dyn Store>) {
    let bank = Bank::default();
    let talk = async |store: &Arc<dyn Store>| {
        for _ in 0..6 {
            let turn = agent(store, paying(), &bank).await.thread("s", "main").run("Pay.").await.unwrap();
            assert_eq!(turn.stop, StopReason::Answered);
        }
    };
    tokio::join!(talk(&one), talk(&two));
    assert_eq!(bank.paid(), 24);
    let records = one.read(&ThreadKey::new("s", "main"), 0).await.unwrap().records;
    let mut open = None;
    for envelope in &records {
        match &envelope.record {
            Record::TurnStarted(started) => assert!(open.replace(&started.turn).is_none(), "a turn within a turn"),
            Record::TurnEnded(ended) => assert_eq!(open.take(), Some(&ended.turn)),
            _ => assert!(open.is_some()),
        }
        if let Some(origin) = &envelope.origin {
            assert!(matches!(envelope.record, Record::TurnEnded(_)) || open == Some(&origin.turn));
        }
    }
    assert_legal(&View::fold(&records));
}

// T3: two processes on one thread never interleave turns.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn turns_of_two_processes_never_interleave() {
    let folder = TempDir::new().unwrap();
    let sqlite = || -> Arc<dyn Store> { Arc::new(SqliteStore::open(folder.path().join("threads.db")).unwrap()) };
    turns_of_two(sqlite(), sqlite()).await;
    let Ok(url) = std::env::var("OUTRIGGER_TEST_POSTGRES") else {
        println!("SKIPPED: two processes on Postgres: OUTRIGGER_TEST_POSTGRES is not set");
        return;
    };
    let options = PostgresOptions { schema: format!("outrigger_turns_{}", std::process::id()), connections: 4 };
    let postgres = async || PostgresStore::connect_with(&url, options.clone()).await.unwrap();
    turns_of_two(Arc::new(postgres().await), Arc::new(postgres().await)).await;
}

/// A thread of one turn in a file, whose row of this number another program changed.
async fn damaged(folder: &TempDir, number: u64) -> Arc<dyn Store> {
    let path = folder.path().join("threads.db");
    let store = SqliteStore::open(&path).unwrap();
    let store = Arc::new(store);
    let over: Arc<dyn Store> = Arc::<SqliteStore>::clone(&store);
    agent(&over, paying(), &Bank::default()).await.thread("s", "main").run("Pay.").await.unwrap();
    drop(over);
    change(&path, number);
    store
}

fn change(path: &Path, number: u64) {
    let sql = format!("UPDATE records SET text = replace(text, 'pay', 'owe') WHERE number = {number}");
    assert_eq!(Connection::open(path).unwrap().execute(&sql, []).unwrap(), 1);
}

// T4, T6, X13: a run tells of damage, sets it aside on record, answers what is open, and goes on.
#[tokio::test]
async fn a_run_mends_a_thread_that_others_damaged() {
    let folder = TempDir::new().unwrap();
    let store = damaged(&folder, 4).await;
    let agent = agent(&store, Script::new().text("I see."), &Bank::default()).await;
    let thread = agent.thread("s", "main");
    let damage = thread.damage().await.unwrap().unwrap();
    assert!(damage.from == 4 && damage.to_string().contains("its check differs"), "{damage}");
    let events: Vec<_> = thread.stream("Well?").map(|event| event.kind).collect().await;
    let told = events.iter().find_map(|event| match event {
        EventKind::Error { source, kind, message } => Some((&**source, &**kind, message.to_string())),
        _ => None,
    });
    assert_eq!(told, Some(("store", "store.damaged", damage.to_string())));
    let reading = store.read(&ThreadKey::new("s", "main"), 0).await.unwrap();
    let kinds: Vec<&str> = reading.records[4..].iter().map(|one| one.record.kind()).collect();
    assert_eq!(kinds[..4], ["records_lost", "tool_result", "tool_result", "turn_ended"]);
    let interrupted = reading.records.iter().filter(|one| match &one.record {
        Record::ToolResult(result) => result.status == CallStatus::Interrupted,
        _ => false,
    });
    assert_eq!(interrupted.count(), 2);
    assert_legal(&thread.view().await.unwrap());
    assert_eq!(store.aside(thread.key()).await.unwrap()[0].from, 4);
}

// X13: a strict agent refuses a thread that is damaged or unfinished, says why, and leaves it as it is.
#[tokio::test]
async fn a_strict_agent_refuses_what_others_would_mend() {
    let folder = TempDir::new().unwrap();
    let store = damaged(&folder, 4).await;
    let strict = async || {
        let builder =
            Agent::builder().model(ScriptedModel::new(Script::new().text("I see."))).store(Arc::clone(&store));
        let agent = builder.harness(Bank::default()).strict().build().await.unwrap();
        match agent.thread("s", "main").run("Well?").await.unwrap_err() {
            RunError::Failed { fault, .. } => (fault.kind.to_string(), fault.message.to_string()),
            other => panic!("{other}"),
        }
    };
    let (kind, message) = strict().await;
    assert_eq!(kind, "store.damaged");
    assert!(message.contains("table records, segment 1, number 4"), "{message}");
    let key = ThreadKey::new("s", "main");
    let damage = store.read(&key, 0).await.unwrap().damage.unwrap();

    let fact = outrigger_core::transcript::Envelope::new(Default::default(), None, Record::RecordsLost(damage.fact()));
    store.set_aside(&key, &damage, fact).await.unwrap();
    let (kind, message) = strict().await;
    assert_eq!(kind, "thread.unfinished");
    assert!(message.contains("open calls: pay (") && message.contains("not strict"), "{message}");
    assert_eq!(store.info(&key).await.unwrap().unwrap().records, 5);
}

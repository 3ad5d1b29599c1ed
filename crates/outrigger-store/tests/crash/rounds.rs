//! The process that kills: it starts a child, ends it with SIGKILL at a random point, and checks what is left.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use outrigger_core::session::ThreadKey;
use outrigger_core::transcript::{CallStatus, Dialect, Envelope, Legality, Message, Record, Timestamp, View};

use super::child::{CHILD, Child, Place, hash};

/// After how many kills a new thread is begun.
const KILLS_A_THREAD: u32 = 25;

/// What the rounds came to.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) rounds: u32,
    pub(crate) threads: u32,
    pub(crate) within_a_turn: u32,
    pub(crate) open_calls: usize,
    pub(crate) turns: u32,
    pub(crate) stale: u32,
    pub(crate) acknowledged: usize,
    pub(crate) records: usize,
    pub(crate) effects: usize,
    pub(crate) interrupted: usize,
    pub(crate) effects_without_outcome: usize,
}

impl fmt::Display for Numbers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{} processes killed, on {} threads", self.rounds, self.threads)?;
        writeln!(out, "{} of them within a turn, leaving {} calls open", self.within_a_turn, self.open_calls)?;
        writeln!(out, "{} turns came to their end, {} met another writer", self.turns, self.stale)?;
        writeln!(out, "{} appends acknowledged, 0 lost; {} records in all", self.acknowledged, self.records)?;
        writeln!(out, "{} effects, 0 twice, 0 without an intent on record", self.effects)?;
        let (interrupted, unknown) = (self.interrupted, self.effects_without_outcome);
        write!(out, "{interrupted} calls ended as interrupted; {unknown} of them had taken effect")
    }
}

/// A small generator, so that a run can be told again by its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// When the child is killed.
enum Kill {
    /// So long after it was started.
    After(Duration),
    /// So long after it told so many appends.
    Acks(u64, Duration),
    /// Not at all.
    Never,
}

/// What is known of one thread from the children's pipes and their effects.
struct Known {
    child: Child,
    acks: BTreeMap<u64, String>,
}

/// Kills `rounds` children. `command` starts this program as one. Panics at the first thing that is wrong.
pub(crate) fn run(place: &Place, folder: &Path, rounds: u32, seed: u64, command: impl Fn() -> Command) -> Numbers {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let mut random = Random(seed);
    let mut numbers = Numbers::default();
    let mut left = rounds;
    while left > 0 {
        let thread = format!("thread {}", numbers.threads);
        let effects = folder.join(format!("effects {}", numbers.threads));
        let mut known =
            Known { child: Child { place: place.clone(), thread, effects, turns: 1000 }, acks: BTreeMap::new() };
        for _ in 0..left.min(KILLS_A_THREAD) {
            let kill = match random.below(8) {
                0 => Kill::After(Duration::from_micros(random.below(60_000))),
                _ => Kill::Acks(random.below(40), Duration::from_micros(random.below(4_000))),
            };
            one_child(&mut known, &kill, &command, &mut numbers);
            numbers.rounds += 1;
            let view = runtime.block_on(check(&known, &mut Numbers::default()));
            numbers.within_a_turn += u32::from(view.turn().is_some());
            numbers.open_calls += view.open_calls().len();
        }
        left -= left.min(KILLS_A_THREAD);
        numbers.threads += 1;
        known.child.turns = 2;
        one_child(&mut known, &Kill::Never, &command, &mut numbers);
        let view = runtime.block_on(check(&known, &mut numbers));
        assert!(view.repairs().is_empty(), "nothing is open once a turn has come to its end");
    }
    numbers
}

fn one_child(known: &mut Known, kill: &Kill, command: &impl Fn() -> Command, numbers: &mut Numbers) {
    let told = serde_json::to_string(&known.child).unwrap();
    let mut child = command().env(CHILD, told).stdout(Stdio::piped()).spawn().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let (tell, lines) = mpsc::channel();
    let reader = std::thread::spawn(move || out.lines().map_while(Result::ok).for_each(|line| drop(tell.send(line))));
    let mut all: Vec<String> = Vec::new();
    match kill {
        Kill::After(wait) => std::thread::sleep(*wait),
        Kill::Acks(count, wait) => {
            while (all.iter().filter(|line| line.starts_with("ack")).count() as u64) < *count {
                all.push(lines.recv_timeout(Duration::from_secs(60)).expect("the child tells nothing for a minute"));
            }
            std::thread::sleep(*wait);
        }
        Kill::Never => {}
    }
    if matches!(kill, Kill::Never) {
        assert!(child.wait().unwrap().success());
    } else {
        // SIGKILL, on Unix.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    reader.join().unwrap();
    all.extend(lines.try_iter());
    for line in &all {
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["ack", length, hash] => drop(known.acks.insert(length.parse().unwrap(), (*hash).to_owned())),
            ["turn"] => numbers.turns += 1,
            // What the server was still committing for the process before; the next turn goes through.
            ["failed", "store.stale", ..] => numbers.stale += 1,
            // Not the child's: what a test harness says around it.
            _ if !line.starts_with("failed") && !line.starts_with("ack") => {}
            other => panic!("the child says {other:?}"),
        }
    }
}

/// The thread reopens as a consistent whole, with all that was acknowledged, and is legal once repaired; every effect is
/// there once and was written ahead.
async fn check(known: &Known, numbers: &mut Numbers) -> View {
    let store = known.child.place.open().await;
    let key = ThreadKey::new("crash", known.child.thread.as_str());
    let reading = store.read(&key, 0).await.unwrap();
    assert_eq!(reading.damage, None);
    let records = reading.records;
    for (length, acknowledged) in &known.acks {
        let last = usize::try_from(*length).unwrap().checked_sub(1).and_then(|last| records.get(last));
        assert_eq!(last.map(hash).as_ref(), Some(acknowledged), "the append that made {length} records was lost");
    }
    let view = View::fold(&records);
    assert_legal(&view);
    let effects = check_effects(&known.child.effects, &records, numbers);
    check_results(&records);
    numbers.acknowledged += known.acks.len();
    numbers.records += records.len();
    numbers.effects += effects;
    view
}

fn assert_legal(view: &View) {
    let mut repaired = view.clone();
    for record in view.repairs() {
        repaired.apply(&Envelope::new(Timestamp(0), None, record));
    }
    let mut legality = Legality::new(Arc::new(Dialect::chat()));
    repaired.messages().with(|messages: &[Arc<Message>]| messages.iter().for_each(|message| legality.push(message)));
    // A process that was killed before it appended anything leaves nothing that would be sent.
    let empty = repaired.messages().is_empty();
    if let Some(illegal) = legality.prove(&[]).err().filter(|_| !empty) {
        panic!("the thread is not legal: {illegal}");
    }
}

/// Each call has at most one result, and none that was not called.
fn check_results(records: &[Envelope]) {
    let mut open: HashMap<String, u32> = HashMap::new();
    for envelope in records {
        match &envelope.record {
            Record::AssistantMessage(message) => {
                message.calls().for_each(|call| *open.entry(call.id.to_string()).or_default() += 1);
            }
            Record::ToolResult(result) => {
                let call = open.get_mut(result.call.as_str()).expect("a result without a call");
                *call = call.checked_sub(1).expect("two results of one call");
            }
            _ => {}
        }
    }
}

fn check_effects(path: &PathBuf, records: &[Envelope], numbers: &mut Numbers) -> usize {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    // A line that was torn by the kill is an effect that did not get to disk whole; its body did not return.
    let mut done: HashSet<&str> = HashSet::new();
    for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
        let (_, key) = line.split_once(' ').expect("an effect has a key");
        assert!(done.insert(key), "an effect was done twice: {line}");
    }
    let mut intents: HashMap<&str, &str> = HashMap::new();
    let mut keys: HashSet<&str> = HashSet::new();
    for envelope in records {
        match &envelope.record {
            Record::ToolIntent(intent) => {
                intents.insert(intent.call.as_str(), &intent.idempotency_key);
                keys.insert(&intent.idempotency_key);
            }
            Record::ToolResult(result) => {
                let key = intents.remove(result.call.as_str());
                let took_effect = key.is_some_and(|key| done.contains(key));
                match result.status {
                    CallStatus::Ok => assert!(took_effect, "a result without its effect: {result:?}"),
                    CallStatus::Interrupted => {
                        numbers.interrupted += 1;
                        numbers.effects_without_outcome += usize::from(took_effect);
                    }
                    other => panic!("a call ended as {other:?}: {result:?}"),
                }
            }
            _ => {}
        }
    }
    for key in &done {
        assert!(keys.contains(key), "an effect without an intent on record: {key}");
    }
    done.len()
}

//! The provider: the mock in a process of its own, so that its work is not measured.
//!
//! The parent writes a line for each wish and reads a line for each answer.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use outrigger_mock::{Mock, Wire};
use serde::{Deserialize, Serialize};
use tokio::runtime::{Builder, Runtime};

use crate::conversation::{Play, Seen};

/// The argument that makes this program the server.
pub(crate) const ARGUMENT: &str = "serve";

#[derive(Serialize, Deserialize)]
enum Wish {
    /// Serve so many conversations on a new port; answered by the base URL.
    Play(Play, usize),
    /// Stop, and tell what was seen.
    Seen,
}

/// The server, as the measuring process has it. It ends with this.
pub(crate) struct Server {
    child: Child,
    wishes: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Server {
    pub(crate) fn start() -> std::io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        let mut child = command.arg(ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let wishes = child.stdin.take().expect("a piped input");
        let answers = BufReader::new(child.stdout.take().expect("a piped output")).lines();
        Ok(Self { child, wishes, answers })
    }

    /// Serves so many conversations. The base URL.
    pub(crate) fn play(&mut self, play: Play, conversations: usize) -> String {
        self.ask(&Wish::Play(play, conversations))
    }

    /// What the server has seen since.
    pub(crate) fn seen(&mut self) -> Seen {
        serde_json::from_str(&self.ask(&Wish::Seen)).expect("what was seen")
    }

    fn ask(&mut self, wish: &Wish) -> String {
        let wish = serde_json::to_string(wish).expect("a wish serialises");
        writeln!(self.wishes, "{wish}").expect("the server listens");
        self.answers.next().expect("the server answers").expect("a line")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Grants wishes until there are no more.
pub(crate) fn serve() {
    let mut playing: Option<(Runtime, Mock)> = None;
    for line in std::io::stdin().lines() {
        let answer = match serde_json::from_str(&line.expect("a line")).expect("a wish") {
            Wish::Play(play, conversations) => {
                let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
                let mock = runtime.block_on(Mock::start(Wire::Chat, play.script(conversations)));
                let url = mock.base_url();
                playing = Some((runtime, mock));
                url
            }
            Wish::Seen => {
                let (_runtime, mock) = playing.take().expect("something was played");
                let seen = mock.seen();
                serde_json::to_string(&Seen::of(seen.iter().map(|seen| &seen.body))).expect("numbers and text")
            }
        };
        println!("{answer}");
    }
}

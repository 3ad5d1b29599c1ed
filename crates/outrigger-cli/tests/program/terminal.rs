//! A terminal to sit at: a pseudo-terminal the program runs on, and a screen that shows what it printed.

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::{Parser, Screen};

use crate::bench::Bench;

/// How long anything may take before it is taken for stuck. No test waits for it that passes.
const STUCK: Duration = Duration::from_secs(60);

const ROWS: u16 = 40;

/// What commands a terminal beyond its own text: none of it may come from a model or a tool.
#[derive(Default)]
struct Commands {
    titles: usize,
}

impl vt100::Callbacks for Commands {
    fn set_window_title(&mut self, _: &mut Screen, _: &[u8]) {
        self.titles += 1;
    }
}

struct Shown {
    parser: Parser<Commands>,
    raw: Vec<u8>,
    closed: bool,
}

pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    shown: Arc<(Mutex<Shown>, Condvar)>,
    /// How often a line was asked for and that was waited for.
    asked: usize,
}

impl Terminal {
    /// Starts `outrigger chat` with these options and variables.
    pub(crate) fn chat(bench: &Bench, columns: u16, options: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut terminal = Self::start(bench, columns, options, variables);
        terminal.wait_for_answered();
        terminal
    }

    /// Starts it where lines are not edited.
    pub(crate) fn plain(bench: &Bench, variables: &[(&str, &str)]) -> Self {
        let mut terminal = Self::start(bench, 80, &[], variables);
        terminal.wait_for("> ");
        terminal
    }

    fn start(bench: &Bench, columns: u16, options: &[&str], variables: &[(&str, &str)]) -> Self {
        let pair = native_pty_system().openpty(size(columns)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_outrigger"));
        command.args(["chat", "--model", "scripted:s.json"]);
        command.args(options);
        command.cwd(bench.path());
        for name in ["OUTRIGGER_MODEL", "NO_COLOR", "COLUMNS"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color");
        command.env("OUTRIGGER_HISTORY", bench.path().join("history"));
        variables.iter().for_each(|(name, value)| command.env(name, value));
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let shown = Shown {
            parser: Parser::new_with_callbacks(some(ROWS), some(columns), 500, Commands::default()),
            raw: vec![],
            closed: false,
        };
        let shown = Arc::new((Mutex::new(shown), Condvar::new()));
        watch(pair.master.try_clone_reader().unwrap(), Arc::clone(&shown));
        let keys = pair.master.take_writer().unwrap();
        Self { child, master: pair.master, keys, shown, asked: 0 }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self
    }

    /// Types a line and waits until the next one is asked for.
    pub(crate) fn say(&mut self, line: &str) -> &mut Self {
        self.press(line).press("\r").wait_for_answered()
    }

    /// Waits until a line is asked for once more than before.
    pub(crate) fn wait_for_answered(&mut self) -> &mut Self {
        let asked = self.asked + 1;
        self.wait_on("the next prompt", move |shown| prompts(shown) >= asked);
        self.asked = asked;
        self
    }

    /// Waits until the screen shows this.
    pub(crate) fn wait_for(&mut self, text: &str) -> &mut Self {
        self.wait(text, |screen| screen.contains(text))
    }

    fn wait(&mut self, what: &str, is_so: impl Fn(&str) -> bool) -> &mut Self {
        self.wait_on(what, |shown| is_so(&shown.parser.screen().contents()))
    }

    fn wait_on(&mut self, what: &str, is_so: impl Fn(&Shown) -> bool) -> &mut Self {
        {
            let (shown, news) = &*self.shown;
            let is_open = |shown: &mut Shown| !is_so(shown) && !shown.closed;
            let (shown, _) = news.wait_timeout_while(shown.lock().unwrap(), STUCK, is_open).unwrap();
            assert!(is_so(&shown), "{what:?} did not come:\n{}", shown.parser.screen().contents());
        }
        self
    }

    /// What the screen shows.
    pub(crate) fn screen(&self) -> String {
        self.shown.0.lock().unwrap().parser.screen().contents()
    }

    /// Everything that was printed, as it came.
    pub(crate) fn raw(&self) -> String {
        String::from_utf8_lossy(&self.shown.0.lock().unwrap().raw).into_owned()
    }

    /// How often a title was set.
    pub(crate) fn titles(&self) -> usize {
        self.shown.0.lock().unwrap().parser.callbacks().titles
    }

    pub(crate) fn resize(&mut self, columns: u16) -> &mut Self {
        self.shown.0.lock().unwrap().parser.screen_mut().set_size(some(ROWS), some(columns));
        self.master.resize(size(columns)).unwrap();
        self
    }

    /// Waits for the end; the exit code.
    pub(crate) fn end(&mut self) -> u32 {
        self.wait_on("the end", |shown| shown.closed);
        self.child.wait().unwrap().exit_code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        drop(self.child.kill());
    }
}

/// How often a line was asked for: the editor then begins to take pasted blocks as one.
fn prompts(shown: &Shown) -> usize {
    String::from_utf8_lossy(&shown.raw).matches("\u{1b}[?2004h").count()
}

fn some(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

fn size(columns: u16) -> PtySize {
    PtySize { rows: ROWS, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn watch(mut from: Box<dyn Read + Send>, shown: Arc<(Mutex<Shown>, Condvar)>) {
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        loop {
            let read = from.read(&mut bytes).unwrap_or(0);
            let mut now = shown.0.lock().unwrap();
            now.parser.process(&bytes[..read]);
            now.raw.extend_from_slice(&bytes[..read]);
            now.closed = read == 0;
            shown.1.notify_all();
            if read == 0 {
                return;
            }
        }
    });
}

//! What a script expects of a request, and how it says what it missed.

use outrigger_core::model::{MessageLine, SealedRequest};
use serde::{Deserialize, Serialize};

/// What must be true of a request. Every key is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// These tools are visible.
    pub tools: Vec<String>,
    /// None of these tools is visible.
    pub tools_absent: Vec<String>,
    /// These texts are somewhere in the request.
    pub contains: Vec<String>,
    /// This text is in the last message.
    pub last_contains: Option<String>,
    /// There are exactly so many messages, system text not counted.
    pub messages: Option<usize>,
    /// The whole request has at most so many bytes.
    pub max_bytes: Option<u64>,
    /// These texts are in the system text.
    pub system_contains: Vec<String>,
}

/// The most characters of a request that a miss quotes.
const QUOTED: usize = 400;

impl Expect {
    /// What of it is not true, a line each: `-` what was expected, `+` what came.
    pub(super) fn check(&self, request: &SealedRequest) -> Result<(), Vec<String>> {
        // A request nobody expects anything of is not rendered: scripts serve benchmarks too.
        if *self == Self::default() {
            return Ok(());
        }
        let mut misses = Vec::new();
        self.check_tools(request, &mut misses);
        self.check_texts(request, &mut misses);
        self.check_sizes(request, &mut misses);
        if misses.is_empty() { Ok(()) } else { Err(misses) }
    }

    fn check_tools(&self, request: &SealedRequest, misses: &mut Vec<String>) {
        let visible: Vec<&str> = request.tools().iter().map(|tool| &*tool.name).collect();
        let shown = if visible.is_empty() { "none".to_owned() } else { visible.join(", ") };
        for tool in self.tools.iter().filter(|tool| !visible.contains(&tool.as_str())) {
            misses.push(format!("- tool {tool} visible\n+ tools visible: {shown}"));
        }
        for tool in self.tools_absent.iter().filter(|tool| visible.contains(&tool.as_str())) {
            misses.push(format!("- tool {tool} not visible\n+ tools visible: {shown}"));
        }
    }

    fn check_texts(&self, request: &SealedRequest, misses: &mut Vec<String>) {
        let system = request.system().join("\n\n");
        for text in self.system_contains.iter().filter(|text| !system.contains(text.as_str())) {
            misses.push(format!("- system text contains {text:?}\n+ system text: {}", quoted(&system)));
        }
        let messages: Vec<String> = request.messages().messages().iter().map(|message| rendered(message)).collect();
        for text in &self.contains {
            if !system.contains(text.as_str()) && !messages.iter().any(|message| message.contains(text.as_str())) {
                misses.push(format!("- the request contains {text:?}\n+ messages: {}", quoted(&messages.join("\n+ "))));
            }
        }
        let last = messages.last().map_or("", String::as_str);
        if let Some(text) = self.last_contains.as_ref().filter(|text| !last.contains(text.as_str())) {
            misses.push(format!("- the last message contains {text:?}\n+ last message: {}", quoted(last)));
        }
    }

    fn check_sizes(&self, request: &SealedRequest, misses: &mut Vec<String>) {
        let (messages, size) = (request.messages().len(), request.size().value);
        if self.messages.is_some_and(|expected| expected != messages) {
            misses.push(format!("- messages: {}\n+ messages: {messages}", self.messages.unwrap_or_default()));
        }
        if self.max_bytes.is_some_and(|most| size > most) {
            misses.push(format!("- at most {} bytes\n+ {size} bytes", self.max_bytes.unwrap_or_default()));
        }
    }
}

/// A message as people write it: in the form of `--requests`, but with its texts unescaped.
fn rendered(message: &outrigger_core::transcript::Message) -> String {
    let line = MessageLine::from(message);
    line.texts().collect::<Vec<&str>>().join("\n")
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

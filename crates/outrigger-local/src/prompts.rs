//! Every text that the local model reads and that is not the user's, a tool's or the host's.

use crate::conversation::{Call, Status, ToolResult};

/// Opens the list of tools for a small model.
pub(crate) const TOOLS: &str = "You pick the right tool for a request and write its arguments as JSON.\n\nTools:\n";

/// What the choice to answer without a tool is called in the list of tools, and what it is said to do.
pub(crate) const ANSWER: (&str, &str) =
    ("answer", "Answers in words: greetings, thanks, general knowledge, writing, chat.");

/// Names for that choice when a tool has taken the first.
pub(crate) const ANSWER_OTHERWISE: [&str; 3] = ["reply_in_words", "no_tool_needed", "answer_without_tool"];

/// Requests that are answered without a tool. The first ones stand in every prompt.
pub(crate) const ANSWER_ASKS: [&str; 14] = [
    "Hello!",
    "Why is the sky blue?",
    "Thanks, that was helpful.",
    "Write a short poem about the sea.",
    "Hi there, what can you do?",
    "Who made you?",
    "Tell me a joke.",
    "How are you doing?",
    "Who was Albert Einstein?",
    "What is the largest city of Japan?",
    "Explain recursion in simple words.",
    "How do I make pancakes?",
    "What does the word serendipity mean?",
    "Please give me some advice, I am tired.",
];

/// Questions without content: what a model scores for these is its prejudice, and is subtracted.
pub(crate) const CONTENT_FREE: [&str; 2] = ["N/A", ""];

/// The instructions for an answer when the host gives none.
pub(crate) const CHAT: &str = "You are a small language model that runs on the user's own computer. Answer briefly.";

/// The instructions for the sentence after a tool's result.
pub(crate) const CONCLUDE: &str =
    "You are a helpful assistant. Answer the question in one short sentence, using the result.";

pub(crate) fn question_with_result(question: &str, result: &str) -> String {
    format!("Question: {question}\nResult: {result}")
}

/// The results of a batch as the answer opens with them.
pub(crate) fn opening(results: &[&ToolResult]) -> String {
    let said = |result: &ToolResult| match result.status {
        Status::Failed => format!("{} failed: {}", result.name, result.content),
        Status::Done | Status::Opened => result.content.clone(),
    };
    match results {
        [only] => said(only),
        several => several
            .iter()
            .map(|result| match result.status {
                Status::Failed => said(result),
                Status::Done | Status::Opened => format!("{}: {}", result.name, result.content),
            })
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

/// A call in the form a small model reads and writes it: the name on a line, then the arguments.
pub(crate) fn small_call(name: &str, arguments: &str) -> String {
    format!("{name}\n{arguments}")
}

/// Results as part of an earlier exchange.
pub(crate) fn small_results(results: &[ToolResult], longest: usize) -> String {
    let lines = results.iter().map(|r| match r.status {
        Status::Failed => format!("{} failed: {}", r.name, clip(&r.content, longest)),
        Status::Done | Status::Opened => format!("{}: {}", r.name, clip(&r.content, longest)),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// At most `longest` bytes of a text, cut between characters.
pub(crate) fn clip(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let end = (0..=longest).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    format!("{} […]", text.get(..end).unwrap_or_default())
}

/// Opens a call in the output of a larger model; it and the other marks are those that most open models were trained on.
pub(crate) const CALL_OPEN: &str = "<tool_call>";
/// Closes a call.
pub(crate) const CALL_CLOSE: &str = "</tool_call>";

/// The tools, for a larger model.
pub(crate) fn full_tools(signatures: &str) -> String {
    format!(
        "# Tools\n\nYou may call one or more functions to assist with the user's request. Their signatures:\n\n<tools>\n\
         {signatures}</tools>\n\nTo call a function, write its name and arguments as a JSON object between tags, and \
         nothing after it:\n{CALL_OPEN}\n{{\"name\": <name>, \"arguments\": <object>}}\n{CALL_CLOSE}\nWhen no function \
         helps, answer in words. Answer from the results when you have them."
    )
}

/// A call in an earlier message of a larger model.
pub(crate) fn full_call(call: &Call) -> String {
    let name = serde_json::Value::from(call.name.as_str());
    format!("{CALL_OPEN}\n{{\"name\": {name}, \"arguments\": {}}}\n{CALL_CLOSE}", call.arguments)
}

/// Results, for a larger model.
pub(crate) fn full_results(results: &[ToolResult]) -> String {
    let blocks = results.iter().map(|r| {
        let failed = if r.status == Status::Failed { "failed: " } else { "" };
        format!("<tool_response>\n{}: {failed}{}\n</tool_response>", r.name, r.content)
    });
    blocks.collect::<Vec<_>>().join("\n")
}

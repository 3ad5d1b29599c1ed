//! The profile for small models.
//!
//! A model of a hundred million parameters cannot choose among tools from their descriptions, nor repeat a result
//! without inventing. So the adapter retrieves worked examples near to the question, lets the model score the
//! alternatives and subtracts its prejudice, has the arguments decoded under the tool's grammar, and puts results
//! into the answer itself.

use crate::arguments::{Decoding, Limits};
use crate::conversation::{
    Call, Conversation, Delta, End, Message, Origin, Reply, Status, TextPart, ToolResult, ToolView, Usage,
};
use crate::engine::Engine;
use crate::error::LocalError;
use crate::menu::{Menu, Selection};
use crate::session::{Purpose, Sink, tell};
use crate::spans::Spans;
use crate::template::{Role, Turn};
use crate::text::Wish;
use crate::{echoes, math, names, prompts, text};

/// Bytes of an earlier result that are put before the model when it chooses.
const LONGEST_PAST_RESULT: usize = 300;

/// A result longer than this, in bytes, stands without a sentence of the model.
const LONGEST_CONCLUDED: usize = 400;

/// Tokens of the sentence after a result.
const SENTENCE_TOKENS: usize = 48;

/// What nearness, from 0 to 1, is worth in log scores: an example that says the same thing outweighs a moderate opinion
/// of the model, and no more. Choices are the same for anything from 5 to 15.
const NEARNESS_WEIGHT: f32 = 8.0;

/// Room for a call behind the prompt, in tokens.
const CALL_ROOM: usize = 128;

pub(crate) fn respond(
    engine: &mut Engine,
    conversation: &Conversation,
    views: &[ToolView<'_>],
    sink: &mut Sink<'_>,
) -> Result<Reply, LocalError> {
    let batch = match conversation.messages.last() {
        Some(Message::Results(batch)) => batch.as_slice(),
        _ => &[],
    };
    // A menu that was opened is no answer: the question is put again.
    let results: Vec<&ToolResult> = batch.iter().filter(|result| result.status != Status::Opened).collect();
    if !results.is_empty() {
        return conclude(engine, conversation, &results, sink);
    }
    let mut usage = Usage::default();
    if !views.is_empty() {
        let menu = Menu::new(views)?;
        let selection = menu.select(question(conversation));
        if let Some(tool) = choose(engine, conversation, &menu, &selection, &mut usage, sink)? {
            return call(engine, conversation, &menu, tool, usage, sink);
        }
    }
    chat(engine, conversation, usage, sink)
}

/// The part of the prompt that is the same for every question: the tools, and examples of all of them.
pub(crate) fn fixed_turns(views: &[ToolView<'_>]) -> Result<Vec<Turn>, LocalError> {
    if views.is_empty() {
        return Ok(Vec::new());
    }
    let menu = Menu::new(views)?;
    // Any question will do: for a menu that is put before the model whole, the fixed part does not depend on it.
    Ok(opening_turns(&menu, &menu.select("")))
}

fn opening_turns(menu: &Menu<'_>, selection: &Selection) -> Vec<Turn> {
    let mut turns = vec![(Role::System, menu.instructions(&selection.tools))];
    turns.extend(selection.fixed.iter().flat_map(example_turns));
    turns
}

fn example_turns((ask, call): &(String, String)) -> [Turn; 2] {
    [(Role::User, ask.clone()), (Role::Assistant, call.clone())]
}

/// The last thing the user said.
fn question(conversation: &Conversation) -> &str {
    let said = conversation.messages.iter().rev().find_map(|message| match message {
        Message::User(text) => Some(text.as_str()),
        _ => None,
    });
    said.unwrap_or_default()
}

/// Chooses a tool, or nothing: to answer in words. Leaves the session behind the question's prompt.
fn choose(
    engine: &mut Engine,
    conversation: &Conversation,
    menu: &Menu<'_>,
    selection: &Selection,
    usage: &mut Usage,
    sink: &mut Sink<'_>,
) -> Result<Option<usize>, LocalError> {
    let encode = |text: &str| engine.tokenizer.encode_plain(text);
    let mut alternatives: Vec<Vec<u32>> = selection
        .tools
        .iter()
        .filter_map(|&index| menu.tools.get(index))
        .map(|tool| encode(&prompts::small_call(tool.name, "")))
        .collect();
    let mut answer = encode(menu.answer);
    answer.push(engine.tokenizer.end());
    alternatives.push(answer);

    let prompt = |question: &str| turns(conversation, menu, selection, question);
    let fixed = 1 + 2 * selection.fixed.len();
    let mut prejudice: Vec<Vec<f32>> = Vec::new();
    for free in prompts::CONTENT_FREE {
        engine.prompt(Purpose::Choice, &prompt(free), fixed, CALL_ROOM, usage, sink)?;
        prejudice.push(names::score(&mut engine.session, &alternatives, sink)?);
    }
    // The question comes last: a call is decoded from where it leaves the session.
    engine.prompt(Purpose::Choice, &prompt(question(conversation)), fixed, CALL_ROOM, usage, sink)?;
    let scores = names::score(&mut engine.session, &alternatives, sink)?;

    let calibrated = scores.iter().zip(&selection.nearness).enumerate().map(|(index, (score, nearness))| {
        let free = prejudice.iter().filter_map(|scores| scores.get(index)).copied();
        (score - math::log_sum_exp(free) + NEARNESS_WEIGHT * nearness, index)
    });
    let best = calibrated.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, index)| index);
    Ok(best.and_then(|index| selection.tools.get(index)).copied())
}

/// The prompt of a choice: instructions, examples, what was said before, and the question.
fn turns(conversation: &Conversation, menu: &Menu<'_>, selection: &Selection, question: &str) -> Vec<Turn> {
    let mut turns = opening_turns(menu, selection);
    turns.extend(selection.near.iter().flat_map(example_turns));
    let asked = conversation.messages.iter().rposition(|m| matches!(m, Message::User(_))).unwrap_or_default();
    for message in conversation.messages.get(..asked).unwrap_or_default() {
        turns.push(match message {
            Message::User(text) => (Role::User, text.clone()),
            Message::Assistant { calls, .. } if calls.is_empty() => (Role::Assistant, menu.answer.to_owned()),
            Message::Assistant { calls, .. } => {
                let calls = calls.iter().map(|call| prompts::small_call(&call.name, &call.arguments));
                (Role::Assistant, calls.collect::<Vec<_>>().join("\n"))
            }
            Message::Results(results) => (Role::User, prompts::small_results(results, LONGEST_PAST_RESULT)),
        });
    }
    turns.push((Role::User, question.to_owned()));
    turns
}

/// Decodes the call of a chosen tool.
fn call(
    engine: &mut Engine,
    conversation: &Conversation,
    menu: &Menu<'_>,
    tool: usize,
    mut usage: Usage,
    sink: &mut Sink<'_>,
) -> Result<Reply, LocalError> {
    let Some(tool) = menu.tools.get(tool) else { return chat(engine, conversation, usage, sink) };
    tell(sink, Delta::CallStarted { index: 0, name: tool.name })?;
    let introduction = engine.tokenizer.encode_plain(&prompts::small_call(tool.name, ""));
    usage.generated += introduction.len();
    usage.forced += introduction.len();
    engine.session.feed(&introduction, sink)?;

    let grammar = engine.grammars.arguments(tool.name, &tool.schema)?;
    let question = question(conversation);
    let older: Vec<&str> =
        conversation.messages.iter().rev().flat_map(texts).filter(|t| *t != question).take(16).collect();
    let spans = Spans::new(question, &older, &tool.examples);
    let tokenizer = std::sync::Arc::clone(&engine.tokenizer);
    // Shown when they are whole: what turns out to be an echo of an example is taken out again.
    let mut decoding = Decoding {
        session: &mut engine.session,
        tokenizer: &tokenizer,
        tool: tool.name,
        spans: Some(&spans),
        limits: Limits::SMALL,
        usage: &mut usage,
    };
    let arguments = decoding.run(grammar, &mut |_, sink| tell(sink, Delta::Working), sink)?;
    let arguments = echoes::without(&arguments, &tool.schema, &tool.examples, std::iter::once(question).chain(older));
    tell(sink, Delta::Arguments { index: 0, json: &arguments })?;
    Ok(Reply { calls: vec![Call { name: tool.name.to_owned(), arguments }], usage, ..Reply::default() })
}

/// What was said in a message, by anybody.
fn texts(message: &Message) -> Vec<&str> {
    match message {
        Message::User(text) => vec![text],
        Message::Assistant { text, .. } => vec![text],
        Message::Results(results) => results.iter().map(|r| r.content.as_str()).collect(),
    }
}

/// Answers with the results themselves, word for word, and a sentence of the model where one can be trusted.
fn conclude(
    engine: &mut Engine,
    conversation: &Conversation,
    results: &[&ToolResult],
    sink: &mut Sink<'_>,
) -> Result<Reply, LocalError> {
    let opening = prompts::opening(results);
    tell(sink, Delta::Text { text: &opening, origin: Origin::Adapter })?;
    let mut reply =
        Reply { text: vec![TextPart { text: opening.clone(), origin: Origin::Adapter }], ..Reply::default() };
    let failed = results.iter().any(|result| result.status == Status::Failed);
    if failed || opening.len() > LONGEST_CONCLUDED || opening.trim().is_empty() {
        return Ok(reply);
    }
    let question = question(conversation);
    let turns =
        [(Role::System, prompts::CONCLUDE.to_owned()), (Role::User, prompts::question_with_result(question, &opening))];
    let mut usage = Usage::default();
    let sentence = sentence(engine, &turns, &mut usage, sink)?;
    if is_supported(&sentence, &[question, &opening]) {
        let sentence = format!("\n\n{sentence}");
        tell(sink, Delta::Text { text: &sentence, origin: Origin::Model })?;
        reply.text.push(TextPart { text: sentence, origin: Origin::Model });
    }
    reply.usage = usage;
    Ok(reply)
}

/// The first sentence that the model says; it is shown only when all of it is known.
fn sentence(engine: &mut Engine, turns: &[Turn], usage: &mut Usage, sink: &mut Sink<'_>) -> Result<String, LocalError> {
    engine.prompt(Purpose::Answer, turns, 1, SENTENCE_TOKENS, usage, sink)?;
    let mut said = String::new();
    let tokenizer = std::sync::Arc::clone(&engine.tokenizer);
    let end = text::decode(&mut engine.session, &tokenizer, SENTENCE_TOKENS, usage, sink, &mut |piece, _| {
        said.push_str(piece);
        let ended = said.contains('\n') || said.contains(". ") || said.contains("! ");
        Ok(if ended { Wish::Stop } else { Wish::More })
    })?;
    let cut = [said.find('\n'), said.find(". ").map(|at| at + 1), said.find("! ").map(|at| at + 1)];
    let cut = cut.into_iter().flatten().min();
    Ok(match (cut, end) {
        (Some(at), _) => said.get(..at).unwrap_or_default().trim().to_owned(),
        (None, End::Complete) => said.trim().to_owned(),
        // A sentence that did not come to its end says nothing.
        (None, End::Limit) => String::new(),
    })
}

/// Whether a sentence may stand behind a result: it says nothing with digits that the question and the result do not.
fn is_supported(sentence: &str, sources: &[&str]) -> bool {
    let numbers = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_numeric() && !matches!(c, '.' | ',' | ':'));
        words.map(|word| word.trim_matches(['.', ',', ':']).to_owned()).filter(|word| !word.is_empty()).collect()
    };
    let known: Vec<String> = sources.iter().flat_map(|source| numbers(source)).collect();
    !sentence.is_empty() && numbers(sentence).iter().all(|number| known.contains(number))
}

/// Answers in words.
fn chat(
    engine: &mut Engine,
    conversation: &Conversation,
    mut usage: Usage,
    sink: &mut Sink<'_>,
) -> Result<Reply, LocalError> {
    let system = if conversation.system.trim().is_empty() { prompts::CHAT } else { conversation.system.as_str() };
    let mut turns = vec![(Role::System, system.to_owned())];
    for message in &conversation.messages {
        match message {
            Message::User(text) => turns.push((Role::User, text.clone())),
            // A call says nothing to a reader; the answer that opened with its result does.
            Message::Assistant { text, .. } if text.is_empty() => {}
            Message::Assistant { text, .. } => turns.push((Role::Assistant, text.clone())),
            Message::Results(results) => {
                turns.push((Role::User, prompts::small_results(results, LONGEST_PAST_RESULT)));
            }
        }
    }
    let limit = engine.max_tokens;
    // The window may be too small for the longest answer allowed; a shorter one is better than none.
    engine.prompt(Purpose::Answer, &turns, 1, SENTENCE_TOKENS, &mut usage, sink)?;
    let room = engine.info().window.saturating_sub(engine.session.tokens().len());
    let mut said = String::new();
    let tokenizer = std::sync::Arc::clone(&engine.tokenizer);
    let end = text::decode(&mut engine.session, &tokenizer, limit.min(room), &mut usage, sink, &mut |piece, sink| {
        if !piece.is_empty() {
            tell(sink, Delta::Text { text: piece, origin: Origin::Model })?;
            said.push_str(piece);
        }
        Ok(Wish::More)
    })?;
    Ok(Reply { text: vec![TextPart { text: said, origin: Origin::Model }], end, usage, ..Reply::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_with_a_number_of_its_own_is_not_shown() {
        let sources = ["What is 12 + 30?", "42"];
        assert!(is_supported("12 + 30 is 42.", &sources));
        assert!(is_supported("That is the answer.", &sources));
        assert!(!is_supported("You have 43 dollars.", &sources));
        assert!(!is_supported("It is 4.2.", &sources));
        assert!(!is_supported("", &sources));
    }
}

//! The visible tools, with everything the small-model profile derives from them, and the retrieval of their examples.

use serde_json::Value;

use crate::conversation::ToolView;
use crate::error::LocalError;
use crate::nearness::{Corpus, Profile};
use crate::{prompts, schema};

/// More tools than this are never put before a small model at once; the nearest ones are.
const MOST_CANDIDATES: usize = 16;

/// Examples of each alternative in the fixed part of the prompt, and of all together.
const FIXED_SHARE: usize = 4;
const MOST_FIXED: usize = 32;

/// Examples of each alternative among those near to the question, and of all together.
const NEAR_SHARE: usize = 2;
const MOST_NEAR: usize = 8;

/// A tool, read.
pub(crate) struct Tool<'a> {
    pub(crate) name: &'a str,
    pub(crate) schema: Value,
    /// The arguments of its examples.
    pub(crate) examples: Vec<Value>,
    /// One line: name, parameters, description.
    line: String,
}

/// What an example shows: a call of a tool, or an answer in words.
struct Shown {
    /// Index into the tools; none is the answer in words.
    tool: Option<usize>,
    ask: String,
    call: String,
    profile: Profile,
}

pub(crate) struct Menu<'a> {
    pub(crate) tools: Vec<Tool<'a>>,
    /// What answering in words is called.
    pub(crate) answer: &'static str,
    examples: Vec<Shown>,
    corpus: Corpus,
}

/// The part of a menu that is put before the model for one question.
pub(crate) struct Selection {
    /// Tools that may be chosen, in the menu's order.
    pub(crate) tools: Vec<usize>,
    /// How near the nearest example of each of them is, and last that of answering in words.
    pub(crate) nearness: Vec<f32>,
    /// Question and call of examples that are the same for every question, so that they are read once a menu.
    pub(crate) fixed: Vec<(String, String)>,
    /// The examples near to the question, the nearest last: the model repeats what it has seen last.
    pub(crate) near: Vec<(String, String)>,
}

impl<'a> Menu<'a> {
    pub(crate) fn new(views: &[ToolView<'a>]) -> Result<Self, LocalError> {
        let tools = views.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let taken = |name: &str| tools.iter().any(|tool| tool.name == name);
        let names = std::iter::once(prompts::ANSWER.0).chain(prompts::ANSWER_OTHERWISE);
        let answer = names.into_iter().find(|name| !taken(name)).unwrap_or(prompts::ANSWER.0);

        let mut asks: Vec<(Option<usize>, String, String)> = Vec::new();
        for (index, (tool, view)) in tools.iter().zip(views).enumerate() {
            asks.extend(examples(tool, view).into_iter().map(|(ask, call)| (Some(index), ask, call)));
        }
        asks.extend(prompts::ANSWER_ASKS.iter().map(|&ask| (None, ask.to_owned(), answer.to_owned())));
        let corpus = Corpus::new(asks.iter().map(|(_, ask, _)| ask.as_str()));
        let examples = asks
            .into_iter()
            .map(|(tool, ask, call)| Shown { tool, profile: corpus.profile(&ask), ask, call })
            .collect();
        Ok(Self { tools, answer, examples, corpus })
    }

    /// The fixed part of the prompt for these candidates.
    pub(crate) fn instructions(&self, candidates: &[usize]) -> String {
        let lines = candidates.iter().filter_map(|&index| self.tools.get(index)).map(|tool| tool.line.as_str());
        let answer = format!("{}() - {}\n", self.answer, prompts::ANSWER.1);
        std::iter::once(prompts::TOOLS).chain(lines).chain([answer.as_str()]).collect()
    }

    /// The candidates and examples for a question.
    pub(crate) fn select(&self, question: &str) -> Selection {
        let question = self.corpus.profile(question);
        let mut ranked: Vec<(f32, &Shown)> =
            self.examples.iter().map(|shown| (question.nearness(&shown.profile), shown)).collect();
        ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));

        let mut tools: Vec<usize> = Vec::new();
        for tool in ranked.iter().filter_map(|(_, shown)| shown.tool) {
            if tools.len() < MOST_CANDIDATES && !tools.contains(&tool) {
                tools.push(tool);
            }
        }
        // The menu's order, so that the fixed part of the prompt is the same for every question.
        tools.sort_unstable();
        let alternatives: Vec<Option<usize>> = tools.iter().copied().map(Some).chain([None]).collect();
        let nearness = alternatives
            .iter()
            .map(|tool| ranked.iter().find(|(_, shown)| shown.tool == *tool).map_or(0.0, |(nearness, _)| *nearness))
            .collect();

        let mut near: Vec<&Shown> = Vec::new();
        for (_, example) in ranked {
            let shown = near.iter().filter(|shown| shown.tool == example.tool).count();
            if shown < NEAR_SHARE && near.len() < MOST_NEAR && alternatives.contains(&example.tool) {
                near.push(example);
            }
        }
        near.reverse();
        let pair = |shown: &Shown| (shown.ask.clone(), shown.call.clone());
        Selection {
            fixed: self.fixed(&alternatives).map(pair).collect(),
            near: near.into_iter().map(pair).collect(),
            nearness,
            tools,
        }
    }

    /// The same number of examples for every alternative, in turns: one that shows more is chosen more.
    fn fixed(&self, alternatives: &[Option<usize>]) -> impl Iterator<Item = &Shown> {
        let share = (MOST_FIXED / alternatives.len().max(1)).clamp(1, FIXED_SHARE);
        let rounds = (0..share).flat_map(|round| alternatives.iter().map(move |tool| (round, *tool)));
        rounds.filter_map(|(round, tool)| self.examples.iter().filter(|shown| shown.tool == tool).nth(round))
    }
}

fn read<'a>(view: &ToolView<'a>) -> Result<Tool<'a>, LocalError> {
    let schema: Value = serde_json::from_str(view.schema).map_err(|e| LocalError::Grammar {
        tool: view.name.to_owned(),
        reason: format!("its schema is not JSON: {e}"),
    })?;
    let line = format!("{}({}) - {}\n", view.name, schema::signature(&schema), first_sentence(view.description));
    let examples = view.examples.iter().filter_map(|example| serde_json::from_str(&example.arguments).ok()).collect();
    Ok(Tool { name: view.name, schema, examples, line })
}

/// The declared examples of a tool or, where there are none, one made from its description and schema.
fn examples(tool: &Tool<'_>, view: &ToolView<'_>) -> Vec<(String, String)> {
    let call = |arguments: &Value| prompts::small_call(tool.name, &schema::spell(arguments, &tool.schema));
    let declared: Vec<(String, String)> = view
        .examples
        .iter()
        .filter_map(|example| {
            let arguments: Value = serde_json::from_str(&example.arguments).ok()?;
            Some((example.ask.clone(), call(&arguments)))
        })
        .collect();
    if !declared.is_empty() {
        return declared;
    }
    let arguments = schema::sample(&tool.schema);
    let values = arguments.as_object().into_iter().flatten();
    let values: Vec<String> = values.map(|(_, v)| v.as_str().map_or_else(|| v.to_string(), str::to_owned)).collect();
    let ask = format!("{} {}", first_sentence(view.description), values.join(", "));
    vec![(ask.trim().to_owned(), call(&arguments))]
}

fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    let end = text.match_indices(['.', '\n']).find(|&(at, mark)| {
        mark == "\n" || text.get(at + 1..).is_none_or(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    });
    end.and_then(|(at, mark)| text.get(..if mark == "." { at + 1 } else { at })).unwrap_or(text)
}

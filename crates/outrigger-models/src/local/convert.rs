//! A sealed request as the engine takes it.

use outrigger_core::model::SealedRequest;
use outrigger_core::transcript::{CallResult, Message, Usage, UserPart};
use outrigger_local::{Call, Conversation, Message as Said, Reply, Status, ToolResult, ToolView, WorkedExample};

pub(super) fn conversation(request: &SealedRequest) -> Conversation {
    let mut messages = Vec::with_capacity(request.messages().len());
    request.messages().for_each(|message| messages.push(said(message)));
    Conversation { system: request.system().join("\n\n"), messages }
}

fn said(message: &Message) -> Said {
    match message {
        Message::User(user) => {
            let texts = user.parts.iter().map(|part| match part {
                UserPart::Text(text) => &**text,
                _ => "[a picture, which this model cannot see]",
            });
            Said::User(texts.collect::<Vec<&str>>().join("\n"))
        }
        Message::Assistant(assistant) => {
            let calls = assistant
                .calls()
                .map(|call| Call { name: call.name.to_string(), arguments: call.arguments.to_string() });
            Said::Assistant { text: assistant.text(), calls: calls.collect() }
        }
        Message::Results(batch) => Said::Results(batch.results.iter().map(|result| answered(result)).collect()),
        Message::Context(context) => Said::User(format!("[{}]\n{}", context.source, context.text)),
        _ => Said::User(String::new()),
    }
}

fn answered(result: &CallResult) -> ToolResult {
    let status = if result.status.is_ok() { Status::Done } else { Status::Failed };
    ToolResult { name: result.name.to_string(), status, content: result.text_content() }
}

/// The worked examples of each tool, in the order of the tools.
pub(super) fn examples(request: &SealedRequest) -> Vec<Vec<WorkedExample>> {
    let of_tool = request.tools().iter().map(|tool| {
        let examples = tool.examples.iter();
        examples.map(|one| WorkedExample { ask: one.ask.to_string(), arguments: one.args.to_string() }).collect()
    });
    of_tool.collect()
}

pub(super) fn tools<'a>(request: &'a SealedRequest, examples: &'a [Vec<WorkedExample>]) -> Vec<ToolView<'a>> {
    let tools = request.tools().iter().zip(examples);
    tools
        .map(|(tool, examples)| ToolView {
            name: &tool.name,
            description: &tool.description,
            schema: &tool.schema,
            examples,
        })
        .collect()
}

pub(super) fn usage(reply: &Reply) -> Usage {
    let tokens = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    Usage {
        input: tokens(reply.usage.prompt),
        output: tokens(reply.usage.generated),
        cached: tokens(reply.usage.cached),
        reasoning: 0,
    }
}

//! The chat template of a GGUF file.

use minijinja::{Environment, Value, context};

use crate::error::LocalError;
use crate::gguf::Gguf;
use crate::tokenizer::{Piece, Tokenizer};

/// Used where a file has no template: the most common form among small instruct models.
const CHATML: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + \
                      '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// Encloses the number that stands for a message's content while the template is rendered. A private-use character:
/// no template writes it.
const SENTINEL: char = '\u{F8FE}';

/// A message as a template sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    System,
    User,
    Assistant,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// Role and content of one message.
pub(crate) type Turn = (Role, String);

pub(crate) struct Template {
    environment: Environment<'static>,
    begin: String,
    end: String,
}

impl Template {
    pub(crate) fn new(gguf: &Gguf, tokenizer: &Tokenizer) -> Result<Self, LocalError> {
        let source = gguf.optional_text("tokenizer.chat_template").unwrap_or(CHATML).to_owned();
        let mut environment = Environment::new();
        environment.set_trim_blocks(true);
        environment.set_lstrip_blocks(true);
        // A template is code from outside: it may loop, so it gets a bounded amount of work.
        environment.set_fuel(Some(2_000_000));
        environment.set_unknown_method_callback(python_methods);
        environment.add_function("raise_exception", |message: String| -> Result<String, minijinja::Error> {
            Err(minijinja::Error::new(minijinja::ErrorKind::InvalidOperation, message))
        });
        environment.add_template_owned("chat", source).map_err(failed)?;
        let name = |id: Option<u32>| id.map(|id| tokenizer.name(id)).unwrap_or_default();
        Ok(Self { environment, begin: name(tokenizer.begin()), end: name(Some(tokenizer.end())) })
    }

    /// The tokens of a conversation, up to where the assistant begins to speak.
    ///
    /// The template is rendered around placeholders, and the contents are encoded apart from it: what a user or a tool
    /// says can never become a control token.
    pub(crate) fn encode(&self, turns: &[Turn], tokenizer: &Tokenizer) -> Result<Vec<u32>, LocalError> {
        let rendered = self.render(turns).or_else(|error| {
            // Some templates know no system role: then the instructions open the first message of the user.
            match turns {
                [(Role::System, system), (Role::User, user), rest @ ..] => {
                    let merged: Vec<Turn> = std::iter::once((Role::User, format!("{system}\n\n{user}")))
                        .chain(rest.iter().cloned())
                        .collect();
                    self.render(&merged).map(|r| Rendered { contents: merged, ..r })
                }
                _ => Err(error),
            }
        })?;
        Ok(tokenizer.encode_pieces(&rendered.pieces()))
    }

    fn render(&self, turns: &[Turn]) -> Result<Rendered, LocalError> {
        let messages: Vec<Value> = turns
            .iter()
            .enumerate()
            .map(|(index, (role, _))| {
                context! { role => role.name(), content => format!("{SENTINEL}{index}{SENTINEL}") }
            })
            .collect();
        let text = self
            .environment
            .get_template("chat")
            .and_then(|template| {
                template.render(context! {
                    messages,
                    add_generation_prompt => true,
                    // Models that think aloud by default are asked not to: the answer is what is wanted here.
                    enable_thinking => false,
                    bos_token => self.begin,
                    eos_token => self.end,
                })
            })
            .map_err(failed)?;
        Ok(Rendered { text, contents: turns.to_vec() })
    }
}

/// A rendered template, with sentinels where the contents go.
struct Rendered {
    text: String,
    contents: Vec<Turn>,
}

impl Rendered {
    fn pieces(&self) -> Vec<Piece<'_>> {
        // Between two sentinels stands the number of a message; everything else is the template's own text.
        let parts = self.text.split(SENTINEL).enumerate();
        parts
            .filter_map(|(index, part)| {
                if index % 2 == 0 {
                    return Some(Piece::Template(part));
                }
                let (_, content) = self.contents.get(part.parse::<usize>().ok()?)?;
                Some(Piece::Plain(content))
            })
            .collect()
    }
}

/// The string and dictionary methods of Python that chat templates use.
fn python_methods(
    _: &minijinja::State<'_, '_>,
    value: &Value,
    method: &str,
    arguments: &[Value],
) -> Result<Value, minijinja::Error> {
    let unknown = || minijinja::Error::from(minijinja::ErrorKind::UnknownMethod);
    let argument = arguments.first().and_then(Value::as_str);
    if let Some(text) = value.as_str() {
        return Ok(match (method, argument) {
            ("strip", None) => text.trim().into(),
            ("lstrip", None) => text.trim_start().into(),
            ("rstrip", None) => text.trim_end().into(),
            ("strip", Some(set)) => text.trim_matches(|c| set.contains(c)).into(),
            ("lstrip", Some(set)) => text.trim_start_matches(|c| set.contains(c)).into(),
            ("rstrip", Some(set)) => text.trim_end_matches(|c| set.contains(c)).into(),
            ("upper", _) => text.to_uppercase().into(),
            ("lower", _) => text.to_lowercase().into(),
            ("startswith", Some(prefix)) => text.starts_with(prefix).into(),
            ("endswith", Some(suffix)) => text.ends_with(suffix).into(),
            ("split", Some(by)) if !by.is_empty() => text.split(by).map(Value::from).collect::<Vec<_>>().into(),
            _ => return Err(unknown()),
        });
    }
    match (method, arguments) {
        ("get", [key, rest @ ..]) => {
            let found = value.get_item(key)?;
            Ok(if found.is_undefined() { rest.first().cloned().unwrap_or(Value::from(())) } else { found })
        }
        ("items", []) => {
            let keys: Vec<Value> = value.try_iter()?.collect();
            let pairs = keys.into_iter().map(|k| Ok(Value::from(vec![k.clone(), value.get_item(&k)?])));
            Ok(Value::from(pairs.collect::<Result<Vec<Value>, minijinja::Error>>()?))
        }
        _ => Err(unknown()),
    }
}

fn failed(error: minijinja::Error) -> LocalError {
    LocalError::Template { reason: format!("{error:#}") }
}

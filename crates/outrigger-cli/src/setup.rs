//! From files and options to an agent.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use outrigger::agent::config::{AgentFile, ConfigErrors};
use outrigger::agent::{Agent, AgentBuilder, BuildError};
use outrigger::model::{IntoModel, Model, ModelError};
use outrigger::models::{OpenOptions, model};
use outrigger::scripted::{Recording, ScriptError};

use crate::choice::{Chosen, chosen, overreach};
use crate::failure::{Failure, FileError};
use crate::harnesses::{DEFAULT_AGENT, HARNESSES};
use crate::output::{error, note, watch};

/// The agent file that is used where none is named.
const AGENT_FILE: &str = "agent.toml";

/// Names that agent files may have in other formats, which this program does not read yet.
const OTHER_FORMATS: [&str; 3] = ["agent.json", "agent.yaml", "agent.yml"];

/// The model where nothing names one.
pub(crate) const DEFAULT_MODEL: &str = "local";

/// The most bytes of a file or of standard input.
const MAX_INPUT: u64 = 16 << 20;

/// What an agent is made of, before it has a model.
pub(crate) struct Setup {
    path: Option<PathBuf>,
    /// Whether somebody named the file; else it was found.
    named: bool,
    file: AgentFile,
    recording: Option<Recording>,
}

impl Setup {
    /// Reads the agent file that is named, else `agent.toml` in the working directory. Without either there is the
    /// default agent, and that is said.
    pub(crate) fn load(named: Option<&Path>) -> Result<Self, Failure> {
        let found = Path::new(AGENT_FILE);
        match named {
            Some(path) => Self::read(path, true),
            None if found.exists() => Self::read(found, false),
            None => {
                if let Some(other) = OTHER_FORMATS.iter().find(|name| Path::new(name).exists()) {
                    note(&format!("{other} is not read: agent files are TOML"));
                }
                note(
                    "no agent file: there are Calculator, Clock and Files, which reads the working directory and changes nothing",
                );
                let file = AgentFile::read(DEFAULT_AGENT, HARNESSES, Path::new("."));
                let file = file.map_err(|errors| Failure::in_file(None, errors))?;
                Ok(Self { path: None, named: false, file, recording: None })
            }
        }
    }

    fn read(path: &Path, named: bool) -> Result<Self, Failure> {
        if path.extension().is_some_and(|extension| ["json", "yaml", "yml"].iter().any(|other| extension == *other)) {
            return Err(Failure::file(path, "agent files are TOML; this one is named as something else"));
        }
        let text = read_file(path)?;
        let file = AgentFile::read(&text, HARNESSES, directory(path));
        let file = file.map_err(|errors| Failure::in_file(Some(path), errors))?;
        Ok(Self { path: Some(path.to_owned()), named, file, recording: None })
    }

    /// The same, with what the model says kept in a file.
    pub(crate) fn recorded(self, path: &Path) -> Result<Self, Failure> {
        let refused = |error: ScriptError| match error {
            ScriptError::Unwritable { error, .. } => {
                Failure::file(path, format!("cannot be written: {}", reason(&error)))
            }
            other => Failure::file(path, other.to_string()),
        };
        Ok(Self { recording: Some(Recording::to_file(path).map_err(refused)?), ..self })
    }

    /// Tells that the recording lacks something, if it does.
    pub(crate) fn tell_recording(&self) {
        if let Some(fault) = self.recording.as_ref().and_then(Recording::fault) {
            error(&fault);
        }
    }

    /// What the file says.
    pub(crate) fn file(&self) -> &AgentFile {
        &self.file
    }

    /// A builder that lacks only the model.
    pub(crate) fn builder(&self) -> AgentBuilder {
        self.file.builder()
    }

    /// Which model answers first: the one that was asked for by option or environment, else the file's, else the local
    /// one.
    pub(crate) fn choice(&self, asked: Option<&str>) -> String {
        let asked = asked.filter(|choice| !choice.trim().is_empty());
        let chosen = chosen(&self.file, self.path.as_deref().map_or(Path::new("."), directory), asked);
        chosen.first().map_or(DEFAULT_MODEL, |first| first.choice.as_str()).to_owned()
    }

    /// The agent, with the model that was asked for: by option or environment, else by the file, else the local one.
    pub(crate) async fn build(
        &self,
        asked: Option<&str>,
        change: impl FnOnce(AgentBuilder) -> AgentBuilder,
    ) -> Result<Agent, Failure> {
        let chosen = self.chosen(asked)?;
        if let [Chosen { configured: false, .. }] = chosen.as_slice() {
            note(&format!(
                "no model is configured: using {DEFAULT_MODEL:?}; choose with --model, OUTRIGGER_MODEL or `model` in an agent file"
            ));
        }
        // Opened here once, to know which of several is to blame.
        let opened: Vec<Opened> = chosen.iter().map(|one| Opened(one.choice.open())).collect();
        let failed = chosen.iter().zip(&opened).filter(|(_, opened)| opened.0.is_err());
        let failed: Vec<Option<String>> = failed.map(|(one, _)| one.pointer.clone()).collect();
        let mut builder = change(self.builder());
        for (index, model) in opened.into_iter().enumerate() {
            builder = match (index, &self.recording) {
                (0, Some(recording)) => builder.model(recording.of(model)),
                (0, None) => builder.model(model),
                (_, Some(recording)) => builder.fallback(recording.of(model)),
                (_, None) => builder.fallback(model),
            };
        }
        builder.build().await.map_err(|error| self.explain(error, &failed))
    }

    /// How the models over HTTP are reached, each in a line.
    pub(crate) fn routes(&self, asked: Option<&str>) -> Result<Vec<String>, Failure> {
        let chosen = self.chosen(asked)?;
        let routes = chosen.iter().filter_map(|one| Some(format!("{}: {}", one.choice.as_str(), one.choice.route()?)));
        Ok(routes.collect())
    }

    fn chosen(&self, asked: Option<&str>) -> Result<Vec<Chosen>, Failure> {
        let asked = asked.filter(|choice| !choice.trim().is_empty());
        if let (Some(path), false) = (&self.path, self.named) {
            let errors = overreach(&self.file, path, asked);
            if !errors.is_empty() {
                return Err(Failure::in_file(Some(path), ConfigErrors { errors }));
            }
        }
        let chosen = chosen(&self.file, self.path.as_deref().map_or(Path::new("."), directory), asked);
        if !chosen.is_empty() {
            return Ok(chosen);
        }
        let options = OpenOptions { watch: Some(watch()), ..OpenOptions::default() };
        Ok(vec![Chosen { choice: model(DEFAULT_MODEL).with_options(options), pointer: None, configured: false }])
    }

    /// A model that the file names, and that cannot be used, is an error of the file. `failed` says where each of those
    /// stands, in order.
    fn explain(&self, error: BuildError, failed: &[Option<String>]) -> Failure {
        let mut failure = Failure::from(error);
        if let Failure::Config(errors) = &mut failure {
            let of_models = errors.iter_mut().filter(|error| error.kind.starts_with("model."));
            for (error, pointer) in of_models.zip(failed) {
                let Some(pointer) = pointer else { continue };
                let placed = self.file.error(pointer, std::mem::take(&mut error.message), error.suggestion.take());
                *error = FileError::placed(self.path.as_deref(), &error.kind, placed);
            }
        }
        failure
    }
}

/// A model that was looked up already.
struct Opened(Result<Arc<dyn Model>, ModelError>);

impl IntoModel for Opened {
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>> {
        Box::pin(std::future::ready(self.0))
    }
}

/// The directory a file is in.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A file as text.
pub(crate) fn read_file(path: &Path) -> Result<String, Failure> {
    let refused = |message: String| Failure::file(path, message);
    let file = std::fs::File::open(path).map_err(|error| refused(format!("cannot be read: {}", reason(&error))))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(refused("is a directory: name a file in it".to_owned()));
    }
    text(file).map_err(|error| refused(format!("cannot be read: {}", reason(&error))))
}

/// Standard input as text.
pub(crate) fn read_stdin() -> Result<String, Failure> {
    let refused = |error| Failure::Usage(format!("standard input cannot be read: {}", reason(&error)));
    text(std::io::stdin().lock()).map_err(refused)
}

fn text(from: impl Read) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    from.take(MAX_INPUT.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(std::io::Error::other(format!("it has more than {MAX_INPUT} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        std::io::Error::other(format!("it is not UTF-8 text: byte {} begins no character", valid.saturating_add(1)))
    })
}

/// The system's reason, without its number.
pub(crate) fn reason(error: &std::io::Error) -> String {
    let whole = error.to_string();
    match whole.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => whole,
    }
}

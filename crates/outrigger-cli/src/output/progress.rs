//! How far the fetching or loading of a model is, on standard error.

use std::io::{IsTerminal, Write, stderr};
use std::sync::{Arc, Mutex, PoisonError};

use outrigger::models::{Progress, Watch};

use super::text::one_line;
use super::{note, tell_aside};

/// Tells progress: on a terminal one line that is written over and goes when it is done, elsewhere a note a stage.
pub(crate) fn watch() -> Watch {
    let told = Mutex::new(Told::default());
    let is_terminal = stderr().is_terminal();
    Arc::new(move |progress| {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        if is_terminal { told.write_over(progress) } else { told.note_stage(progress) }
    })
}

#[derive(Default)]
struct Told {
    stage: String,
    percent: Option<u8>,
}

impl Told {
    fn note_stage(&mut self, progress: &Progress<'_>) {
        if self.stage != progress.stage {
            self.stage = progress.stage.to_owned();
            note(progress.stage);
        }
    }

    fn write_over(&mut self, progress: &Progress<'_>) {
        let stage = one_line(progress.stage);
        let Some(percent) = progress.done.map(percent) else {
            if self.stage != stage {
                tell_aside(&format!("{stage} …"));
                self.stage = stage;
            }
            return;
        };
        if self.stage == stage && self.percent == Some(percent) {
            return;
        }
        let line = if percent >= 100 { "\r\u{1b}[K".to_owned() } else { format!("\r\u{1b}[K{stage} {percent} %") };
        let mut out = stderr().lock();
        // Where nobody reads, there is nobody to tell.
        drop(out.write_all(line.as_bytes()).and_then(|()| out.flush()));
        *self = Self { stage, percent: Some(percent) };
    }
}

/// Whole percents of a part of one.
fn percent(done: f32) -> u8 {
    let percent = (done.clamp(0.0, 1.0) * 100.0).round();
    // Within 0 to 100 by the line above; what is not a number is 0.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = percent as u8;
    whole
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percents_stay_between_none_and_all() {
        assert_eq!([0.0, 0.505, 1.0, 7.0, -1.0, f32::NAN].map(percent), [0, 51, 100, 100, 0, 0]);
    }
}

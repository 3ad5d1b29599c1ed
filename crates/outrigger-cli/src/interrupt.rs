//! Ctrl-C: the first asks, the second quits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::Notify;

/// The exit code of a program that Ctrl-C ended, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Listens for Ctrl-C. The first since the last [`reset`](Self::reset) is told, the next ends the program at once,
/// whatever it is doing.
#[derive(Clone, Default)]
pub(crate) struct Interrupts {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    presses: AtomicU32,
    pressed: Notify,
}

impl Interrupts {
    /// Begins to listen. Must be called on the executor.
    pub(crate) fn listen() -> Self {
        let interrupts = Self::default();
        let shared = Arc::clone(&interrupts.shared);
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                if shared.presses.fetch_add(1, Ordering::SeqCst) > 0 {
                    std::process::exit(INTERRUPTED.into());
                }
                shared.pressed.notify_one();
            }
        });
        interrupts
    }

    /// Waits for the first press.
    pub(crate) async fn pressed(&self) {
        self.shared.pressed.notified().await;
    }

    /// What is pressed next is the first again.
    pub(crate) fn reset(&self) {
        self.shared.presses.store(0, Ordering::SeqCst);
    }
}

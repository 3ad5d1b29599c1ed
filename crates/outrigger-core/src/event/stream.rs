//! The stream of a run's events: in order, and complete unless its reader falls too far behind.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::Stream;

use super::{Emit, Event, EventKind};
use crate::handle::RunHandle;
use crate::transcript::Text;

/// Makes the two ends of a run's stream. At most `buffer` events wait for the reader; when it falls further behind,
/// the newest are dropped, counted, and reported as one [`EventKind::Missed`] in their place.
#[must_use]
pub fn event_stream(handle: RunHandle, agent: Text, buffer: usize) -> (EventSender, EventReceiver) {
    let shared = Arc::new(Shared { state: Mutex::default(), buffer: buffer.max(1) });
    let sender = EventSender { shared: Arc::clone(&shared), handle, agent, iteration: AtomicU32::new(0) };
    (sender, EventReceiver { shared })
}

/// The end events are put in.
pub struct EventSender {
    shared: Arc<Shared>,
    handle: RunHandle,
    agent: Text,
    iteration: AtomicU32,
}

/// The end events are read from, as a [`Stream`] that ends with the run.
pub struct EventReceiver {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    buffer: usize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Event>,
    missed: Option<(Event, u64)>,
    sequence: u64,
    closed: bool,
    reader_gone: bool,
    waker: Option<Waker>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventSender {
    fn event(&self, seq: u64, kind: EventKind, span: Option<Text>) -> Event {
        Event {
            kind,
            id: format!("{}-{seq}", self.handle.run()).into(),
            seq,
            time: self.handle.now(),
            session: self.handle.session().clone(),
            thread: self.handle.thread().clone(),
            run: self.handle.run().clone(),
            turn: self.handle.turn().clone(),
            iteration: self.iteration.load(Ordering::Relaxed),
            agent: vec![self.agent.clone()],
            span,
        }
    }
}

impl Emit for EventSender {
    fn wanted(&self) -> bool {
        !self.shared.lock().reader_gone
    }

    fn at_iteration(&self, iteration: u32) {
        self.iteration.store(iteration, Ordering::Relaxed);
    }

    fn emit(&self, kind: EventKind, span: Option<Text>) {
        let mut state = self.shared.lock();
        if state.reader_gone {
            return;
        }
        state.sequence = state.sequence.saturating_add(1);
        let event = self.event(state.sequence, kind, span);
        if state.waiting.len() < self.shared.buffer && state.missed.is_none() {
            state.waiting.push_back(event);
        } else {
            // What is said last tells where the reader lost the thread; it is replaced by the count.
            let lost = state.missed.take().map_or(1, |(_, lost)| lost.saturating_add(1));
            state.missed = Some((event, lost));
        }
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }
}

impl Drop for EventSender {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }
}

impl EventReceiver {
    /// The next event, if one waits.
    fn take(state: &mut State) -> Option<Event> {
        if let Some(event) = state.waiting.pop_front() {
            return Some(event);
        }
        let (last, count) = state.missed.take()?;
        Some(Event { kind: EventKind::Missed { count }, span: None, ..last })
    }
}

impl Stream for EventReceiver {
    type Item = Event;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        let mut state = self.shared.lock();
        if let Some(event) = Self::take(&mut state) {
            return Poll::Ready(Some(event));
        }
        if state.closed {
            return Poll::Ready(None);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for EventReceiver {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.reader_gone = true;
        state.waiting.clear();
        state.missed = None;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, StreamExt};

    use super::*;
    use crate::handle::SystemClock;

    fn stream(buffer: usize) -> (EventSender, EventReceiver) {
        let handle = RunHandle::new("s".into(), "main".into(), Arc::new(SystemClock));
        event_stream(handle, "tester".into(), buffer)
    }

    fn kinds(receiver: &mut EventReceiver) -> Vec<(u64, String)> {
        let mut seen = Vec::new();
        while let Some(Some(event)) = receiver.next().now_or_never() {
            seen.push((event.seq, format!("{:?}", event.kind)));
        }
        seen
    }

    // R12: one `missed` for what a slow reader lost, and everything else in order.
    #[test]
    fn a_slow_reader_is_told_how_much_it_missed() {
        let (sender, mut receiver) = stream(2);
        for _ in 0..5 {
            sender.emit(EventKind::TurnStarted, None);
        }
        assert_eq!(
            kinds(&mut receiver),
            [(1, "TurnStarted".into()), (2, "TurnStarted".into()), (5, "Missed { count: 3 }".into())]
        );
        sender.emit(EventKind::RunStarted, None);
        assert_eq!(kinds(&mut receiver), [(6, "RunStarted".into())]);
        drop(sender);
        assert_eq!(receiver.next().now_or_never(), Some(None));
    }

    #[test]
    fn an_event_is_one_flat_object_that_opens_with_its_type() {
        let (sender, mut receiver) = stream(9);
        sender.emit(EventKind::TextDelta { text: "hi".into(), quoted: false }, Some("c1".into()));
        let event = receiver.next().now_or_never().flatten().unwrap();
        let json = serde_json::to_string(&event).unwrap();
        assert!(json.starts_with(r#"{"type":"text_delta","text":"hi","id":"#), "{json}");
        assert_eq!(serde_json::from_str::<Event>(&json).unwrap(), event);
    }
}

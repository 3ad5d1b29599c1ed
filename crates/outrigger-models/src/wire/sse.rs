//! Server-sent events out of chunks of bytes.
//!
//! By <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation> (read 2026-12-01),
//! but for three things: a last event that no blank line ends is told all the same, what is for reconnecting (`id`,
//! `retry`) is skipped, and sizes have bounds.

use std::borrow::Cow;
use std::mem;

use memchr::{memchr, memchr2};

/// The sizes a stream may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SseLimits {
    /// Most bytes of a line.
    pub(crate) line: usize,
    /// Most bytes of an event's data.
    pub(crate) event: usize,
}

impl SseLimits {
    /// Some servers send a whole picture, or a call with all its arguments, as one event.
    pub(crate) const DEFAULT: Self = Self { line: 8 << 20, event: 16 << 20 };
}

/// Why a stream is not read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SseError {
    /// A line is too long.
    #[error("the answer has a line of more than {limit} bytes; no event is expected to be that long")]
    Line {
        /// Most bytes of a line.
        limit: usize,
    },
    /// An event is too long.
    #[error("the answer has an event of more than {limit} bytes; none is expected to be that long")]
    Event {
        /// Most bytes of an event's data.
        limit: usize,
    },
}

/// Reads events. Chunks may be split anywhere; an event that is whole in its chunk is not copied.
pub(crate) struct Sse {
    limits: SseLimits,
    /// Whether a line was read: only the first may begin with a byte order mark.
    begun: bool,
    /// The last chunk ended in a CR: an LF at the start of the next belongs to it.
    after_cr: bool,
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    name: String,
    /// Data of an event whose end has not come, from chunks before this one.
    data: Option<String>,
    stray: Option<String>,
}

/// The most characters that are kept of a line which is no field.
const STRAY_CHARS: usize = 300;

/// What an event is called that has no name.
const UNNAMED: &str = "message";

/// The data of an event that began in this chunk: borrowed from it as long as it is one line.
type Fresh<'c> = Option<Cow<'c, str>>;

impl Sse {
    pub(crate) fn new(limits: SseLimits) -> Self {
        Self { limits, begun: false, after_cr: false, line: Vec::new(), name: String::new(), data: None, stray: None }
    }

    /// Reads a chunk and calls `each` with the name and the data of every event that ends in it.
    pub(crate) fn feed<E: From<SseError>>(
        &mut self,
        chunk: &[u8],
        mut each: impl FnMut(&str, &str) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = chunk;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        let mut fresh: Fresh<'_> = None;
        while let Some((line, after)) = memchr2(b'\n', b'\r', rest).and_then(|end| rest.split_at_checked(end)) {
            rest = match after {
                [b'\r', b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [_, rest @ ..] => rest,
                [] => &[],
            };
            self.bound(line)?;
            if self.line.is_empty() {
                self.take(line, &mut fresh, &mut each)?;
            } else {
                let mut whole = mem::take(&mut self.line);
                whole.extend_from_slice(line);
                let mut older = fresh.take().map(|data| Cow::Owned(data.into_owned()));
                self.take(&whole, &mut older, &mut each)?;
                fresh = older.map(|data| Cow::Owned(data.into_owned()));
                whole.clear();
                self.line = whole;
            }
        }
        self.bound(rest)?;
        self.line.extend_from_slice(rest);
        self.keep(fresh);
        Ok(())
    }

    /// The stream has ended: an event that no blank line ends is told.
    pub(crate) fn end<E: From<SseError>>(
        &mut self,
        mut each: impl FnMut(&str, &str) -> Result<(), E>,
    ) -> Result<(), E> {
        let line = mem::take(&mut self.line);
        let mut fresh = None;
        if !line.is_empty() {
            self.take(&line, &mut fresh, &mut each)?;
        }
        self.dispatch(fresh, &mut each)
    }

    /// A line that is no field but looks like JSON, which servers send that fail in the middle of a stream.
    pub(crate) fn stray(&self) -> Option<&str> {
        self.stray.as_deref()
    }

    fn bound(&self, more: &[u8]) -> Result<(), SseError> {
        let limit = self.limits.line;
        if self.line.len().saturating_add(more.len()) > limit { Err(SseError::Line { limit }) } else { Ok(()) }
    }

    /// Takes a whole line.
    fn take<'c, E: From<SseError>>(
        &mut self,
        mut line: &'c [u8],
        fresh: &mut Fresh<'c>,
        each: &mut impl FnMut(&str, &str) -> Result<(), E>,
    ) -> Result<(), E> {
        if !mem::replace(&mut self.begun, true) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch(fresh.take(), each);
        }
        let (field, value) = match memchr(b':', line).and_then(|colon| line.split_at_checked(colon)) {
            Some((field, [_, b' ', value @ ..] | [_, value @ ..])) => (field, value),
            _ => (line, &[] as &[u8]),
        };
        match field {
            b"data" => self.add(value, fresh)?,
            b"event" => self.name = String::from_utf8_lossy(value).into_owned(),
            _ if line.starts_with(b"{") && self.stray.is_none() => {
                self.stray = Some(String::from_utf8_lossy(line).chars().take(STRAY_CHARS).collect());
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds a line to the data of the event that has begun.
    fn add<'c>(&mut self, value: &'c [u8], fresh: &mut Fresh<'c>) -> Result<(), SseError> {
        // Nearly all is sound text, which this finds out faster.
        let value = str::from_utf8(value).map_or_else(|_| String::from_utf8_lossy(value), Cow::Borrowed);
        if self.data.is_none() && fresh.is_none() {
            *fresh = Some(value);
            return Ok(());
        }
        self.keep(fresh.take());
        let data = self.data.get_or_insert_default();
        let limit = self.limits.event;
        if data.len().saturating_add(value.len()) >= limit {
            return Err(SseError::Event { limit });
        }
        data.push('\n');
        data.push_str(&value);
        Ok(())
    }

    /// Keeps what the chunk has of an event after the chunk.
    fn keep(&mut self, fresh: Fresh<'_>) {
        if let Some(data) = fresh {
            self.data = Some(data.into_owned());
        }
    }

    /// An event has ended. One without data is none.
    fn dispatch<E>(&mut self, fresh: Fresh<'_>, each: &mut impl FnMut(&str, &str) -> Result<(), E>) -> Result<(), E> {
        let data = fresh.or_else(|| self.data.take().map(Cow::Owned));
        let name = mem::take(&mut self.name);
        match data {
            Some(data) => each(if name.is_empty() { UNNAMED } else { &name }, &data),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Event = (String, String);

    fn read_with(limits: SseLimits, chunks: &[&[u8]]) -> Result<Vec<Event>, SseError> {
        let mut sse = Sse::new(limits);
        let mut events = Vec::new();
        let mut each = |name: &str, data: &str| {
            events.push((name.to_owned(), data.to_owned()));
            Ok::<(), SseError>(())
        };
        for chunk in chunks {
            sse.feed(chunk, &mut each)?;
        }
        sse.end(&mut each)?;
        Ok(events)
    }

    fn read(text: &str) -> Vec<Event> {
        read_with(SseLimits::DEFAULT, &[text.as_bytes()]).unwrap()
    }

    fn data(events: &[Event]) -> Vec<&str> {
        events.iter().map(|(_, data)| data.as_str()).collect()
    }

    // M3: LF, CRLF and CR end a line, also mixed.
    #[test]
    fn every_line_break_ends_a_line() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["event: a", "data: 1", "", "data: 2", "", ""].join(end);
            let events = read(&text);
            assert_eq!(events, [("a".into(), "1".into()), ("message".into(), "2".into())], "{end:?}");
        }
        assert_eq!(data(&read("data: 1\r\ndata: 2\rdata: 3\n\r\n")), ["1\n2\n3"]);
    }

    // M3: comments, fields for reconnecting and unknown fields are no data.
    #[test]
    fn what_is_no_data_is_skipped() {
        let text =
            ": OPENROUTER PROCESSING\n\nid: 7\nretry: 10\nfoo: bar\n:\ndata: 1\n\nevent: ping\n\ndata\n\ndata:\n\n";
        assert_eq!(data(&read(text)), ["1", "", ""]);
    }

    #[test]
    fn one_space_after_the_colon_is_no_part_of_the_value() {
        assert_eq!(data(&read("data:x\ndata: x\ndata:  x\n\n")), ["x\nx\n x"]);
    }

    #[test]
    fn a_name_is_of_one_event_only() {
        let names: Vec<String> =
            read("event: a\ndata: 1\n\nevent: b\n\ndata: 2\n\n").into_iter().map(|one| one.0).collect();
        assert_eq!(names, ["a", "message"]);
    }

    // M3: a server that closes right after its last line has said it.
    #[test]
    fn the_last_event_needs_no_blank_line() {
        for text in ["data: 1\n\ndata: [DONE]", "data: 1\n\ndata: [DONE]\n", "data: 1\n\ndata: [DONE]\r"] {
            assert_eq!(data(&read(text)), ["1", "[DONE]"], "{text:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_may_stand_at_the_start_only() {
        assert_eq!(data(&read("\u{feff}data: 1\n\n\u{feff}data: 2\n\n")), ["1"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let events = read_with(SseLimits::DEFAULT, &[b"data: a\xFFb\n\n"]).unwrap();
        assert_eq!(data(&events), ["a\u{fffd}b"]);
    }

    // Nothing from outside grows without bound.
    #[test]
    fn lines_and_events_have_bounds() {
        let limits = SseLimits { line: 16, event: 20 };
        let line = |length: usize| "data: ".to_owned() + &"x".repeat(length - 6) + "\n";
        let read = |chunks: &[&str]| {
            let chunks: Vec<&[u8]> = chunks.iter().map(|chunk| chunk.as_bytes()).collect();
            read_with(limits, &chunks)
        };
        assert!(read(&[&line(16)]).is_ok());
        assert_eq!(read(&[&line(17)]), Err(SseError::Line { limit: 16 }));
        assert_eq!(read(&["data: 12345", "678901234"]), Err(SseError::Line { limit: 16 }));
        assert_eq!(read(&[":234567890", "1234567"]), Err(SseError::Line { limit: 16 }));
        assert!(read(&[&line(16), &line(15)]).is_ok());
        assert_eq!(read(&[&line(16), &line(16)]), Err(SseError::Event { limit: 20 }));
    }

    // Servers that fail in the middle of a stream send their error as it is.
    #[test]
    fn a_stray_line_of_json_is_kept() {
        let mut sse = Sse::new(SseLimits::DEFAULT);
        let none = |_: &str, _: &str| Ok::<(), SseError>(());
        sse.feed(b"data: 1\n\n{\"error\":", none).unwrap();
        sse.feed(b"\"gone\"}\n", none).unwrap();
        assert_eq!(sse.stray(), Some("{\"error\":\"gone\"}"));
    }

    /// Streams of everything that has a meaning, in any order.
    fn streams() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just("\n"),
            Just("\r"),
            Just("\r\n"),
            Just("data: "),
            Just("data:"),
            Just("event: "),
            Just("é"),
            Just("😀"),
            Just(":"),
            Just(" "),
            Just("{\"a\":1}"),
            Just("\u{feff}"),
            Just("id: 1"),
            Just("data: x\n\n"),
            Just("\u{2028}"),
        ];
        let bytes = prop_oneof![9 => piece.prop_map(|text| text.as_bytes().to_vec()), 1 => any::<u8>().prop_map(|byte| vec![byte])];
        prop::collection::vec(bytes, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::wire::tests::cases()))]

        // M3: chunks split anywhere, also inside a character and inside CRLF, give the same events.
        #[test]
        fn any_split_gives_the_same_events(stream in streams(), cuts in prop::collection::vec(0_usize..400, 0..12)) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(stream.len())).collect();
            cuts.sort_unstable();
            let mut chunks = Vec::new();
            let mut from = 0;
            for cut in cuts.into_iter().chain([stream.len()]) {
                chunks.push(&stream[from..cut]);
                from = cut;
            }
            let whole = read_with(SseLimits::DEFAULT, &[&stream]);
            prop_assert_eq!(read_with(SseLimits::DEFAULT, &chunks), whole.clone());
            let bytes: Vec<&[u8]> = stream.chunks(1).collect();
            prop_assert_eq!(read_with(SseLimits::DEFAULT, &bytes), whole);
        }
    }
}

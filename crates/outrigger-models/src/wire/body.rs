//! A request's body as a chain of pieces.

use std::sync::Arc;

use bytes::Bytes;

/// Fragments up to this size are copied together: as pieces of their own, each would cost more than it has bytes.
const COPIED: usize = 4 << 10;

/// The first size of what is copied together.
const FIRST: usize = 4 << 10;

/// A request's body. What is large in it is shared with the thread's fold, not copied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pieces: Vec<Bytes>,
    /// What comes after the pieces.
    tail: Vec<u8>,
    len: u64,
}

impl Body {
    /// Adds text that is always the same.
    pub(crate) fn text(&mut self, text: &'static str) {
        self.copy(text.as_bytes());
    }

    /// Adds a fragment.
    pub(crate) fn shared(&mut self, fragment: &Arc<[u8]>) {
        self.share(fragment, fragment.len());
    }

    /// Adds a fragment without its last byte, so that something can be put before what closes it.
    pub(crate) fn shared_unclosed(&mut self, fragment: &Arc<[u8]>) {
        self.share(fragment, fragment.len().saturating_sub(1));
    }

    /// Adds what was made for this request.
    pub(crate) fn owned(&mut self, made: impl Into<Vec<u8>>) {
        let made = made.into();
        if made.len() <= COPIED { self.copy(&made) } else { self.push(Bytes::from(made)) }
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The pieces, in order.
    pub(crate) fn into_pieces(mut self) -> Vec<Bytes> {
        self.close_tail();
        self.pieces
    }

    /// Adds the first bytes of a fragment.
    fn share(&mut self, fragment: &Arc<[u8]>, len: usize) {
        match fragment.get(..len) {
            Some(bytes) if len <= COPIED => self.copy(bytes),
            _ => {
                let mut piece = Bytes::from_owner(Arc::clone(fragment));
                piece.truncate(len);
                self.push(piece);
            }
        }
    }

    fn copy(&mut self, bytes: &[u8]) {
        if self.tail.capacity() == 0 {
            self.tail.reserve(FIRST);
        }
        self.tail.extend_from_slice(bytes);
        self.len = self.len.saturating_add(bytes.len() as u64);
    }

    fn push(&mut self, piece: Bytes) {
        self.close_tail();
        self.len = self.len.saturating_add(piece.len() as u64);
        self.pieces.push(piece);
    }

    fn close_tail(&mut self) {
        if !self.tail.is_empty() {
            self.pieces.push(std::mem::take(&mut self.tail).into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // What is sent is what was added, in order; what is large is sent from where it is.
    #[test]
    fn small_pieces_are_joined_and_large_ones_shared() {
        let small: Arc<[u8]> = Arc::from(&b"{\"a\":1}"[..]);
        let large: Arc<[u8]> = vec![b'x'; COPIED + 2].into();
        let mut body = Body::default();
        body.text("[");
        body.shared_unclosed(&small);
        body.owned("}");
        body.text(",");
        body.shared(&large);
        body.text(",");
        body.shared_unclosed(&large);
        body.shared(&small);
        body.text("]");
        let (len, pieces) = (body.len(), body.into_pieces());
        let sizes: Vec<usize> = pieces.iter().map(Bytes::len).collect();
        assert_eq!(sizes, [9, COPIED + 2, 1, COPIED + 1, 8]);
        assert!(std::ptr::eq(pieces[1].as_ptr(), large.as_ptr()) && std::ptr::eq(pieces[3].as_ptr(), large.as_ptr()));
        assert_eq!(len, pieces.iter().map(|piece| piece.len() as u64).sum::<u64>());
        assert_eq!(pieces.concat(), [b"[{\"a\":1},", &large[..], b",", &large[1..], b"{\"a\":1}]"].concat());
    }
}

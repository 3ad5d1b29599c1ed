//! A request's body as a chain of pieces.

use std::sync::Arc;

use bytes::Bytes;

/// A request's body: pieces that are shared with the thread's fold, not copied. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pieces: Vec<Bytes>,
    len: u64,
}

impl Body {
    /// Adds text that is always the same.
    pub(crate) fn text(&mut self, text: &'static str) {
        self.push(Bytes::from_static(text.as_bytes()));
    }

    /// Adds a fragment.
    pub(crate) fn shared(&mut self, fragment: &Arc<[u8]>) {
        self.push(Bytes::from_owner(Arc::clone(fragment)));
    }

    /// Adds a fragment without its last byte, so that something can be put before what closes it.
    pub(crate) fn shared_unclosed(&mut self, fragment: &Arc<[u8]>) {
        let mut piece = Bytes::from_owner(Arc::clone(fragment));
        piece.truncate(fragment.len().saturating_sub(1));
        self.push(piece);
    }

    /// Adds what was made for this request.
    pub(crate) fn owned(&mut self, made: impl Into<Vec<u8>>) {
        self.push(Bytes::from(made.into()));
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The pieces, in order.
    pub(crate) fn into_pieces(self) -> Vec<Bytes> {
        self.pieces
    }

    fn push(&mut self, piece: Bytes) {
        self.len = self.len.saturating_add(piece.len() as u64);
        if !piece.is_empty() {
            self.pieces.push(piece);
        }
    }
}

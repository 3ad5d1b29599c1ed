//! The key-value cache: what the model remembers of the tokens it has read.

/// Keys and values of one layer, one growing run of rows for each key-value head.
pub(crate) struct LayerCache {
    pub(crate) heads: Vec<HeadCache>,
}

/// `length` rows of the head's size each.
#[derive(Default, Clone)]
pub(crate) struct HeadCache {
    pub(crate) keys: Vec<f32>,
    pub(crate) values: Vec<f32>,
}

/// The whole cache. It only ever grows at its end and is cut at its end, so that a common prefix is shared by cutting.
pub(crate) struct KvCache {
    pub(crate) layers: Vec<LayerCache>,
    head: usize,
    length: usize,
}

impl KvCache {
    pub(crate) fn new(layers: usize, heads: usize, head: usize) -> Self {
        let layers = (0..layers).map(|_| LayerCache { heads: vec![HeadCache::default(); heads] }).collect();
        Self { layers, head, length: 0 }
    }

    /// Tokens remembered.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Declares that every layer has received `count` more rows.
    pub(crate) fn advance(&mut self, count: usize) {
        self.length += count;
    }

    /// Forgets everything from token `length` on. Also repairs a cache whose last chunk was cut short by an error.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        let floats = self.length * self.head;
        for head in self.layers.iter_mut().flat_map(|layer| &mut layer.heads) {
            head.keys.truncate(floats);
            head.values.truncate(floats);
        }
    }

    /// Every run of floats, in a fixed order: the form in which a cache is saved and restored.
    pub(crate) fn runs_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.layers.iter_mut().flat_map(|l| &mut l.heads).flat_map(|h| [&mut h.keys, &mut h.values])
    }

    pub(crate) fn runs(&self) -> impl Iterator<Item = &Vec<f32>> {
        self.layers.iter().flat_map(|l| &l.heads).flat_map(|h| [&h.keys, &h.values])
    }

    /// Floats that a run of `tokens` tokens has.
    pub(crate) fn run_length(&self, tokens: usize) -> usize {
        tokens * self.head
    }
}

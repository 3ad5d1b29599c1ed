//! A schema being built: JSON with its properties in order.

use crate::writer::Writer;

/// JSON whose objects keep the order in which they were filled.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Bool(bool),
    String(String),
    /// JSON text: numbers, defaults, enumeration values.
    Raw(String),
    Array(Vec<Json>),
    Object(Schema),
}

/// One schema, or one object of schemas.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Schema(pub(super) Vec<(String, Json)>);

impl Schema {
    pub(super) fn typed(name: &str) -> Self {
        let mut schema = Self::default();
        schema.set("type", Json::string(name));
        schema
    }

    /// Sets a key: in its place if it is there, at the end if not.
    pub(super) fn set(&mut self, key: &str, value: Json) {
        match self.get_mut(key) {
            Some(slot) => *slot = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        let found = self.0.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    /// The first key and its value.
    pub(super) fn first(&self) -> Option<(&str, &Json)> {
        self.0.first().map(|(name, value)| (name.as_str(), value))
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Json> {
        let at = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.remove(at).1)
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        let found = self.0.iter_mut().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn to_text(&self) -> String {
        let mut out = Writer::default();
        self.write(&mut out);
        out.finish()
    }

    fn write(&self, out: &mut Writer) {
        out.begin_object();
        for (key, value) in &self.0 {
            out.key(key);
            value.write(out);
        }
        out.end_object();
    }
}

impl Json {
    pub(super) fn string(text: &str) -> Self {
        Self::String(text.to_owned())
    }

    pub(super) fn raw(text: impl ToString) -> Self {
        Self::Raw(text.to_string())
    }

    pub(super) fn strings<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Array(texts.into_iter().map(Self::string).collect())
    }

    fn write(&self, out: &mut Writer) {
        match self {
            Self::Bool(value) => out.boolean(*value),
            Self::String(text) => out.string(text),
            Self::Raw(text) => out.raw(text),
            Self::Array(items) => {
                out.begin_array();
                for item in items {
                    out.item();
                    item.write(out);
                }
                out.end_array();
            }
            Self::Object(schema) => schema.write(out),
        }
    }
}

impl From<Schema> for Json {
    fn from(schema: Schema) -> Self {
        Self::Object(schema)
    }
}

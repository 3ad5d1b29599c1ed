//! TOML as a tree with places: JSON text for the binder, and where each value stands.

use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeInteger, DeTable, DeValue};
use outrigger_contract::Writer;

use super::document::MAX_DEPTH;
use super::error::{ConfigError, ConfigErrors};
use super::places::{Lines, Places};

/// The document as JSON text.
pub(super) fn read(text: &str) -> Result<(String, Places), ConfigErrors> {
    let lines = Lines::new(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let place = |span: Option<Range<usize>>| lines.place(span.map_or(0, |span| span.start));
        let errors = errors.iter().map(|error| {
            let message = format!("this is not TOML: {}", error.message());
            ConfigError::new(place(error.span()), "", message, None)
        });
        return Err(ConfigErrors::sorted(errors.collect()));
    }
    let mut walk = Walk { lines, pointer: String::new(), places: Places::default(), errors: Vec::new(), depth: 0 };
    let mut out = Writer::default();
    walk.table(table.get_ref(), &mut out);
    if walk.errors.is_empty() { Ok((out.finish(), walk.places)) } else { Err(ConfigErrors::sorted(walk.errors)) }
}

struct Walk<'a> {
    lines: Lines<'a>,
    pointer: String,
    places: Places,
    errors: Vec<ConfigError>,
    depth: u32,
}

impl Walk<'_> {
    fn table(&mut self, table: &DeTable<'_>, out: &mut Writer) {
        out.begin_object();
        for (key, value) in table {
            out.key(key.get_ref());
            let step = key.get_ref().replace('~', "~0").replace('/', "~1");
            self.member(&step, key.span(), value, out);
        }
        out.end_object();
    }

    fn array<'v>(&mut self, items: impl Iterator<Item = &'v Spanned<DeValue<'v>>>, out: &mut Writer) {
        out.begin_array();
        for (index, item) in items.enumerate() {
            out.item();
            self.member(&index.to_string(), item.span(), item, out);
        }
        out.end_array();
    }

    fn member(&mut self, step: &str, key: Range<usize>, value: &Spanned<DeValue<'_>>, out: &mut Writer) {
        let before = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(step);
        let (key, at) = (self.lines.place(key.start), self.lines.place(value.span().start));
        self.places.insert(self.pointer.clone(), key, at);
        self.depth = self.depth.saturating_add(1);
        match value.get_ref() {
            _ if self.depth > MAX_DEPTH => self.refuse(value, format!("nested more than {MAX_DEPTH} levels deep"), out),
            DeValue::String(text) => out.string(text),
            DeValue::Boolean(value) => out.boolean(*value),
            DeValue::Datetime(date) => out.string(&date.to_string()),
            DeValue::Integer(number) => match decimal(number) {
                Some(number) => out.integer(number),
                None => self.refuse(value, "the number is too large".to_owned(), out),
            },
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(number) if number.is_finite() => out.float(number),
                _ => self.refuse(value, format!("expected a finite number, found {}", number.as_str()), out),
            },
            DeValue::Array(items) => self.array(items.iter(), out),
            DeValue::Table(table) => self.table(table, out),
        }
        self.depth = self.depth.saturating_sub(1);
        self.pointer.truncate(before);
    }

    fn refuse(&mut self, value: &Spanned<DeValue<'_>>, message: String, out: &mut Writer) {
        out.null();
        self.errors.push(ConfigError::new(self.lines.place(value.span().start), &self.pointer, message, None));
    }
}

fn decimal(number: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(number.as_str(), number.radix()).ok()
}

//! Values of any shape.

use serde_json::{Map, Number, Value};

use crate::Code;
use crate::contract::{Contract, Form};
use crate::plan::Plan;
use crate::reader::{Reader, Refused, integer_of, number_of};
use crate::shape::{Int, Kind, Node, Shapes};
use crate::writer::Writer;

/// Any JSON value. The wrapper says that an open place in a contract is meant; the binder still refuses what is not
/// well formed, duplicate keys among it.
///
/// Inside an `Option` a `null` is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Any(pub Value);

impl From<Value> for Any {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl Contract for Any {
    const FORM: Form = Form::ANY;

    fn describe(_: &mut Shapes) -> Node {
        Node::new(Kind::Any)
    }

    fn read(reader: &mut Reader<'_>, _: Plan<'_>) -> Result<Self, Refused> {
        value(reader).map(Self)
    }

    fn write(&self, out: &mut Writer) {
        write(&self.0, out);
    }
}

fn value(reader: &mut Reader<'_>) -> Result<Value, Refused> {
    match reader.peek() {
        Some(b'{') => object(reader),
        Some(b'[') => {
            let mut items = Vec::new();
            let mut first = true;
            reader.array()?;
            while reader.item(&mut first)? {
                items.push(value(reader)?);
            }
            Ok(Value::Array(items))
        }
        Some(b'"') => Ok(Value::String(reader.string()?.into_owned())),
        Some(b't' | b'f') => reader.boolean().map(Value::Bool),
        Some(b'n') => reader.null().map(|_| Value::Null),
        _ => number(reader),
    }
}

fn object(reader: &mut Reader<'_>) -> Result<Value, Refused> {
    let mut map = Map::new();
    let mut first = true;
    reader.object()?;
    while let Some(key) = reader.key(&mut first)? {
        if reader.take_out(&key)? {
            continue;
        }
        let key = key.into_owned();
        if map.contains_key(&key) {
            return Err(reader.refuse(Code::DuplicateKey));
        }
        map.insert(key, value(reader)?);
    }
    Ok(Value::Object(map))
}

/// A number, kept as an integer if it was written as one and fits 64 bits.
fn number(reader: &mut Reader<'_>) -> Result<Value, Refused> {
    let token = reader.number()?;
    let plain = !token.contains(['.', 'e', 'E']);
    let int = integer_of(token).flatten().filter(|_| plain);
    let number = int.and_then(small).or_else(|| Number::from_f64(number_of(token)?));
    number.map(Value::Number).ok_or(reader.refuse(Code::Range))
}

fn small(int: Int) -> Option<Number> {
    match u64::try_from(int.magnitude()) {
        Ok(value) if !int.is_negative() => Some(value.into()),
        _ => Some(i64::try_from(int.to_i128()?).ok()?.into()),
    }
}

fn write(value: &Value, out: &mut Writer) {
    match value {
        Value::Null => out.null(),
        Value::Bool(value) => out.boolean(*value),
        Value::Number(number) => out.raw(&number.to_string()),
        Value::String(text) => out.string(text),
        Value::Array(items) => {
            out.begin_array();
            for item in items {
                out.item();
                write(item, out);
            }
            out.end_array();
        }
        Value::Object(map) => {
            out.begin_object();
            for (key, value) in map {
                out.key(key);
                write(value, out);
            }
            out.end_object();
        }
    }
}

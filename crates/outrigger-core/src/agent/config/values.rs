//! Values that files write in their own way.

use std::time::Duration;

use outrigger_contract::{
    Additional, Check, Code, Contract, Form, Kind, Kinds, Node, Object, Plan, Reader, Refused, Shapes, StringRules, Writer,
};

/// A length of time, written as a number and a unit: `500ms`, `30s`, `5m`, `1h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period(pub Duration);

/// Units in milliseconds, the longest first; `ms` before `m` and `s`, which it ends in.
const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("ms", 1), ("m", 60_000), ("s", 1000)];

impl Period {
    fn parse(text: &str) -> Option<Self> {
        let (digits, unit) = UNITS.iter().find_map(|(unit, length)| Some((text.strip_suffix(unit)?, *length)))?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let count: u64 = digits.parse().ok()?;
        let length = count.checked_mul(unit)?;
        (length > 0).then_some(Self(Duration::from_millis(length)))
    }
}

impl Contract for Period {
    const FORM: Form = Form::of(Kinds::STRING);

    fn describe(_: &mut Shapes) -> Node {
        let check =
            Check { accepts: |text| Self::parse(text).is_some(), expected: "a length of time such as \"30s\", \"5m\" or \"1h\"" };
        Node::new(Kind::String(StringRules { check: Some(check), ..StringRules::default() }))
    }

    fn read(reader: &mut Reader<'_>, _: Plan<'_>) -> Result<Self, Refused> {
        let refused = reader.refuse(Code::Format);
        Self::parse(&reader.string()?).ok_or(refused)
    }

    fn write(&self, out: &mut Writer) {
        let length = self.0.as_millis();
        let unit = [UNITS[0], UNITS[2], UNITS[3]].into_iter().find(|(_, unit)| length % u128::from(*unit) == 0);
        let (unit, size) = unit.unwrap_or(UNITS[1]);
        out.string(&format!("{}{unit}", length / u128::from(size)));
    }
}

/// An object whose keys someone else knows, as JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenObject(pub String);

impl Contract for OpenObject {
    const FORM: Form = Form { kinds: Kinds::OBJECT, properties: &[], flattened: &[], open: true };

    fn describe(_: &mut Shapes) -> Node {
        Node::new(Kind::Object(Object { additional: Additional::Open, ..Object::default() }))
    }

    fn read(reader: &mut Reader<'_>, _: Plan<'_>) -> Result<Self, Refused> {
        match reader.peek() {
            Some(b'{') => Ok(Self(reader.skip()?.to_owned())),
            _ => Err(reader.refuse(Code::Type)),
        }
    }

    fn write(&self, out: &mut Writer) {
        out.raw(&self.0);
    }
}

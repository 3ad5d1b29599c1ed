//! Reading unions: the calls that the derive macro generates for enums with data.

use crate::Code;
use crate::contract::{Form, Kinds};
use crate::plan::Plan;
use crate::reader::{Reader, Refused};

/// Reads one branch of a union.
pub type ReadBranch<T> = fn(&mut Reader<'_>, Plan<'_>) -> Result<T, Refused>;

/// Reads the object of an adjacently tagged branch, whose tag has been found already.
///
/// # Errors
///
/// If the object has anything but the tag and a content that fits.
pub fn read_adjacent<T>(
    reader: &mut Reader<'_>,
    tag: &str,
    content: &str,
    read: impl Fn(&mut Reader<'_>) -> Result<T, Refused>,
) -> Result<T, Refused> {
    let mut value = None;
    let mut tag_seen = false;
    let mut first = true;
    reader.object()?;
    while let Some(key) = reader.key(&mut first)? {
        if key == tag && !tag_seen {
            tag_seen = true;
            reader.string()?;
        } else if key == content && value.is_none() {
            value = Some(read(reader)?);
        } else if key == tag || key == content {
            return Err(reader.refuse(Code::DuplicateKey));
        } else if !reader.take_out(&key)? {
            return Err(reader.refuse(Code::UnknownProperty));
        }
    }
    value.ok_or(reader.refuse(Code::Missing))
}

/// Reads the object of a branch that is its tag alone.
///
/// # Errors
///
/// If the object has anything else.
pub fn read_lone_tag(reader: &mut Reader<'_>, tag: &str) -> Result<(), Refused> {
    let mut tag_seen = false;
    let mut first = true;
    reader.object()?;
    while let Some(key) = reader.key(&mut first)? {
        if key == tag {
            if tag_seen {
                return Err(reader.refuse(Code::DuplicateKey));
            }
            tag_seen = true;
            reader.string()?;
        } else if !reader.take_out(&key)? {
            return Err(reader.refuse(Code::UnknownProperty));
        }
    }
    Ok(())
}

/// Reads whichever branch fits; their forms have been found disjoint at compile time.
///
/// # Errors
///
/// If none fits.
pub fn read_untagged<T>(
    reader: &mut Reader<'_>,
    plan: Plan<'_>,
    branches: &[(Form, ReadBranch<T>)],
) -> Result<T, Refused> {
    let kind = reader.peek().and_then(Kinds::of_byte);
    let kind = kind.ok_or(reader.refuse(Code::NotJson))?;
    let mut candidates = branches.iter().enumerate().filter(|(_, (form, _))| form.kinds.meets(kind));
    let Some((index, (_, read))) = candidates.next() else {
        return Err(reader.refuse(Code::Type));
    };
    let more = candidates.next().is_some();
    if !more {
        return read(reader, plan.child(index));
    }
    for (index, (form, read)) in branches.iter().enumerate() {
        if !form.kinds.meets(kind) {
            continue;
        }
        let (start, child) = (reader.mark(), plan.child(index));
        if plan.is_free() {
            if reader.keys_fit(form)? {
                return read(reader, child);
            }
        } else if let Ok(value) = read(reader, child) {
            // Names may differ on the wire, so that only reading tells.
            return Ok(value);
        }
        reader.reset(start);
    }
    Err(reader.refuse(Code::Branch))
}

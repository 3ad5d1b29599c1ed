//! A thread as rows: each with a check over its text, its number and every row before it, so that a row that is changed,
//! missing, moved or there twice is found, and found where it is.

use outrigger_core::session::{ContentHash, Damage, DamageReason, Lines, Reading, ThreadKey};
use outrigger_core::transcript::{Envelope, Text};
use sha2::{Digest, Sha256};

/// A row's check: the first 16 bytes of the SHA-256 of the check before, the number and the text.
pub(crate) type Check = [u8; 16];

/// The check before the first row.
pub(crate) const ROOT: Check = [0; 16];

/// The check of a row.
pub(crate) fn check(before: &Check, number: u64, text: &[u8]) -> Check {
    let hash = Sha256::new().chain_update(before).chain_update(number.to_be_bytes()).chain_update(text).finalize();
    short(&hash)
}

/// A check of a value that stands alone.
pub(crate) fn check_alone(value: &[u8]) -> Check {
    short(ContentHash::of(value).bytes())
}

fn short(hash: &[u8]) -> Check {
    let mut check = ROOT;
    check.iter_mut().zip(hash).for_each(|(to, from)| *to = *from);
    check
}

/// What a store says of a thread's rows as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// How many rows there are.
    pub(crate) length: u64,
    /// The check of the last.
    pub(crate) check: Check,
}

impl Head {
    /// A thread without rows.
    pub(crate) const EMPTY: Self = Self { length: 0, check: ROOT };

    /// Numbers and checks for rows behind it, which it then includes.
    pub(crate) fn extend<'a>(&mut self, texts: impl IntoIterator<Item = &'a Text>) -> Vec<(u64, Check)> {
        let added = texts.into_iter().map(|text| {
            let number = self.length;
            self.check = check(&self.check, number, text.as_bytes());
            self.length = number.saturating_add(1);
            (number, self.check)
        });
        added.collect()
    }
}

/// A row as it is stored.
pub(crate) struct Row<'a> {
    pub(crate) number: u64,
    pub(crate) check: &'a [u8],
    pub(crate) text: &'a [u8],
}

/// Where the rows of a thread are kept: those from a number on, in a segment. The first begins at 0.
pub(crate) struct Part {
    pub(crate) segment: i64,
    pub(crate) start: u64,
}

/// The segment that has a number.
pub(crate) fn segment_of(parts: &[Part], number: u64) -> Option<i64> {
    parts.iter().rev().find(|part| part.start <= number).map(|part| part.segment)
}

/// Goes through the rows of a thread in order, as far as they are what was written.
pub(crate) struct Walk {
    head: Head,
    next: u64,
    check: Check,
    kept: Kept,
    /// The first thing that is wrong, and how many rows there are from there on.
    fault: Option<(u64, DamageReason)>,
    behind: u64,
}

/// What is kept of rows that are right.
pub(crate) enum Kept {
    Records(Vec<Envelope>),
    Lines(Vec<Text>),
}

impl Kept {
    fn pop(&mut self) {
        match self {
            Self::Records(records) => drop(records.pop()),
            Self::Lines(lines) => drop(lines.pop()),
        }
    }
}

impl Walk {
    /// A walk through a thread from the row `from` on, `before` being the check of the one before.
    pub(crate) fn new(head: Head, from: u64, before: Check, kept: Kept) -> Self {
        Self { head, next: from, check: before, kept, fault: None, behind: 0 }
    }

    /// The next row.
    pub(crate) fn row(&mut self, row: &Row<'_>) {
        if self.fault.is_none() {
            let fault = match row.number {
                // Two rows of one number: what goes on from behind them would meet both again.
                number if number < self.next => Some((number, DamageReason::Surplus)),
                _ if self.next >= self.head.length => Some((self.next, DamageReason::Surplus)),
                number if number > self.next => Some((self.next, DamageReason::Missing)),
                _ => self.keep(row).err().map(|reason| (self.next, reason)),
            };
            if let Some((from, _)) = &fault {
                (*from..self.next).for_each(|_| self.kept.pop());
            }
            self.fault = fault;
        }
        if self.fault.is_some() {
            self.behind = self.behind.saturating_add(1);
        }
    }

    fn keep(&mut self, row: &Row<'_>) -> Result<(), DamageReason> {
        let unreadable = |error: String| DamageReason::Unreadable(error.into());
        let text = std::str::from_utf8(row.text).map_err(|error| unreadable(error.to_string()))?;
        let record: Envelope = serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?;
        let check = check(&self.check, row.number, row.text);
        if row.check != check {
            return Err(DamageReason::Changed);
        }
        match &mut self.kept {
            Kept::Records(records) => records.push(record),
            Kept::Lines(lines) => lines.push(text.into()),
        }
        self.check = check;
        self.next = self.next.saturating_add(1);
        Ok(())
    }

    /// The database cannot read on.
    pub(crate) fn unreachable(&mut self, error: &dyn std::fmt::Display) {
        if self.fault.is_none() {
            self.fault = Some((self.next, DamageReason::Unreachable(error.to_string().into())));
        }
    }

    /// What was kept, and what is wrong behind it.
    pub(crate) fn end(mut self, key: &ThreadKey, place: impl FnOnce(u64) -> Text) -> (Kept, Option<Damage>) {
        if self.fault.is_none() && self.next < self.head.length {
            self.fault = Some((self.next, DamageReason::Missing));
        }
        if self.fault.is_none() && self.check != self.head.check {
            // Each row fits the one before, but the last is not the one the thread ended with.
            self.kept.pop();
            self.fault = Some((self.next.saturating_sub(1), DamageReason::Changed));
        }
        let damage = self.fault.map(|(from, reason)| Damage {
            key: key.clone(),
            from,
            count: self.head.length.saturating_sub(from).max(self.behind),
            length: self.head.length,
            place: place(from),
            reason,
        });
        (self.kept, damage)
    }
}

/// What a walk kept, as records.
pub(crate) fn reading((kept, damage): (Kept, Option<Damage>)) -> Reading {
    let records = match kept {
        Kept::Records(records) => records,
        Kept::Lines(_) => Vec::new(),
    };
    Reading { records, damage }
}

/// What a walk kept, as it is stored.
pub(crate) fn lines((kept, damage): (Kept, Option<Damage>)) -> Lines {
    let lines = match kept {
        Kept::Lines(lines) => lines,
        Kept::Records(_) => Vec::new(),
    };
    Lines { lines, damage }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: u64) -> Text {
        let body = format!(r#"{{"parts":[{{"text":"{number}"}}]}}"#);
        format!(r#"{{"v":1,"time":"2026-01-02T03:04:05.678Z","type":"user_message","body":{body}}}"#).into()
    }

    type Stored = Vec<(u64, Check, Text)>;

    fn thread(length: u64) -> (Head, Stored) {
        let mut head = Head::EMPTY;
        let texts: Vec<Text> = (0..length).map(text).collect();
        let checks = head.extend(&texts);
        (head, checks.into_iter().zip(texts).map(|((number, check), text)| (number, check, text)).collect())
    }

    fn walk(head: Head, rows: &Stored) -> (usize, Option<(u64, u64, DamageReason)>) {
        let mut walk = Walk::new(head, 0, ROOT, Kept::Records(Vec::new()));
        rows.iter().for_each(|(number, check, text)| walk.row(&Row { number: *number, check, text: text.as_bytes() }));
        let reading = reading(walk.end(&ThreadKey::new("s", "main"), |_| "table".into()));
        (reading.records.len(), reading.damage.map(|damage| (damage.from, damage.count, damage.reason)))
    }

    // T6: whatever is done to the rows is found at the first row that is not as it was.
    #[test]
    fn damage_is_found_where_it_is() {
        let (head, rows) = thread(5);
        assert_eq!(walk(head, &rows), (5, None));
        let changed = |change: &dyn Fn(&mut Stored)| {
            let mut rows = rows.clone();
            change(&mut rows);
            walk(head, &rows)
        };
        let found = |from, count, reason| (usize::try_from(from).unwrap(), Some((from, count, reason)));
        assert_eq!(changed(&|rows| drop(rows.remove(2))), found(2, 3, DamageReason::Missing));
        assert_eq!(changed(&|rows| drop(rows.pop())), found(4, 1, DamageReason::Missing));
        assert_eq!(changed(&|rows| rows.clear()), found(0, 5, DamageReason::Missing));
        assert_eq!(changed(&|rows| rows.insert(3, rows[2].clone())), found(2, 3, DamageReason::Surplus));
        assert_eq!(changed(&|rows| rows.push((5, ROOT, text(5)))), found(5, 1, DamageReason::Surplus));
        assert_eq!(changed(&|rows| rows[1].2 = text(7)), found(1, 4, DamageReason::Changed));
        assert_eq!(changed(&|rows| rows[1].1 = ROOT), found(1, 4, DamageReason::Changed));
        let renumber = |rows: &mut Stored| rows.swap(1, 2);
        assert_eq!(changed(&renumber), found(1, 4, DamageReason::Missing));
        let (from, damage) = changed(&|rows| rows[3].2 = "{".into());
        assert_eq!((from, damage.as_ref().unwrap().0), (3, 3));
        assert!(matches!(damage, Some((_, 2, DamageReason::Unreadable(_)))), "{damage:?}");
    }

    // A row that was made to fit the rows before it still is not the one the thread ended with.
    #[test]
    fn a_last_row_with_a_check_of_its_own_is_found() {
        let (head, mut rows) = thread(3);
        rows[2].2 = text(9);
        rows[2].1 = check(&rows[1].1, 2, text(9).as_bytes());
        assert_eq!(walk(head, &rows), (2, Some((2, 1, DamageReason::Changed))));
    }
}

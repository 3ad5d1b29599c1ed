//! The names nearest to one that does not exist.

use outrigger_contract::nearest_names;

use crate::transcript::Text;

/// How many names are offered.
const OFFERED: usize = 3;

/// The nearest names, nearest first.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a Text>) -> Vec<Text> {
    nearest_names(name, names.map(|name| &**name), OFFERED).into_iter().map(Text::from).collect()
}

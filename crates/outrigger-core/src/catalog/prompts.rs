//! Text a model reads about containers.

use crate::transcript::Text;

/// Most members that an opening lists.
const LISTED: usize = 100;

/// Most characters of a member's description in a list.
const ABOUT: usize = 120;

/// What opening a container answers: its members, then what its author had it say.
pub(crate) fn opened<'a>(
    name: &str,
    members: impl ExactSizeIterator<Item = (&'a Text, &'a Text)>,
    result: Option<&str>,
) -> String {
    let count = members.len();
    let mut text = format!("{name} is open. Available now:");
    for (member, about) in members.take(LISTED) {
        text.push_str(&format!("\n- {member}"));
        let about = first_line(about);
        if !about.is_empty() {
            text.push_str(&format!(": {about}"));
        }
    }
    if count > LISTED {
        text.push_str(&format!("\n- and {} more", count.saturating_sub(LISTED)));
    }
    if let Some(result) = result {
        text.push_str("\n\n");
        text.push_str(result);
    }
    text
}

fn first_line(about: &str) -> String {
    let line = about.lines().next().unwrap_or_default();
    match line.char_indices().nth(ABOUT) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line.to_owned(),
    }
}

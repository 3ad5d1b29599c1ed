//! Secrets taken out of what a provider says.

use std::borrow::Cow;
use std::collections::HashSet;
use std::collections::VecDeque;
use std::sync::Arc;

use outrigger_core::model::{ModelError, Part};
use outrigger_core::transcript::{Opaque, Text};
use secrecy::{ExposeSecret, SecretString};

/// What stands where a secret stood.
const MARK: &str = "[key]";

/// Of a secret, so many characters in a row are never shown.
const WINDOW: usize = 8;

/// What is shorter is no secret, but a word that a server wants to be sent.
const SHORTEST: usize = 4;

/// Takes secrets out of texts. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Redactor {
    secrets: Arc<[SecretString]>,
}

impl Redactor {
    /// One that takes out `secrets`, which are ASCII.
    pub(crate) fn new(secrets: impl IntoIterator<Item = SecretString>) -> Self {
        let long = |secret: &SecretString| secret.expose_secret().len() >= SHORTEST;
        Self { secrets: secrets.into_iter().filter(long).collect() }
    }

    /// One that takes out what `others` do as well.
    pub(crate) fn and(&self, others: &Self) -> Self {
        Self { secrets: self.secrets.iter().chain(others.secrets.iter()).cloned().collect() }
    }

    /// The text without any eight characters in a row of a secret. Secrets that are shorter are taken out whole.
    pub(crate) fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.secrets.iter().fold(Cow::Borrowed(text), |text, secret| match without(&text, secret.expose_secret()) {
            Some(cleaned) => Cow::Owned(cleaned),
            None => text,
        })
    }

    /// The error with its message cleaned. What caused it is kept only where that says no secret.
    pub(crate) fn clean_error(&self, error: ModelError) -> ModelError {
        let message = error.to_string();
        let causes = std::iter::successors(std::error::Error::source(&error), |cause| cause.source());
        let sound = causes.into_iter().all(|cause| matches!(self.clean(&cause.to_string()), Cow::Borrowed(_)));
        match self.clean(&message) {
            Cow::Borrowed(_) if sound => error,
            cleaned => {
                let cleaned = ModelError::new(error.kind(), cleaned);
                match error.retry_after() {
                    Some(wait) => cleaned.with_retry_after(wait),
                    None => cleaned,
                }
            }
        }
    }

    /// Secrets that are told from words that merely look like them.
    fn whole(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(|secret| secret.expose_secret()).filter(|secret| secret.len() >= WINDOW)
    }

    /// The text with every whole secret replaced; `None`: it has none.
    fn replace_whole(&self, text: &str) -> Option<String> {
        self.whole().fold(None, |replaced, secret| {
            let text = replaced.as_deref().unwrap_or(text);
            if text.contains(secret) { Some(text.replace(secret, MARK)) } else { replaced }
        })
    }

    /// Where the end of the text may be the beginning of a secret.
    fn may_begin(&self, text: &str) -> usize {
        let begins = |secret: &str| {
            let longest = secret.len().saturating_sub(1).min(text.len());
            let from = text.len().saturating_sub(longest);
            let tails = (from..text.len()).filter_map(|at| Some((at, text.get(at..)?)));
            tails.into_iter().find(|(_, tail)| secret.starts_with(tail)).map(|(at, _)| at)
        };
        self.whole().filter_map(begins).min().unwrap_or(text.len())
    }
}

/// The text without the pieces of a secret that are in it; `None`: there are none.
fn without(text: &str, secret: &str) -> Option<String> {
    if secret.len() < WINDOW {
        return text.contains(secret).then(|| text.replace(secret, MARK));
    }
    let windows: HashSet<&[u8]> = secret.as_bytes().windows(WINDOW).collect();
    let mut cleaned = String::new();
    // In bytes: secrets are ASCII, so that what is like one begins and ends between characters.
    let mut hidden = 0_usize;
    for (at, window) in text.as_bytes().windows(WINDOW).enumerate() {
        if windows.contains(window) {
            if let Some(between) = text.get(hidden..at) {
                // The text may be JSON, and escape what the secret goes on with: half an escape would break it.
                let odd = between.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
                let between = if odd { between.strip_suffix('\\').unwrap_or(between) } else { between };
                cleaned.push_str(between);
                if hidden == 0 || !between.is_empty() {
                    cleaned.push_str(MARK);
                }
            }
            hidden = at.saturating_add(WINDOW);
        }
    }
    if hidden == 0 {
        return None;
    }
    cleaned.push_str(text.get(hidden..).unwrap_or_default());
    Some(cleaned)
}

/// Takes whole secrets out of a streamed answer, also where they are split over parts. What may be the beginning of one
/// is held back until the next part.
pub(crate) struct Flow {
    redactor: Redactor,
    held: Vec<(Place, String)>,
}

/// What a part adds to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Text,
    Quoted,
    Reasoning,
    Arguments(usize),
}

impl Flow {
    pub(crate) fn new(redactor: Redactor) -> Self {
        Self { redactor, held: Vec::new() }
    }

    /// Passes a part on to `out`, with what was held back before it.
    pub(crate) fn pass(&mut self, part: Part, out: &mut VecDeque<Part>) {
        match part {
            Part::Text(text) => self.text(Place::Text, text, out),
            Part::Quoted(text) => self.text(Place::Quoted, text, out),
            Part::Reasoning(text) => self.text(Place::Reasoning, text, out),
            Part::CallArguments { index, delta } => self.text(Place::Arguments(index), delta, out),
            Part::CallStarted { index, id, name } => {
                self.release(out, |place| !matches!(place, Place::Arguments(_)));
                let id = id.map(|id| self.redactor.replace_whole(id.as_str()).map_or(id, |id| id.as_str().into()));
                out.push_back(Part::CallStarted { index, id, name: self.whole_text(name) });
            }
            Part::Opaque(Opaque { kind, bytes }) => {
                self.release(out, |place| !matches!(place, Place::Arguments(_)));
                out.push_back(Part::Opaque(Opaque { kind, bytes: self.whole_text(bytes) }));
            }
            Part::Finish(_) => {
                self.release(out, |_| true);
                out.push_back(part);
            }
            other => out.push_back(other),
        }
    }

    fn text(&mut self, place: Place, text: Text, out: &mut VecDeque<Part>) {
        // Arguments of several calls may come in turns; texts stand in one order.
        if !matches!(place, Place::Arguments(_)) {
            self.release(out, |other| other != place && !matches!(other, Place::Arguments(_)));
        }
        let before = self.held.iter().position(|(held, _)| *held == place).map(|at| self.held.swap_remove(at).1);
        let joined = before.map(|before| before + &text);
        let replaced = self.redactor.replace_whole(joined.as_deref().unwrap_or(&text)).or(joined);
        let whole = replaced.as_deref().unwrap_or(&text);
        let (now, later) = whole.split_at_checked(self.redactor.may_begin(whole)).unwrap_or((whole, ""));
        if !later.is_empty() {
            self.held.push((place, later.to_owned()));
            out.extend((!now.is_empty()).then(|| place.part(now.into())));
        } else {
            out.push_back(place.part(replaced.map_or(text, Text::from)));
        }
    }

    fn release(&mut self, out: &mut VecDeque<Part>, which: impl Fn(Place) -> bool) {
        out.extend(self.held.extract_if(.., |(place, _)| which(*place)).map(|(place, text)| place.part(text.into())));
    }

    fn whole_text(&self, text: Text) -> Text {
        self.redactor.replace_whole(&text).map_or(text, Text::from)
    }
}

impl Place {
    fn part(self, text: Text) -> Part {
        match self {
            Self::Text => Part::Text(text),
            Self::Quoted => Part::Quoted(text),
            Self::Reasoning => Part::Reasoning(text),
            Self::Arguments(index) => Part::CallArguments { index, delta: text },
        }
    }
}

#[cfg(test)]
mod tests {
    use outrigger_core::model::ModelErrorKind;
    use outrigger_core::transcript::Finish;
    use proptest::prelude::*;

    use super::*;

    const KEY: &str = "sk-proj-0123456789abcdefXYZ";

    fn redactor() -> Redactor {
        Redactor::new([KEY.into()])
    }

    // M2: the key, and every eight characters of it, are gone.
    #[test]
    fn a_key_and_its_pieces_are_taken_out() {
        let clean = |text: &str| redactor().clean(text).into_owned();
        assert_eq!(clean(&format!("key {KEY} is wrong")), "key [key] is wrong");
        assert_eq!(clean("key sk-proj-0123***fXYZ is wrong"), "key [key]***fXYZ is wrong");
        assert_eq!(clean("é56789abcé and 56789ab"), "é[key]é and 56789ab");
        assert_eq!(clean("nothing of it"), "nothing of it");
        assert_eq!(clean(""), "");
    }

    // JSON may be read after it was cleaned: no half of an escape stays.
    #[test]
    fn escapes_in_a_key_go_with_it() {
        let redactor = Redactor::new(["abcdefgh/ijklmnop".into()]);
        assert_eq!(redactor.clean(r#""abcdefgh\/ijklmnop""#), r#""[key]""#);
        assert_eq!(redactor.clean(r"x\\abcdefgh"), r"x\\[key]");
        assert_eq!(redactor.clean(r"x\abcdefgh"), "x[key]");
    }

    #[test]
    fn short_words_are_taken_out_whole_and_shorter_ones_not() {
        let redactor = Redactor::new(["EMPTY".into(), "x".into()]);
        assert_eq!(redactor.clean("EMPTY and EMPT and x"), "[key] and EMPT and x");
    }

    #[test]
    fn an_error_keeps_its_kind_and_its_wait() {
        let wait = std::time::Duration::from_secs(3);
        let error = ModelError::new(ModelErrorKind::RateLimited, format!("slow {KEY}"))
            .with_retry_after(wait)
            .with_source(std::io::Error::other(KEY));
        let error = redactor().clean_error(error);
        assert_eq!((error.to_string().as_str(), error.kind()), ("slow [key]", ModelErrorKind::RateLimited));
        assert_eq!(error.retry_after(), Some(wait));
        assert!(!format!("{error:?}").contains("0123456789"));
    }

    fn passed(parts: impl IntoIterator<Item = Part>) -> Vec<Part> {
        let (mut flow, mut out) = (Flow::new(redactor()), VecDeque::new());
        parts.into_iter().for_each(|part| flow.pass(part, &mut out));
        out.into()
    }

    #[test]
    fn a_key_that_is_split_over_parts_is_taken_out() {
        let text = |text: &str| Part::Text(text.into());
        let parts =
            passed([text("is"), text(" sk-pr"), text("oj-0123456789"), text("abcdefXYZ!"), Part::Finish(Finish::Stop)]);
        assert_eq!(parts, [text("i"), text("s "), text("[key]!"), Part::Finish(Finish::Stop)]);
    }

    #[test]
    fn what_only_began_like_a_key_comes_in_its_place() {
        let (text, thought) = (|text: &str| Part::Text(text.into()), |text: &str| Part::Reasoning(text.into()));
        let parts = passed([text("a sk-"), thought("b s"), Part::Alive, thought("o"), Part::Finish(Finish::Stop)]);
        let expected = [text("a "), text("sk-"), thought("b "), Part::Alive, thought("so"), Part::Finish(Finish::Stop)];
        assert_eq!(parts, expected);
    }

    #[test]
    fn arguments_of_calls_in_turns_are_cleaned_each() {
        let (one, two) = KEY.split_at(9);
        let add = |index, delta: &str| Part::CallArguments { index, delta: delta.into() };
        let parts = passed([add(0, one), add(1, one), add(0, two), add(1, "!"), Part::Finish(Finish::Calls)]);
        let expected = [add(0, "[key]"), add(1, &format!("{one}!")), Part::Finish(Finish::Calls)];
        assert_eq!(parts, expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::wire::tests::cases()))]

        // However a text with keys in it is streamed, the keys are gone and the rest is there.
        #[test]
        fn streamed_text_comes_out_without_keys(
            texts in prop::collection::vec(prop_oneof![Just(KEY), Just("sk-"), Just("s"), Just("é "), Just("sk-proj-")], 0..8),
            cuts in prop::collection::vec(0_usize..120, 0..8),
        ) {
            let whole = texts.concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| whole.floor_char_boundary(cut)).collect();
            cuts.sort_unstable();
            let (mut parts, mut from) = (Vec::new(), 0);
            for cut in cuts.into_iter().chain([whole.len()]) {
                parts.push(Part::Text(whole.get(from..cut).unwrap().into()));
                from = cut;
            }
            parts.push(Part::Finish(Finish::Stop));
            let text: String = passed(parts).iter().filter_map(|part| match part {
                Part::Text(text) => Some(&**text),
                _ => None,
            }).collect();
            prop_assert_eq!(text, whole.replace(KEY, MARK));
        }

        #[test]
        fn no_eight_characters_of_a_key_stay(before in "[a-z0-9é-]{0,12}", from in 0_usize..19, length in 8_usize..27, after in "[a-z0-9é-]{0,12}") {
            let piece: String = KEY.chars().skip(from).take(length).collect();
            let text = format!("{before}{piece}{after}");
            let cleaned = redactor().clean(&text).into_owned();
            for window in KEY.as_bytes().windows(WINDOW) {
                prop_assert!(!cleaned.contains(std::str::from_utf8(window).unwrap()), "{}", cleaned);
            }
        }
    }
}

//! The name somebody probably meant.

/// The candidate closest to `name`, if one is close enough to be a slip of the fingers.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// « ; did you mean `x`?», or nothing.
pub(crate) fn suggestion<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Names in backticks, with commas.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let names = ["timeout", "name", "parallel"];
        assert_eq!(nearest("tiemout", names), Some("timeout"));
        assert_eq!(nearest("Name", names), Some("name"));
        assert_eq!(nearest("nmae", names), Some("name"));
        assert_eq!(nearest("when", names), None);
        assert_eq!(suggestion("paralel", names), "; did you mean `parallel`?");
    }
}

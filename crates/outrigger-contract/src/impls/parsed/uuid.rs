//! UUIDs, in their hyphenated form only.

use uuid::Uuid;

super::parsed! {
    Uuid, Some("uuid"), "a UUID such as \"123e4567-e89b-12d3-a456-426614174000\"", parse, ToString::to_string;
}

fn parse(text: &str) -> Option<Uuid> {
    if text.len() == 36 { Uuid::try_parse(text).ok() } else { None }
}

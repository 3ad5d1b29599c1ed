//! Bytes as base64.

use std::ops::Deref;

/// Bytes, written as base64: the standard alphabet of RFC 4648, with padding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

super::parsed! {
    Bytes, Some("byte"), "base64 with padding, such as \"aGk=\"", |text: &str| decode(text).map(Bytes), |bytes| encode(&bytes.0);
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let sextet = usize::try_from(bits >> (18 - 6 * place) & 63).unwrap_or(0);
            let digit = ALPHABET.get(sextet).copied().map_or('=', char::from);
            text.push(if place > chunk.len() { '=' } else { digit });
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let (chunks, rest) = text.as_bytes().as_chunks::<4>();
    if !rest.is_empty() {
        return None;
    }
    let mut bytes = Vec::with_capacity(chunks.len() * 3);
    for (index, chunk) in chunks.iter().enumerate() {
        let padding = chunk.iter().rev().take_while(|byte| **byte == b'=').count();
        if padding > 2 || (padding > 0 && index + 1 < chunks.len()) {
            return None;
        }
        let mut bits = 0;
        for byte in chunk.iter().take(4 - padding) {
            bits = bits << 6 | value(*byte)?;
        }
        bits <<= 6 * u32::try_from(padding).ok()?;
        let [_, first, second, third] = bits.to_be_bytes();
        let kept = 3 - padding;
        // Bits that the padding cuts off must be zero, so that each value has one text.
        if [first, second, third].iter().skip(kept).any(|byte| *byte != 0) {
            return None;
        }
        bytes.extend([first, second, third].iter().take(kept));
    }
    Some(bytes)
}

fn value(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_vectors_of_rfc_4648_hold() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm 9v", "Zm9-"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}

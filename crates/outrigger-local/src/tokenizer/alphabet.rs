//! The byte-level alphabet of GPT-2: every byte as one printable character.

/// The character that stands for `byte` in vocabulary and merges.
pub(crate) fn char_of(byte: u8) -> char {
    match byte {
        b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF => char::from(byte),
        // The other 68 bytes take the code points from 256 on, in order.
        0x00..=0x20 => offset(u32::from(byte)),
        0x7F..=0xA0 => offset(0x21 + u32::from(byte) - 0x7F),
        0xAD => offset(0x43),
    }
}

fn offset(index: u32) -> char {
    char::from_u32(0x100 + index).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The byte that `c` stands for, if it is a character of the alphabet.
pub(crate) fn byte_of(c: char) -> Option<u8> {
    let code = u32::from(c);
    match code {
        0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF => u8::try_from(code).ok(),
        0x100..=0x120 => u8::try_from(code - 0x100).ok(),
        0x121..=0x142 => u8::try_from(code - 0x121 + 0x7F).ok(),
        0x143 => Some(0xAD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_own_printable_character() {
        let mut seen = std::collections::HashSet::new();
        for byte in 0..=u8::MAX {
            let c = char_of(byte);
            assert!(!c.is_whitespace() && !c.is_control(), "{byte:#x} maps to {c:?}");
            assert!(seen.insert(c));
            assert_eq!(byte_of(c), Some(byte));
        }
    }
}

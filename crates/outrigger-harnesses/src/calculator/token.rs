//! From what models type to tokens: signs and spellings are normalised here and nowhere else.

use super::CalculatorError;
use super::number::parse_decimal;
use num_rational::BigRational;

/// One token of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Number(BigRational),
    Name(String),
    Sign(char),
}

impl Token {
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Number(value) => format!("the number {value}"),
            Self::Name(name) => format!("`{name}`"),
            Self::Sign(sign) => format!("`{sign}`"),
        }
    }
}

const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// Splits `text` into tokens. `text` is already trimmed.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, CalculatorError> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    // For every open parenthesis: does it hold the arguments of a call?
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some(&first) = chars.get(at) {
        let rest = chars.get(at..).unwrap_or_default();
        at += if first.is_ascii_digit() || starts_with_point(rest) {
            let inside_call = calls.last().copied().unwrap_or(false);
            let taken = number_length(rest, inside_call);
            let written: String = rest.iter().take(taken).collect();
            out.push(Token::Number(number(&written, rest.get(taken..), inside_call)?));
            taken
        } else if is_name(first) {
            let part = |c: &&char| is_name(**c) || c.is_ascii_digit();
            let taken = rest.iter().take_while(part).count();
            out.push(name(rest.iter().take(taken).collect()));
            taken
        } else if SUPERSCRIPTS.contains(&first) {
            let (exponent, taken) = superscript(rest);
            out.extend([Token::Sign('^'), Token::Number(exponent)]);
            taken
        } else {
            let (token, taken) = sign(rest, first)?;
            match token {
                Some(Token::Sign('(')) => calls.push(matches!(out.last(), Some(Token::Name(_)))),
                Some(Token::Sign(')')) => drop(calls.pop()),
                _ => {}
            }
            out.extend(token);
            taken
        };
    }
    Ok(out)
}

fn starts_with_point(rest: &[char]) -> bool {
    rest.first() == Some(&'.') && rest.get(1).is_some_and(char::is_ascii_digit)
}

fn is_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '°' | 'µ')
}

fn name(written: String) -> Token {
    match written.as_str() {
        "π" => Token::Name("pi".to_owned()),
        "τ" => Token::Name("tau".to_owned()),
        _ => Token::Name(written),
    }
}

fn sign(rest: &[char], first: char) -> Result<(Option<Token>, usize), CalculatorError> {
    let plain = |sign| Ok((Some(Token::Sign(sign)), 1));
    match first {
        c if c.is_whitespace() => Ok((None, 1)),
        '*' if rest.get(1) == Some(&'*') => Ok((Some(Token::Sign('^')), 2)),
        '*' | '×' | '✕' | '·' | '⋅' | '∙' => plain('*'),
        '/' | '÷' | '∕' => plain('/'),
        '-' | '−' | '–' | '—' => plain('-'),
        '+' | '^' | '!' | '(' | ')' | '%' | ',' => plain(first),
        '[' | '{' => plain('('),
        ']' | '}' => plain(')'),
        '√' => Ok((Some(Token::Name("sqrt".to_owned())), 1)),
        '$' | '€' | '£' | '¥' | '₹' => Err(CalculatorError::Currency { sign: first.to_string() }),
        c => Err(CalculatorError::Character { found: c }),
    }
}

fn superscript(rest: &[char]) -> (BigRational, usize) {
    let mut value = BigRational::from_integer(0.into());
    let mut taken = 0;
    let digits = rest.iter().map_while(|c| SUPERSCRIPTS.iter().position(|s| s == c));
    for digit in digits {
        value = value * BigRational::from_integer(10.into()) + BigRational::from_integer(digit.into());
        taken += 1;
    }
    (value, taken)
}

/// Characters that belong to the number at the start of `rest`, separators and exponent included.
fn number_length(rest: &[char], inside_call: bool) -> usize {
    let digit_at = |at: usize| rest.get(at).is_some_and(char::is_ascii_digit);
    let mut at = 0;
    while let Some(c) = rest.get(at) {
        let separator = (matches!(c, '_' | '.') || *c == ',' && !inside_call) && digit_at(at + 1);
        // A point at the end belongs to the number only as `5.`, never to a second point.
        if c.is_ascii_digit() || separator || (*c == '.' && rest.get(at + 1) != Some(&'.')) {
            at += 1;
        } else {
            break;
        }
    }
    if matches!(rest.get(at), Some('e' | 'E')) {
        let signed = usize::from(matches!(rest.get(at + 1), Some('+' | '-')));
        if digit_at(at + 1 + signed) {
            at += 1 + signed;
            at += rest.iter().skip(at).take_while(|c| c.is_ascii_digit()).count();
        }
    }
    at
}

fn number(written: &str, after: Option<&[char]>, inside_call: bool) -> Result<BigRational, CalculatorError> {
    let unclear = |hint| CalculatorError::Number { found: written.to_owned(), hint };
    if inside_call && reads_as_one_number(written, after.unwrap_or_default()) {
        return Err(unclear("between arguments write a space after the comma; a number there has no comma"));
    }
    if written.contains(',') && !groups_of_three(written) {
        return Err(unclear("a comma may only separate groups of three digits, the decimal mark is a point"));
    }
    let plain: String = written.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    parse_decimal(&plain)
        .ok_or_else(|| unclear("write digits, at most one decimal point, and an exponent of at most 3000"))
}

fn groups_of_three(written: &str) -> bool {
    let end = written.find(['.', 'e', 'E']).unwrap_or(written.len());
    let (whole, rest) = written.split_at_checked(end).unwrap_or((written, ""));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3) && !rest.contains(',')
}

/// Inside a call `1,234` may be one number or two.
fn reads_as_one_number(written: &str, after: &[char]) -> bool {
    let group = after.iter().skip(1).take_while(|c| c.is_ascii_digit()).count();
    let short = written.len() <= 3 && written.chars().all(|c| c.is_ascii_digit());
    short && after.first() == Some(&',') && group == 3
}

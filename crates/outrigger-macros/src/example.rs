//! Worked examples: `example(ask = "…", args = { … })`, read into JSON text at compile time.

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Lit, LitStr, Token, braced, bracketed, token};

use crate::errors::Errors;
use crate::options::{entries, set};

const KNOWN: &[&str] = &["ask", "args"];

/// One worked example.
pub(crate) struct Example {
    /// What a person asks for.
    pub(crate) ask: LitStr,
    /// The arguments that answer it.
    pub(crate) args: Object,
}

/// A JSON object with the places of its properties.
pub(crate) struct Object {
    /// Properties in order.
    pub(crate) properties: Vec<(Name, Json)>,
}

/// A property's name.
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A JSON value.
pub(crate) enum Json {
    /// `null`, a boolean or a number, as JSON writes it.
    Plain(String),
    /// A string.
    Text(String),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Object),
}

impl Example {
    /// Reads what stands in the parentheses.
    pub(crate) fn parse(key: &Ident, tokens: TokenStream, errors: &mut Errors) -> Option<Self> {
        let (mut ask, mut args) = (None, None);
        let mut bad = false;
        for entry in entries(tokens, errors) {
            let name = entry.key.clone();
            let taken = match name.to_string().as_str() {
                "ask" => entry.string().and_then(|text| set(&mut ask, &name, text)),
                "args" => entry
                    .value("`args` takes an object: `args = { property: value }`")
                    .and_then(syn::parse2)
                    .and_then(|object| set(&mut args, &name, object)),
                _ => Err(entry.unknown("`example`", KNOWN)),
            };
            bad |= errors.keep(taken).is_none();
        }
        match (ask, args) {
            (Some(ask), Some(args)) => Some(Self { ask, args }),
            _ => {
                if !bad {
                    errors.at(key.span(), "an example needs both `ask = \"…\"` and `args = { property: value }`");
                }
                None
            }
        }
    }
}

impl Parse for Object {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        braced!(content in input);
        let mut properties: Vec<(Name, Json)> = Vec::new();
        while !content.is_empty() {
            let name: Name = content.parse()?;
            if properties.iter().any(|(earlier, _)| earlier.text == name.text) {
                return Err(syn::Error::new(name.span, format!("`{}` is given twice", name.text)));
            }
            content.parse::<Token![:]>()?;
            properties.push((name, content.parse()?));
            comma(&content)?;
        }
        Ok(Self { properties })
    }
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            return Ok(Self { text: text.value(), span: text.span() });
        }
        let name = input
            .call(Ident::parse_any)
            .map_err(|error| syn::Error::new(error.span(), "expected a property: `name: value`"))?;
        Ok(Self { text: name.unraw().to_string(), span: name.span() })
    }
}

impl Parse for Json {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(token::Brace) {
            return input.parse().map(Self::Object);
        }
        if input.peek(token::Bracket) {
            let content;
            bracketed!(content in input);
            let mut items = Vec::new();
            while !content.is_empty() {
                items.push(content.parse()?);
                comma(&content)?;
            }
            return Ok(Self::Array(items));
        }
        if input.peek(Token![-]) {
            let minus: Token![-] = input.parse()?;
            return match plain(&input.parse()?)? {
                Self::Plain(number) if number.starts_with(|first: char| first.is_ascii_digit()) => {
                    Ok(Self::Plain(format!("-{number}")))
                }
                _ => Err(syn::Error::new_spanned(minus, "only a number can be negative")),
            };
        }
        if input.peek(Lit) {
            return plain(&input.parse()?);
        }
        match input.call(Ident::parse_any) {
            Ok(word) if word == "none" || word == "null" => Ok(Self::Plain("null".to_owned())),
            Ok(word) => Err(syn::Error::new(
                word.span(),
                format!("`{word}` is not a JSON value: enum values are strings (\"{word}\"), nothing is `none`"),
            )),
            Err(error) => Err(syn::Error::new(
                error.span(),
                "expected a JSON value: a string, a number, `true`, `false`, `none`, `[…]` or `{ … }`",
            )),
        }
    }
}

fn comma(input: ParseStream<'_>) -> syn::Result<()> {
    if input.is_empty() { Ok(()) } else { input.parse::<Token![,]>().map(drop) }
}

fn plain(literal: &Lit) -> syn::Result<Json> {
    match literal {
        Lit::Str(text) => Ok(Json::Text(text.value())),
        Lit::Char(letter) => Ok(Json::Text(letter.value().to_string())),
        Lit::Bool(value) => Ok(Json::Plain(value.value.to_string())),
        Lit::Int(number) if number.suffix().is_empty() => Ok(Json::Plain(number.base10_digits().to_owned())),
        Lit::Float(number) if number.suffix().is_empty() => Ok(Json::Plain(float(number.base10_digits()))),
        other => {
            Err(syn::Error::new_spanned(other, "not a JSON value: strings, numbers without suffix and booleans are"))
        }
    }
}

/// Rust allows `1.` and `1.e3`; JSON wants a digit behind the point.
fn float(digits: &str) -> String {
    match digits.split_once('.') {
        Some((whole, rest)) if !rest.starts_with(|first: char| first.is_ascii_digit()) => format!("{whole}.0{rest}"),
        _ => digits.to_owned(),
    }
}

impl Object {
    /// As compact JSON.
    pub(crate) fn to_json(&self) -> String {
        let property = |(name, value): &(Name, Json)| format!("{}:{}", quoted(&name.text), value.to_json());
        format!("{{{}}}", self.properties.iter().map(property).collect::<Vec<_>>().join(","))
    }
}

impl Json {
    fn to_json(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Text(text) => quoted(text),
            Self::Array(items) => format!("[{}]", items.iter().map(Self::to_json).collect::<Vec<_>>().join(",")),
            Self::Object(object) => object.to_json(),
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            letter if letter < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Result<String, String> {
        syn::parse_str::<Object>(text).map(|object| object.to_json()).map_err(|error| error.to_string())
    }

    #[test]
    fn values_become_json_text() {
        let text = r#"{ city: "Pa\"r\nis", days: 3, tags: ["a", 'b',], nested: { a: true, "b c": [] }, none: null,
            n: none, t: -1.5, big: 1_000, hex: 0x10, f: 1.0e3, r#type: "x", }"#;
        assert_eq!(
            json(text).unwrap(),
            r#"{"city":"Pa\"r\nis","days":3,"tags":["a","b"],"nested":{"a":true,"b c":[]},"none":null,"n":null,"t":-1.5,"big":1000,"hex":16,"f":1.0e3,"type":"x"}"#
        );
        assert_eq!(float("1."), "1.0");
    }

    #[test]
    fn what_is_not_json_is_refused() {
        assert_eq!(
            json("{ a: Celsius }").unwrap_err(),
            "`Celsius` is not a JSON value: enum values are strings (\"Celsius\"), nothing is `none`"
        );
        assert_eq!(
            json("{ a: 1u8 }").unwrap_err(),
            "not a JSON value: strings, numbers without suffix and booleans are"
        );
        assert_eq!(json("{ a: -true }").unwrap_err(), "only a number can be negative");
        assert_eq!(json("{ a: 1, a: 2 }").unwrap_err(), "`a` is given twice");
    }
}

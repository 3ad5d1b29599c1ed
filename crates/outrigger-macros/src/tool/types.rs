//! Which types the model sends, which come from the running call, and which are neither.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{GenericArgument, Ident, Lifetime, Path, PathArguments, Type, TypeImplTrait, TypeReference};

/// What a parameter's type makes of it.
pub(crate) enum Role {
    /// The model sends a value of this type.
    Value(TokenStream),
    /// The model sends a string and the function borrows it.
    Text(TokenStream),
    /// `&ToolContext`.
    Context,
    /// `CancellationToken`.
    Cancellation,
}

/// Types that belong to a running program, and that people are tempted to ask for.
const RUNTIME: &[&str] = &[
    "ToolContext",
    "CancellationToken",
    "RunHandle",
    "Sender",
    "SyncSender",
    "UnboundedSender",
    "Receiver",
    "UnboundedReceiver",
    "JoinHandle",
    "JoinSet",
    "MutexGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
];

const CONTEXT: &str = "what belongs to the running call comes with a `&ToolContext` parameter";

/// The role of a parameter of type `ty` in a block with these type parameters.
///
/// # Errors
/// If the model cannot send such a value and the call does not have it either.
pub(crate) fn role(ty: &Type, generics: &[Ident]) -> syn::Result<Role> {
    match ungroup(ty) {
        Type::Reference(reference) => borrowed(reference),
        Type::Path(path) if ends_with(&path.path, "CancellationToken") => Ok(Role::Cancellation),
        Type::Path(path) if ends_with(&path.path, "ToolContext") => {
            Err(syn::Error::new_spanned(ty, "take the context by reference: `&ToolContext`; clone it to keep it"))
        }
        Type::BareFn(_) | Type::Ptr(_) | Type::Never(_) | Type::Infer(_) | Type::TraitObject(_) | Type::Macro(_) => {
            let ty_shown = shown(ty);
            let message = format!(
                "the model cannot send a `{ty_shown}`: a tool's parameters are owned values with a contract; {CONTEXT}"
            );
            Err(syn::Error::new_spanned(ty, message))
        }
        inner => {
            let mut search = Search { generics, found: None };
            search.visit_type(inner);
            search.found.map_or_else(|| Ok(Role::Value(inner.to_token_stream())), Err)
        }
    }
}

fn borrowed(reference: &TypeReference) -> syn::Result<Role> {
    let inner = ungroup(&reference.elem);
    let inner_shown = shown(inner);
    let message = match inner {
        _ if reference.mutability.is_some() => {
            format!("`&mut {inner_shown}` cannot be a tool's parameter: the model sends values, and {CONTEXT}")
        }
        Type::Path(path) if ends_with(&path.path, "ToolContext") => return Ok(Role::Context),
        Type::Path(path) if path.path.is_ident("str") => {
            let span = inner.span();
            return Ok(Role::Text(quote_spanned!(span=> ::std::string::String)));
        }
        Type::Path(path) if ends_with(&path.path, "CancellationToken") => {
            "take the token by value: `CancellationToken`".to_owned()
        }
        _ => format!(
            "`&{inner_shown}` cannot be a tool's parameter: of references only `&str` and `&ToolContext` can. \
             Take what the model sends by value; {CONTEXT}"
        ),
    };
    Err(syn::Error::new_spanned(reference, message))
}

/// Looks through a type for what cannot be part of an argument.
struct Search<'a> {
    generics: &'a [Ident],
    found: Option<syn::Error>,
}

impl Search<'_> {
    fn refuse(&mut self, at: impl ToTokens, message: String) {
        if self.found.is_none() {
            self.found = Some(syn::Error::new_spanned(at, message));
        }
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
        let message =
            "an argument owns what it holds: use an owned type here, `String` for `&str`, `Vec<T>` for `&[T]`";
        self.refuse(reference, message.to_owned());
    }

    fn visit_type_impl_trait(&mut self, ty: &'ast TypeImplTrait) {
        let message = "a tool cannot be generic: the model is shown one schema. Name a type instead of `impl …`";
        self.refuse(ty, message.to_owned());
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident != "static" && lifetime.ident != "_" {
            self.refuse(lifetime, "an argument owns what it holds: use `'static` or an owned type here".to_owned());
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if let Some(name) = RUNTIME.iter().find(|name| ends_with(path, name)) {
            let message = format!(
                "the model cannot send a `{name}`: it belongs to the running program. {}; what the program itself \
                 needs is a field of the harness",
                capital(CONTEXT)
            );
            self.refuse(path, message);
        }
        // A generic argument that is a lone name may be a const parameter, which syn reads as a type: caught here too.
        if let Some(first) = path.segments.first()
            && path.leading_colon.is_none()
            && self.generics.contains(&first.ident)
        {
            let name = &first.ident;
            let message = format!(
                "a tool's parameter cannot depend on the harness's type parameter `{name}`: the model is shown one schema"
            );
            self.refuse(path, message);
        }
        visit::visit_path(self, path);
    }
}

fn ends_with(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == name)
}

/// Types that come out of a macro's variable are wrapped in an invisible group.
fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        other => other,
    }
}

/// A type as people write it.
pub(crate) fn shown(ty: &Type) -> String {
    match ty {
        Type::Path(path) if path.qself.is_none() => path
            .path
            .segments
            .iter()
            .map(|segment| format!("{}{}", segment.ident, arguments(&segment.arguments)))
            .collect::<Vec<_>>()
            .join("::"),
        Type::Reference(reference) => {
            format!("&{}{}", if reference.mutability.is_some() { "mut " } else { "" }, shown(&reference.elem))
        }
        Type::Slice(slice) => format!("[{}]", shown(&slice.elem)),
        Type::Group(_) | Type::Paren(_) => shown(ungroup(ty)),
        other => other.to_token_stream().to_string(),
    }
}

fn arguments(arguments: &PathArguments) -> String {
    let PathArguments::AngleBracketed(arguments) = arguments else { return String::new() };
    let argument = |argument: &GenericArgument| match argument {
        GenericArgument::Type(ty) => shown(ty),
        other => other.to_token_stream().to_string(),
    };
    format!("<{}>", arguments.args.iter().map(argument).collect::<Vec<_>>().join(", "))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role_of(ty: &str) -> String {
        match role(&syn::parse_str(ty).unwrap(), &[syn::parse_quote!(T)]) {
            Ok(Role::Value(ty)) => format!("value {ty}"),
            Ok(Role::Text(_)) => "text".to_owned(),
            Ok(Role::Context) => "context".to_owned(),
            Ok(Role::Cancellation) => "cancellation".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn types_have_roles() {
        assert_eq!(role_of("Vec<u8>"), "value Vec < u8 >");
        assert_eq!(role_of("&str"), "text");
        assert_eq!(role_of("&a::ToolContext"), "context");
        assert_eq!(role_of("a::CancellationToken"), "cancellation");
        assert_eq!(role_of("Option<Cow<'static, str>>"), "value Option < Cow < 'static , str > >");
    }

    #[test]
    fn other_types_are_refused() {
        for ty in [
            "&Agent",
            "&mut Vec<u8>",
            "&[u8]",
            "Sender<u8>",
            "Option<CancellationToken>",
            "Vec<&str>",
            "T",
            "Vec<T>",
            "impl Display",
            "Box<dyn Fn()>",
            "fn(u8)",
            "Cow<'a, str>",
            "ToolContext",
            "&CancellationToken",
        ] {
            assert!(!role_of(ty).starts_with("value") || ty == "Box<dyn Fn()>", "{ty}: {}", role_of(ty));
        }
    }
}

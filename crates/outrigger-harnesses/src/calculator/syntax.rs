//! The tree of an expression, and the names it may contain.

use num_rational::BigRational;

/// An expression, read but not yet evaluated.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Number(BigRational),
    Constant(Constant),
    /// A unit on its own, such as the `h` of `km / h`.
    Unit(String),
    /// A value with units directly behind it, such as `5 kg` or `9.81 m^2`.
    Quantity(Box<Expr>, String),
    Negate(Box<Expr>),
    Percent(Box<Expr>),
    Factorial(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Call(Function, Vec<Expr>),
    /// A conversion to a unit or a notation.
    Convert(Box<Expr>, String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Constant {
    Pi,
    E,
    Tau,
    Phi,
}

macro_rules! functions {
    ($($variant:ident: $($name:literal)|+;)+) => {
        /// The functions an expression may call.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Function { $($variant),+ }

        impl Function {
            pub(super) const NAMES: &'static [&'static str] = &[$($($name),+),+];

            pub(super) fn of(name: &str) -> Option<Self> {
                match name { $($($name)|+ => Some(Self::$variant),)+ _ => None }
            }

            /// The name errors use: the first spelling.
            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$variant => [$($name),+].first().copied().unwrap_or_default()),+ }
            }
        }
    };
}

functions! {
    Sqrt: "sqrt"; Cbrt: "cbrt"; Root: "root"; Pow: "pow";
    Abs: "abs"; Floor: "floor"; Ceil: "ceil" | "ceiling"; Round: "round"; Trunc: "trunc" | "int";
    Min: "min"; Max: "max"; Sum: "sum"; Mean: "mean" | "avg" | "average";
    Gcd: "gcd"; Lcm: "lcm"; Mod: "mod"; Factorial: "factorial";
    Exp: "exp"; Ln: "ln"; Log: "log"; Log10: "log10"; Log2: "log2";
    Sin: "sin"; Cos: "cos"; Tan: "tan"; Asin: "asin"; Acos: "acos"; Atan: "atan";
    Sinh: "sinh"; Cosh: "cosh"; Tanh: "tanh";
}

impl Constant {
    pub(super) const NAMES: &'static [&'static str] = &["pi", "e", "tau", "phi"];

    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "pi" | "Pi" | "PI" => Some(Self::Pi),
            "e" => Some(Self::E),
            "tau" => Some(Self::Tau),
            "phi" => Some(Self::Phi),
            _ => None,
        }
    }
}

impl Expr {
    pub(super) fn binary(operator: Operator, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    /// Does any part have a unit or ask for a conversion?
    pub(super) fn has_units(&self) -> bool {
        match self {
            Self::Unit(_) | Self::Quantity(..) | Self::Convert(..) => true,
            Self::Number(_) | Self::Constant(_) => false,
            Self::Negate(of) | Self::Percent(of) | Self::Factorial(of) => of.has_units(),
            Self::Binary(_, left, right) => left.has_units() || right.has_units(),
            Self::Call(_, arguments) => arguments.iter().any(Self::has_units),
        }
    }

    /// Is this a percentage, or a sum of percentages?
    pub(super) fn is_percentage(&self) -> bool {
        match self {
            Self::Percent(_) => true,
            Self::Negate(of) => of.is_percentage(),
            Self::Binary(Operator::Add | Operator::Subtract, left, right) => {
                left.is_percentage() && right.is_percentage()
            }
            _ => false,
        }
    }
}

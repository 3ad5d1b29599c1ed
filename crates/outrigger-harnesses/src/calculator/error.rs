/// Why an expression has no answer. Each text is written for the model that sent the expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CalculatorError {
    /// Nothing to calculate.
    #[error("the expression is empty: write one such as `12.5% of 640` or `(3 + 4) * 5`")]
    Empty,
    /// Longer than the limit.
    #[error("the expression has {found} characters, at most {limit} are accepted: calculate it in parts")]
    TooLong {
        /// Characters that came.
        found: usize,
        /// Characters accepted.
        limit: usize,
    },
    /// Parentheses, signs or powers are nested too deep.
    #[error("the expression is nested more than {limit} levels deep: calculate the inner part first")]
    TooDeep {
        /// Levels accepted.
        limit: usize,
    },
    /// A character that no expression contains.
    #[error("`{found}` is not part of an expression: use numbers, names, units and + - * / ^ % ! ( )")]
    Character {
        /// The character.
        found: char,
    },
    /// A number that cannot be read without guessing.
    #[error("the number `{found}` is unclear: {hint}")]
    Number {
        /// The number as it was written.
        found: String,
        /// What to write instead.
        hint: &'static str,
    },
    /// Something else stood where the expression needed a part.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What the expression needed there.
        expected: &'static str,
        /// What stood there.
        found: String,
    },
    /// A sum or difference with a bare percentage, which people read in two ways.
    #[error(
        "adding or subtracting `{percent}` is ambiguous: write `640 * (1 + 10%)` to change 640 by 10%, or `10% of 640` for the part"
    )]
    AmbiguousPercent {
        /// The percentage.
        percent: String,
    },
    /// A name that is neither a function, a constant nor a unit.
    #[error("`{name}` is no function, constant or unit that is known here{}", hint(.nearest.as_ref()))]
    UnknownName {
        /// The name.
        name: String,
        /// The known name that is written most like it.
        nearest: Option<String>,
    },
    /// Money of different currencies: rates are not known.
    #[error("currencies are not converted here: leave `{sign}` out and calculate with plain numbers")]
    Currency {
        /// The sign or code.
        sign: String,
    },
    /// A function with too few or too many arguments.
    #[error("`{function}` takes {expected}, {found} came")]
    Arguments {
        /// The function.
        function: String,
        /// How many it takes, in words.
        expected: &'static str,
        /// How many came.
        found: usize,
    },
    /// A division or a remainder by zero.
    #[error("division by zero: the expression has no value")]
    DivisionByZero,
    /// The operation is not defined for this value.
    #[error("{operation} is not defined for this value: {rule}")]
    Undefined {
        /// The operation.
        operation: String,
        /// What it needs.
        rule: &'static str,
    },
    /// An exact result, or a step towards it, that has too many digits.
    #[error(
        "the result or a step towards it is too large: exact values may have about 3000 digits, approximate ones end near 1e308"
    )]
    TooLarge,
    /// Units that do not go together, or are used where plain numbers belong.
    #[error("the units do not fit: {reason}")]
    Units {
        /// The reason, as the unit engine says it.
        reason: String,
    },
    /// More work than one calculation may take.
    #[error("the calculation with units takes too long: use fewer terms or smaller powers")]
    TooMuchWork,
}

fn hint(nearest: Option<&String>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

//! Exact arithmetic for models that cannot calculate.
//!
//! An expression becomes tokens, then a tree. A tree without units is
//! evaluated over exact fractions, and over floating point only where no exact result
//! exists; one with units goes to the unit engine. Every step is bounded: characters,
//! depth, digits, and work in the unit engine.

mod answer;
mod error;
mod evaluate;
mod function;
mod number;
mod parse;
mod syntax;
mod token;
mod units;

pub use answer::Answer;
pub use error::CalculatorError;
use outrigger_core::harness;

/// Characters an expression may have.
pub const MAX_EXPRESSION: usize = 1_000;

/// Calculates expressions. It reads nothing but the expression: no files, clock, network or
/// random numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Calculator;

/// Exact arithmetic.
#[harness]
impl Calculator {
    /// Calculates an arithmetic expression exactly: + - * / ^ % !, percentages (`12.5% of 640`), functions (sqrt, round,
    /// log, sin, min, max, …) and units (`5 km to miles`). A result that is not exact begins with `approx.`.
    #[tool(
        blocking,
        read_only,
        idempotent,
        example(ask = "What is 3 + 4?", args = { expression: "3 + 4" }),
        example(ask = "Calculate 15% of 200.", args = { expression: "15% of 200" }),
        example(ask = "What does 9 * (8 - 2) come to?", args = { expression: "9 * (8 - 2)" }),
        example(ask = "Multiply 25 by 16", args = { expression: "25 * 16" }),
        example(ask = "How much is left of 91 minus 58?", args = { expression: "91 - 58" }),
        example(ask = "Please compute (144 + 6) / 12", args = { expression: "(144 + 6) / 12" }),
        example(ask = "2^16", args = { expression: "2^16" }),
        example(ask = "I have 70 plus 35, what does that make?", args = { expression: "70 + 35" })
    )]
    pub fn calculate(
        &self,
        /// The expression, such as `(3 + 4) * 5` or `12.5% of 640`.
        expression: String,
    ) -> Result<Answer, CalculatorError> {
        let found = expression.chars().take(MAX_EXPRESSION.saturating_add(1)).count();
        if found > MAX_EXPRESSION {
            let found = expression.chars().count();
            return Err(CalculatorError::TooLong { found, limit: MAX_EXPRESSION });
        }
        let text = trimmed(&expression);
        if text.is_empty() {
            return Err(CalculatorError::Empty);
        }
        let tree = parse::parse(&token::tokens(text)?)?;
        if tree.has_units() { units::evaluate(&tree) } else { Ok(Answer::from(&evaluate::evaluate(&tree)?)) }
    }
}

/// Without the `=` and `?` that people write around a question.
fn trimmed(expression: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || matches!(c, '=' | '?');
    expression.trim_start_matches(ends).trim_end_matches(ends)
}

#[cfg(test)]
mod tests;

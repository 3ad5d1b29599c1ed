//! The value of an expression without units.

use super::CalculatorError;
use super::function::call;
use super::number::Number;
use super::syntax::{Constant, Expr, Operator};
use std::f64::consts;

pub(super) fn evaluate(expr: &Expr) -> Result<Number, CalculatorError> {
    match expr {
        Expr::Number(value) => Number::exact(value.clone()),
        Expr::Constant(constant) => Ok(Number::Approximate(match constant {
            Constant::Pi => consts::PI,
            Constant::E => consts::E,
            Constant::Tau => consts::TAU,
            Constant::Phi => f64::midpoint(1.0, 5_f64.sqrt()),
        })),
        Expr::Negate(of) => Ok(evaluate(of)?.negate()),
        Expr::Percent(of) => evaluate(of)?.divide(&Number::integer(100)),
        Expr::Factorial(of) => evaluate(of)?.factorial(),
        Expr::Binary(operator, left, right) => binary(*operator, left, right),
        Expr::Call(function, arguments) => {
            call(*function, &arguments.iter().map(evaluate).collect::<Result<Vec<_>, _>>()?)
        }
        Expr::Unit(unit) | Expr::Quantity(_, unit) | Expr::Convert(_, unit) => {
            Err(CalculatorError::Units { reason: format!("`{unit}` stands where a plain number belongs") })
        }
    }
}

fn binary(operator: Operator, left: &Expr, right: &Expr) -> Result<Number, CalculatorError> {
    let (left, right) = (evaluate(left)?, evaluate(right)?);
    match operator {
        Operator::Add => left.add(&right),
        Operator::Subtract => left.subtract(&right),
        Operator::Multiply => left.multiply(&right),
        Operator::Divide => left.divide(&right),
        Operator::Modulo => left.modulo(&right),
        Operator::Power => left.power(&right),
    }
}

use super::{Calculator, CalculatorError};
use std::time::{Duration, Instant};

fn calculate(expression: &str) -> String {
    match Calculator.calculate(expression.to_owned()) {
        Ok(answer) => answer.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

fn error(expression: &str) -> CalculatorError {
    Calculator.calculate(expression.to_owned()).unwrap_err()
}

fn expect(cases: &[(&str, &str)]) {
    for (expression, answer) in cases {
        assert_eq!(calculate(expression), *answer, "{expression}");
    }
}

#[test]
fn arithmetic_is_exact() {
    expect(&[
        ("12 + 30", "42"),
        ("(3+4)*5", "35"),
        ("2^10", "1024"),
        ("0.1 + 0.2", "0.3"),
        ("12.5% of 640", "80"),
        ("5% + 3%", "0.08"),
        ("640 * (1 + 10%)", "704"),
        ("17 % 5", "2"),
        ("-17 mod 5", "3"),
        ("17.5 mod 5", "2.5"),
        ("1/8", "0.125"),
        ("2^-2", "0.25"),
        ("-2^2", "-4"),
        ("2^3^2", "512"),
        ("5!", "120"),
        ("1000 * (1 + 0.05/12)^12 - 1000*(1+0.05/12)^12", "0"),
        ("4 / 2 * 3", "6"),
        ("2(3 + 4)", "14"),
        ("(1 + 2)(3 + 4)", "21"),
        ("0.1^50", "0.00000000000000000000000000000000000000000000000001"),
        ("1.5e3", "1500"),
        ("2^64", "18446744073709551616"),
        (".5 + 5.", "5.5"),
        ("0^0", "1"),
    ]);
}

#[test]
fn what_has_no_exact_decimal_is_marked_approximate() {
    expect(&[
        ("sqrt(2)", "approx. 1.41421356237"),
        ("1/3", "approx. 0.333333333333"),
        ("2/3", "approx. 0.666666666667"),
        ("-200/3", "approx. -66.6666666667"),
        ("pi", "approx. 3.14159265359"),
        ("2 pi", "approx. 6.28318530718"),
        ("e^2", "approx. 7.38905609893"),
        ("2^0.1234", "approx. 1.08929899128"),
        ("(1/7)^500", "approx. 2.82474984102e-423"),
        ("1000!", "approx. 4.02387260077e2567"),
        ("10^20/3", "approx. 3.33333333333e19"),
        ("cosh(700)", "approx. 5.07116027368e303"),
        ("1/3000000", "approx. 3.33333333333e-7"),
        ("999999999999.99/7*7/3*3 + 0.001/3", "approx. 1000000000000"),
    ]);
}

#[test]
fn functions_stay_exact_where_they_can() {
    expect(&[
        ("sqrt(16)", "4"),
        ("sqrt(1/4)", "0.5"),
        ("sqrt 16", "4"),
        ("√16", "4"),
        ("8^(1/3)", "2"),
        ("cbrt(-27)", "-3"),
        ("root(32, 5)", "2"),
        ("log(1000)", "3"),
        ("log2(8)", "3"),
        ("log10(0.01)", "-2"),
        ("ln(1)", "0"),
        ("ln(2)^2", "approx. 0.480453013918"),
        ("sin(pi)", "approx. 0"),
        ("sin(30 degrees)", "0.5"),
        ("abs(-3)", "3"),
        ("round(2.5)", "3"),
        ("round(3.14159, 2)", "3.14"),
        ("floor(-2.5)", "-3"),
        ("max(3, 5)", "5"),
        ("max(3,5)", "5"),
        ("min(3, 5, 1)", "1"),
        ("avg(1, 2, 4.5)", "2.5"),
        ("sum(1, 2, 3)", "6"),
        ("gcd(12, 18)", "6"),
        ("lcm(4, 6)", "12"),
        ("pow(2, 8)", "256"),
    ]);
}

#[test]
fn what_people_type_is_read() {
    expect(&[
        ("3 × 4", "12"),
        ("12 ÷ 4", "3"),
        ("7 − 2", "5"),
        ("2 ** 10", "1024"),
        ("3 x 4", "12"),
        ("1,234.5 + 1", "1235.5"),
        ("1_000 + 1", "1001"),
        ("12 + 30 =", "42"),
        ("12 + 30 = ?", "42"),
        ("= 12 + 30", "42"),
        ("5²", "25"),
        ("10¹²", "1000000000000"),
        ("[3 + 4] * 5", "35"),
        ("12.5 percent of 640", "80"),
    ]);
}

#[test]
fn units_are_carried_and_converted() {
    expect(&[
        ("5 km to miles", "approx. 3.10685596119 miles"),
        ("5 km + 20 m", "5.02 km"),
        ("60 km/h * 90 minutes to km", "90 km"),
        ("10 km / 2 km", "5"),
        ("100 celsius to fahrenheit", "212 fahrenheit"),
        ("20 °C in °F", "68 °F"),
        ("12 in to cm", "30.48 cm"),
        ("30.48 cm in in", "12 inches"),
        ("6 feet 1 inch to cm", "185.42 cm"),
        ("90 min to hours", "1.5 hours"),
        ("5 light years to km", "47303652362904 km"),
        ("10% of 50 kg", "5 kg"),
        ("5 m^2 to square feet", "approx. 53.8195520835 feet^2"),
        ("1 nm to miles", "approx. 0.000000000000621371192237 miles"),
        ("255 to hex", "ff"),
        ("0.25 to %", "25%"),
        ("(3 hours + 25 minutes) to minutes", "205 minutes"),
    ]);
}

#[test]
fn errors_say_what_was_expected_and_what_to_write() {
    let cases = [
        "",
        "  ",
        "?",
        "2 +",
        "* 3",
        "(2 + 3",
        "2 + 3)",
        "2 3",
        "1,5 + 1",
        "1 / 0",
        "5 mod 0",
        "0^-1",
        "foo + 1",
        "sqr(2)",
        "5 KM to miles",
        "640 + 10%",
        "$5 * 3",
        "5 usd to eur",
        "max(1,234)",
        "sqrt()",
        "sqrt(1, 2)",
        "root(2)",
        "sqrt(-4)",
        "ln(0)",
        "asin(2)",
        "1.5!",
        "(-3)!",
        "(-8)^0.4",
        "5 km + 3 kg",
        "5 km + 3",
        "ln(5 km)",
        "a = 3",
        "x: x + 1",
        "'text'",
        "roll d6",
        "print 5",
        "today",
        "1 m print",
        "@debug 1",
        "3..4",
        "1.2.3",
        "9^9^9",
        "1000000!",
        "1e999999",
        "10^400 * 1.0 * pi",
        "exp(1000)",
        "5 m^9999 to m",
    ];
    let text: Vec<String> = cases.iter().map(|case| format!("{case:>20} -> {}", calculate(case))).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn hostile_expressions_end_soon_and_within_the_stack() {
    let parentheses = "(".repeat(999);
    let closed = format!("{}1{}", "(".repeat(499), ")".repeat(499));
    let expressions = [
        "9^9^9^9".to_owned(),
        "9^9^9^9 km".to_owned(),
        "1000000!".to_owned(),
        "1000000! km".to_owned(),
        "(2^0.5)^100000 m".to_owned(),
        "(1.0000001 m)^9999999".to_owned(),
        parentheses,
        closed,
        "-".repeat(999) + "1",
        "2^".repeat(400) + "2",
        "1+".repeat(499) + "1",
        "sqrt ".repeat(190) + "2",
        "1/3+".repeat(249) + "1",
        "1/7919*".repeat(140) + "1",
        "5 km + ".repeat(140) + "1 km",
        "(5 km*".repeat(60) + "1" + &")".repeat(60),
        format!("{}2 m{}", "(2 m^2 + ".repeat(31), ")".repeat(31)),
        "9".repeat(999),
        "9".repeat(1_000) + " km",
        "!".repeat(999),
        "3".to_owned() + &"!".repeat(900),
        "max(".repeat(200),
    ];
    for expression in expressions {
        let started = Instant::now();
        let answer = calculate(&expression);
        let short: String = expression.chars().take(20).collect();
        let text: String = answer.chars().take(80).collect();
        let took = started.elapsed();
        println!("{short:20} {took:?} {text}");
        assert!(took < Duration::from_secs(5), "{short}");
    }
}

#[test]
fn an_expression_over_the_limit_is_refused_with_both_numbers() {
    assert_eq!(error(&"1".repeat(1_001)), CalculatorError::TooLong { found: 1_001, limit: 1_000 });
}

proptest::proptest! {
    #[test]
    fn any_text_has_an_answer_or_an_error(text in "[0-9a-z+*/^!%()., °²×-]{0,40}") {
        let _ = calculate(&text);
    }

    #[test]
    fn sums_of_decimals_are_exact(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000) {
        let decimal = |n: i64| format!("({}{}.{:02})", if n < 0 { "-" } else { "" }, n.abs() / 100, n.abs() % 100);
        let sum = calculate(&format!("({} + {}) * 100", decimal(a), decimal(b)));
        proptest::prop_assert_eq!(sum, (a + b).to_string());
    }
}

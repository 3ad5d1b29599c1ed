//! The first screen: a harness of one tool, a model chosen by a string, one question.
//!
//! `cargo run -p outrigger --example weather -- scripted:examples/weather/script.json`

use std::fmt;

use outrigger::prelude::*;
use serde::Serialize;

#[derive(Default)]
struct Weather;

/// Weather reports.
#[harness]
impl Weather {
    /// Gets the current weather for a city.
    #[tool(read_only, example(ask = "How warm is it in Paris?", args = { city: "Paris" }))]
    async fn current(
        &self,
        /// The city to look up.
        city: String,
        /// Temperature unit.
        #[arg(default)]
        unit: Unit,
    ) -> Result<Report, WeatherError> {
        let celsius = match city.as_str() {
            "Chicago" => 21.0,
            "Paris" => 17.5,
            _ => return Err(WeatherError { city }),
        };
        let degrees = match unit {
            Unit::Celsius => celsius,
            Unit::Fahrenheit => celsius * 9.0 / 5.0 + 32.0,
        };
        Ok(Report { city, degrees, unit: format!("{unit:?}"), sky: "sunny" })
    }
}

/// A unit of temperature.
#[derive(Contract, Clone, Copy, Debug, Default)]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

#[derive(Serialize)]
struct Report {
    city: String,
    degrees: f64,
    unit: String,
    sky: &'static str,
}

#[derive(Debug)]
struct WeatherError {
    city: String,
}

impl fmt::Display for WeatherError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "there is no station in {}; ask for Chicago or Paris", self.city)
    }
}

impl std::error::Error for WeatherError {}

#[tokio::main]
async fn main() -> outrigger::Result<()> {
    let choice = std::env::args().nth(1).unwrap_or_else(|| "scripted:examples/weather/script.json".to_owned());
    let agent = Agent::builder().model(model(choice)).harness(Weather).build().await?;
    let turn = agent.run("What is the weather in Chicago?").await?;
    println!("{}", turn.text());
    Ok(())
}

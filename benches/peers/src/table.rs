//! The figures, their medians and what is made of them.

use std::fmt;
use std::process::ExitCode;

use crate::contestants::{BY_HAND, ENTRIES, OURS};
use crate::conversation::Play;
use crate::meter::Cost;

/// How much more CPU time than the loop written by hand a round of ours may take.
const ALLOWED: f64 = 1.3;

/// Every sample taken.
#[derive(Default)]
pub(crate) struct Figures(Vec<(&'static str, Play, Cost)>);

impl Figures {
    pub(crate) fn add(&mut self, name: &'static str, play: Play, cost: Cost) {
        self.0.push((name, play, cost));
    }

    fn median(&self, name: &str, play: Play, of: fn(&Cost) -> f64) -> f64 {
        let taken = self.0.iter().filter(|(whose, what, _)| *whose == name && *what == play);
        let mut taken: Vec<f64> = taken.map(|(_, _, cost)| of(cost)).collect();
        taken.sort_by(f64::total_cmp);
        taken[taken.len() / 2]
    }

    fn ratio(&self, name: &str, play: Play, of: fn(&Cost) -> f64) -> f64 {
        self.median(name, play, of) / self.median(BY_HAND, play, of)
    }

    /// Whether ours is within what is allowed, told to people too.
    pub(crate) fn check(&self) -> ExitCode {
        let ratio = self.ratio(OURS, Play::Rounds, |cost| cost.cpu);
        if ratio <= ALLOWED {
            println!("A round costs {ratio:.2} times what it costs by hand; {ALLOWED} are allowed.");
            return ExitCode::SUCCESS;
        }
        eprintln!("A round costs {ratio:.2} times what it costs by hand, and only {ALLOWED} are allowed.");
        ExitCode::FAILURE
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (play, unit) in [(Play::Rounds, "round"), (Play::Chunks, "chunk")] {
            writeln!(
                f,
                "{:<24} {:>14} {:>8} {:>18} {:>8}",
                format!("a {unit}"),
                "CPU ns",
                "ratio",
                "allocations",
                "ratio"
            )?;
            for entry in &ENTRIES {
                let cell = |of: fn(&Cost) -> f64| (self.median(entry.name, play, of), self.ratio(entry.name, play, of));
                let (cpu, cpu_ratio) = cell(|cost| cost.cpu);
                let (allocations, allocations_ratio) = cell(|cost| cost.allocations);
                let name = entry.name;
                writeln!(f, "{name:<24} {cpu:>14.0} {cpu_ratio:>8.2} {allocations:>18.1} {allocations_ratio:>8.2}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

//! The harnesses that agent files of this program can name.

use std::path::PathBuf;
use std::sync::Arc;

use outrigger::Contract;
use outrigger::agent::config::{HarnessType, Refusal};
use outrigger::harnesses::{Calculator, Clock, Files};

/// The agent there is without a file: what reads, and changes nothing.
pub(crate) const DEFAULT_AGENT: &str = r#"harnesses = ["Calculator", "Clock", "Files"]"#;

/// The harnesses, in the order they are listed to people.
pub(crate) const HARNESSES: &[HarnessType] = &[
    HarnessType {
        name: "Calculator",
        about: "exact arithmetic, with units",
        open: |given| {
            given.no_config()?;
            Ok(Arc::new(Calculator))
        },
    },
    HarnessType {
        name: "Clock",
        about: "the current date and time, in any zone",
        open: |given| {
            given.no_config()?;
            Ok(Arc::new(Clock::new()))
        },
    },
    HarnessType {
        name: "Files",
        about: "the files below one directory, to be listed, read and searched",
        open: |given| {
            let FilesConfig { root } = given.config()?;
            let files = Files::new(given.base().join(root));
            let files =
                files.map_err(|error| Refusal::Unusable { path: "/root".into(), message: error.to_string() })?;
            Ok(Arc::new(files))
        },
    },
];

/// How `Files` is configured.
#[derive(Contract)]
struct FilesConfig {
    /// The directory; relative to that of the agent file.
    #[arg(default = PathBuf::from("."))]
    root: PathBuf,
}

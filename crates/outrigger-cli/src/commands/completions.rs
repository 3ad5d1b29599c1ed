//! `outrigger completions`.

use std::io::Write;

use clap::CommandFactory;

use crate::args::{Args, Completions};
use crate::failure::Failure;

pub(crate) fn completions(options: &Completions) -> Result<u8, Failure> {
    // Into memory first: the generator does not expect its output to be closed.
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Args::command(), "outrigger", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(0)
}

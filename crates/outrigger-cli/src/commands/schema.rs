//! `outrigger schema`.

use outrigger::agent::config::AgentConfig;

use crate::failure::Failure;
use crate::output::print_text;

pub(crate) fn schema() -> Result<u8, Failure> {
    print_text(&AgentConfig::json_schema())?;
    Ok(0)
}

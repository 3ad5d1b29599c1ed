//! The executor.

use std::future::Future;
use std::time::Duration;

use crate::failure::Failure;

/// How long a body that blocks is waited for at the end.
const LEAVE: Duration = Duration::from_millis(100);

/// Runs a command's future to its end.
///
/// Two workers beside this thread: the driver and tools run there while this thread prints, so that a body that hogs its
/// thread stops neither the output nor Ctrl-C. More workers would only cost start-up: bodies that block have threads of
/// their own, and so has the model that runs in process.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let executor = executor.map_err(Failure::Output)?;
    let result = executor.block_on(work);
    // A body that blocks for ever must not keep the program.
    executor.shutdown_timeout(LEAVE);
    result
}

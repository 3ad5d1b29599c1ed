//! Where the program keeps sessions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use outrigger::session::{Page, SessionInfo, Store};
use outrigger::store::SqliteStore;
use outrigger::transcript::SessionId;

use crate::args::{DataOptions, SessionOptions};
use crate::failure::Failure;
use crate::setup::reason;

/// The file in the folder of data.
const FILE: &str = "threads.db";

/// A session that is kept, and where.
pub(crate) type Kept = (Arc<dyn Store>, SessionId);

/// The store of a session that is kept: made when it is first needed.
pub(crate) fn of_session(options: &SessionOptions) -> Result<Option<Kept>, Failure> {
    match &options.session {
        Some(session) => Ok(Some((make(&options.data)?, session.as_str().into()))),
        None => Ok(None),
    }
}

/// The session that changed last, and its store.
pub(crate) async fn last_session(data: &DataOptions) -> Result<Kept, Failure> {
    let store = open(data)?;
    let (mut last, mut after): (Option<SessionInfo>, Option<SessionId>) = (None, None);
    loop {
        let page = store.sessions(Page { after, ..Page::default() }).await?;
        let Some(end) = page.last() else { break };
        after = Some(end.session.clone());
        let newest = page.into_iter().chain(last.take()).max_by_key(|one| one.changed);
        last = newest;
    }
    match last {
        Some(last) => Ok((store, last.session)),
        None => Err(Failure::Sessions("there is no session to go on with: begin one with --session NAME".to_owned())),
    }
}

/// The store of the folder, which must be there.
pub(crate) fn open(data: &DataOptions) -> Result<Arc<dyn Store>, Failure> {
    let folder = folder(data)?;
    let file = folder.join(FILE);
    if !file.exists() {
        return Err(Failure::Sessions(format!("there are no sessions in {}: it has no {FILE}", folder.display())));
    }
    Ok(Arc::new(SqliteStore::open(file)?))
}

/// The store of the folder; both are made where they are not there.
pub(crate) fn make(data: &DataOptions) -> Result<Arc<dyn Store>, Failure> {
    let folder = folder(data)?;
    let refused = |error| Failure::Sessions(format!("{} cannot be made: {}", folder.display(), reason(&error)));
    private_folder(&folder).map_err(refused)?;
    Ok(Arc::new(SqliteStore::open(folder.join(FILE))?))
}

fn folder(data: &DataOptions) -> Result<PathBuf, Failure> {
    let none = || Failure::Usage("there is no folder for the user's data here: name one with --data DIR".to_owned());
    match &data.data {
        Some(folder) => Ok(folder.clone()),
        None => dirs::data_dir().map(|folder| folder.join("outrigger")).ok_or_else(none),
    }
}

/// What people said is for their own eyes.
#[cfg(unix)]
fn private_folder(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn private_folder(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}

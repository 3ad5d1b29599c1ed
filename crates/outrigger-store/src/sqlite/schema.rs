//! The file's tables, grown by numbered migrations.

use std::path::Path;
use std::time::{Duration, Instant};

use outrigger_core::session::StoreError;
use outrigger_core::transcript::Text;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::worker::failed;

/// What says in the file's header that it is ours: `OUTR`.
const APPLICATION: i64 = 0x4f55_5452;

/// Each brings the file from the version of its index to the next.
const MIGRATIONS: &[&str] = &[
    "CREATE TABLE segments (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        parent INTEGER,
        start INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX segments_by_parent ON segments (parent) WHERE parent IS NOT NULL;
    CREATE TABLE records (
        segment INTEGER NOT NULL,
        number INTEGER NOT NULL,
        digest BLOB NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (segment, number)
    ) STRICT;
    CREATE TABLE threads (
        session TEXT NOT NULL,
        thread TEXT NOT NULL,
        segment INTEGER NOT NULL,
        length INTEGER NOT NULL,
        digest BLOB NOT NULL,
        turn TEXT,
        step INTEGER,
        created INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        parent_session TEXT,
        parent_thread TEXT,
        parent_at INTEGER,
        metadata TEXT,
        family INTEGER NOT NULL,
        PRIMARY KEY (session, thread)
    ) STRICT;
    CREATE INDEX threads_by_parent ON threads (parent_session, parent_thread) WHERE parent_session IS NOT NULL;
    CREATE INDEX threads_by_segment ON threads (segment);
    CREATE INDEX threads_by_family ON threads (family);",
    "CREATE TABLE asides (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session TEXT NOT NULL,
        thread TEXT NOT NULL,
        segment INTEGER NOT NULL,
        start INTEGER NOT NULL,
        reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX asides_by_thread ON asides (session, thread);
    CREATE INDEX asides_by_segment ON asides (segment);
    CREATE TABLE derived (
        family INTEGER NOT NULL,
        hash BLOB NOT NULL,
        digest BLOB NOT NULL,
        value BLOB NOT NULL,
        PRIMARY KEY (family, hash)
    ) STRICT;",
];

/// The newest version of the file this program knows.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// Opens the file for writing, makes it if there is none, and brings it up to date.
pub(super) fn open_writer(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    make_private(path)?;
    let connection = connect(path, busy)?;
    let version = version(&connection, path)?;
    set_up(&connection, busy).map_err(failed(path))?;
    if version < VERSION {
        migrate(&connection, path)?;
    }
    Ok(connection)
}

/// Opens the file, which is up to date, for reading.
pub(super) fn open_reader(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    let connection = connect(path, busy)?;
    connection.execute_batch("PRAGMA query_only = ON").map_err(failed(path))?;
    Ok(connection)
}

/// Conversations are nobody else's business.
fn make_private(path: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StoreError::failed(format!("{} cannot be made: {error}", path.display()))),
    }
}

fn connect(path: &Path, busy: Duration) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed(path))?;
    connection.busy_timeout(busy).map_err(failed(path))?;
    connection.set_prepared_statement_cache_capacity(64);
    // The file may come from anywhere: its views and triggers get no rights, and its cells are checked.
    connection
        .execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL;")
        .map_err(not_opened(path))?;
    Ok(connection)
}

/// What is wrong with a file that is no database, or else with the database.
fn not_opened(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
    |error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            StoreError::NotAStore { place: path.display().to_string().into(), problem: error.to_string().into() }
        }
        _ => failed(path)(error),
    }
}

/// The file's version, if it is a store that this program knows.
fn version(connection: &Connection, path: &Path) -> Result<i64, StoreError> {
    let place = || Text::from(path.display().to_string());
    let not_ours = |problem: String| StoreError::NotAStore { place: place(), problem: problem.into() };
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let read = || -> rusqlite::Result<(i64, i64, i64)> {
        Ok((
            number("PRAGMA application_id")?,
            number("PRAGMA user_version")?,
            number("SELECT count(*) FROM sqlite_schema")?,
        ))
    };
    let (application, version, tables) = read().map_err(not_opened(path))?;
    match (application, u64::try_from(version)) {
        (0, Ok(0)) if tables == 0 => Ok(0),
        (APPLICATION, Ok(_)) if version <= VERSION => Ok(version),
        (APPLICATION, Ok(found)) => Err(StoreError::Newer { place: place(), found, known: VERSION.unsigned_abs() }),
        _ => Err(not_ours("it is a database of another program".to_owned())),
    }
}

/// Write-ahead logging, which lasts in the file. Changing to it is refused at once while others have the file open, so
/// that trying again is for us to do.
fn set_up(connection: &Connection, busy: Duration) -> rusqlite::Result<()> {
    let until = Instant::now() + busy;
    loop {
        match connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(10));
            }
            other => break drop(other?),
        };
    }
    connection.execute_batch("PRAGMA secure_delete = ON")
}

fn migrate(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    connection.execute_batch("BEGIN IMMEDIATE").map_err(failed(path))?;
    // Another process may have been faster.
    let from = version(connection, path)?;
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    for migration in MIGRATIONS.iter().skip(from) {
        connection.execute_batch(migration).map_err(failed(path))?;
    }
    let done = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT");
    connection.execute_batch(&done).map_err(failed(path))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use outrigger_core::session::{ContentHash, Store, ThreadKey};

    use super::*;
    use crate::SqliteStore;

    /// A file as the first version of the schema made it, with a thread of one record.
    fn first_version(path: &Path) {
        let text = r#"{"v":1,"time":"2026-01-02T03:04:05.678Z","type":"user_message","body":{"parts":[{"text":"a"}]}}"#;
        let connection = Connection::open(path).unwrap();
        connection.execute_batch(MIGRATIONS[0]).unwrap();
        let check = crate::rows::check(&crate::rows::ROOT, 0, text.as_bytes());
        connection.execute("INSERT INTO segments (start) VALUES (0)", []).unwrap();
        connection.execute("INSERT INTO records VALUES (1, 0, ?1, ?2)", rusqlite::params![check, text]).unwrap();
        let thread = "INSERT INTO threads VALUES ('s', 'main', 1, 1, ?1, NULL, NULL, 7, 7, NULL, NULL, NULL, NULL, 1)";
        connection.execute(thread, [check]).unwrap();
        let version = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1");
        connection.execute_batch(&version).unwrap();
    }

    // A file of an earlier version is brought up to date where it lies, by however many processes open it at once.
    #[tokio::test]
    async fn an_earlier_file_is_migrated() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("threads.db");
        first_version(&path);
        let opening: Vec<_> = (0..4)
            .map(|_| {
                let path = path.clone();
                std::thread::spawn(move || SqliteStore::open(path).unwrap())
            })
            .collect();
        let stores: Vec<SqliteStore> = opening.into_iter().map(|one| one.join().unwrap()).collect();
        let key = ThreadKey::new("s", "main");
        let reading = stores[0].read(&key, 0).await.unwrap();
        assert_eq!((reading.records.len(), reading.damage), (1, None));
        let hash = ContentHash::of(b"x");
        stores[1].derived_put(&key, hash, Arc::from(*b"y")).await.unwrap();
        assert_eq!(stores[2].derived_get(&key, hash).await.unwrap().as_deref(), Some(&b"y"[..]));
        let version: i64 =
            Connection::open(&path).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        assert_eq!(version, VERSION);
    }
}

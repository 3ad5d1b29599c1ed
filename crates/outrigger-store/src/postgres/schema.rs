//! The schema's tables, grown by numbered migrations.

use deadpool_postgres::Transaction;
use outrigger_core::session::StoreError;

use super::connect::failed;
use super::lease::lock_number;
use super::read::column;

/// Each brings the schema from the version of its index to the next. Names sort by bytes, as elsewhere.
const MIGRATIONS: &[&str] = &["CREATE TABLE segments (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        parent BIGINT,
        start BIGINT NOT NULL
    );
    CREATE INDEX segments_by_parent ON segments (parent) WHERE parent IS NOT NULL;
    CREATE TABLE records (
        segment BIGINT NOT NULL,
        number BIGINT NOT NULL,
        digest BYTEA NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (segment, number)
    );
    CREATE TABLE threads (
        session TEXT COLLATE \"C\" NOT NULL,
        thread TEXT COLLATE \"C\" NOT NULL,
        segment BIGINT NOT NULL,
        length BIGINT NOT NULL,
        digest BYTEA NOT NULL,
        turn TEXT,
        step BIGINT,
        created BIGINT NOT NULL,
        changed BIGINT NOT NULL,
        parent_session TEXT COLLATE \"C\",
        parent_thread TEXT COLLATE \"C\",
        parent_at BIGINT,
        metadata TEXT,
        family BIGINT NOT NULL,
        PRIMARY KEY (session, thread)
    );
    CREATE INDEX threads_by_parent ON threads (parent_session, parent_thread) WHERE parent_session IS NOT NULL;
    CREATE INDEX threads_by_segment ON threads (segment);
    CREATE INDEX threads_by_family ON threads (family);
    CREATE TABLE asides (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        session TEXT COLLATE \"C\" NOT NULL,
        thread TEXT COLLATE \"C\" NOT NULL,
        segment BIGINT NOT NULL,
        start BIGINT NOT NULL,
        reason TEXT NOT NULL
    );
    CREATE INDEX asides_by_thread ON asides (session, thread);
    CREATE INDEX asides_by_segment ON asides (segment);
    CREATE TABLE derived (
        family BIGINT NOT NULL,
        hash BYTEA NOT NULL,
        digest BYTEA NOT NULL,
        value BYTEA NOT NULL,
        PRIMARY KEY (family, hash)
    );"];

/// The newest version of the schema this program knows.
const VERSION: i64 = MIGRATIONS.len() as i64;

/// A schema's name stands in SQL as it is, so that it may be nothing but a plain name.
pub(super) fn check_name(schema: &str) -> Result<(), StoreError> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !schema.is_empty()
        && schema.len() <= 63
        && schema.chars().all(plain)
        && !schema.starts_with(|c: char| c.is_ascii_digit())
    {
        return Ok(());
    }
    let problem = "is no schema's name: 1 to 63 of a-z, 0-9 and _, the first no digit".into();
    Err(StoreError::NotAStore { place: format!("schema {schema:?}").into(), problem })
}

/// Makes the schema where there is none, and brings it up to date.
pub(super) async fn migrate(transaction: &Transaction<'_>, schema: &str) -> Result<(), StoreError> {
    let failed = |error| failed(&error);
    // Other processes may be at it as well.
    let lock = lock_number(&["migrate", schema]);
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&lock]).await.map_err(failed)?;
    let there =
        "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1), to_regclass($1 || '.version') IS NOT NULL";
    let row = transaction.query_one(there, &[&schema]).await.map_err(failed)?;
    if !column::<bool>(&row, 0)? {
        transaction.batch_execute(&format!("CREATE SCHEMA {schema}")).await.map_err(failed)?;
    }
    if !column::<bool>(&row, 1)? {
        let sql = "CREATE TABLE version (version BIGINT NOT NULL); INSERT INTO version VALUES (0)";
        transaction.batch_execute(sql).await.map_err(failed)?;
    }
    let row = transaction.query_one("SELECT max(version) FROM version", &[]).await.map_err(failed)?;
    let version: i64 = column(&row, 0)?;
    if version > VERSION {
        let place = format!("schema {schema}").into();
        return Err(StoreError::Newer { place, found: version.unsigned_abs(), known: VERSION.unsigned_abs() });
    }
    for migration in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        transaction.batch_execute(migration).await.map_err(failed)?;
    }
    transaction.execute("UPDATE version SET version = $1", &[&VERSION]).await.map(drop).map_err(failed)
}

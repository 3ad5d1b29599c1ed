//! Threads in a Postgres database.

mod connect;
mod lease;
mod read;
mod schema;
mod write;

use std::sync::Arc;

use deadpool_postgres::Pool;
use futures_util::future::BoxFuture;
use outrigger_core::session::{
    ContentHash, Damage, Fork, Lease, Lines, MAX_DERIVED, Page, Reading, Restore, SessionInfo, SetAside, Store,
    StoreError, ThreadInfo, ThreadKey, ThreadQuery, within,
};
use outrigger_core::transcript::{Envelope, SessionId};
use serde_json::Value;
use tokio_postgres::IsolationLevel;

use crate::record::{Batch, metadata_text, no_thread};
use crate::rows::{Kept, lines, reading};
use connect::failed;
use lease::Leases;
use read::{Db, Lock};

/// Keeps threads in a schema of a Postgres database that any number of processes may share.
///
/// It needs the server itself or a pooler that keeps sessions: leases belong to connections. Calls need a tokio runtime
/// with I/O and time.
pub struct PostgresStore {
    schema: String,
    pool: Pool,
    leases: Leases,
}

/// How a database is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostgresOptions {
    /// The schema that has the tables; it is made where there is none. Default `outrigger`.
    pub schema: String,
    /// The most connections that are kept, besides one for leases. Default 16.
    pub connections: usize,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self { schema: "outrigger".to_owned(), connections: 16 }
    }
}

impl PostgresStore {
    /// Connects to the database of this URL, such as `postgres://user:password@host/database?sslmode=require`, and makes
    /// or updates its tables.
    ///
    /// Where the server offers encryption it is used, and its certificate must be one the system trusts; for a server
    /// with a certificate of its own making on a network you trust, say `sslmode=disable`.
    ///
    /// # Errors
    /// When the URL is wrong, the server cannot be reached, or its tables are of a newer program.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        Self::connect_with(url, PostgresOptions::default()).await
    }

    /// Connects to the database of this URL, used so.
    ///
    /// # Errors
    /// When the URL or the schema's name is wrong, the server cannot be reached, or its tables are of a newer program.
    pub async fn connect_with(url: &str, options: PostgresOptions) -> Result<Self, StoreError> {
        let PostgresOptions { schema, connections } = options;
        schema::check_name(&schema)?;
        let (config, tls) = (connect::config(url, &schema)?, connect::tls()?);
        let pool = connect::pool(&config, &tls, connections)?;
        let mut client = pool.get().await.map_err(StoreError::failed)?;
        let transaction = client.transaction().await.map_err(|error| failed(&error))?;
        schema::migrate(&transaction, &schema).await?;
        transaction.commit().await.map_err(|error| failed(&error))?;
        drop(client);
        Ok(Self { leases: Leases::start(config, tls, schema.clone()), schema, pool })
    }

    /// Reads within one view of the database, so that what others append meanwhile is not half seen.
    async fn read_with<T>(&self, work: impl AsyncFnOnce(&Db<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut client = self.pool.get().await.map_err(StoreError::failed)?;
        let snapshot = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true);
        let transaction = snapshot.start().await.map_err(|error| failed(&error))?;
        let db = Db { transaction, schema: &self.schema };
        let result = work(&db).await?;
        // Nothing was written: there is nothing to lose by not hearing of the end.
        drop(db.transaction.commit().await);
        Ok(result)
    }

    /// Writes all or nothing. If this future is dropped before the end is on its way, nothing is written.
    async fn write_with<T>(&self, work: impl AsyncFnOnce(&Db<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut client = self.pool.get().await.map_err(StoreError::failed)?;
        let transaction = client.transaction().await.map_err(|error| failed(&error))?;
        let db = Db { transaction, schema: &self.schema };
        let result = work(&db).await?;
        db.transaction.commit().await.map_err(|error| failed(&error))?;
        Ok(result)
    }
}

impl std::fmt::Debug for PostgresStore {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("PostgresStore").field("schema", &self.schema).finish()
    }
}

impl Store for PostgresStore {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        expected: u64,
        records: Arc<[Envelope]>,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(async move {
            key.check()?;
            let batch = Batch::new(&records)?;
            self.write_with(async |db| db.append(key, expected, &batch).await).await
        })
    }

    fn read<'a>(&'a self, key: &'a ThreadKey, from: u64) -> BoxFuture<'a, Result<Reading, StoreError>> {
        Box::pin(async move {
            let walked = self.read_with(async |db| db.walk(key, from, Kept::Records(Vec::new())).await);
            walked.await.map(reading)
        })
    }

    fn lease<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(self.leases.take(key))
    }

    fn set_aside<'a>(
        &'a self,
        key: &'a ThreadKey,
        damage: &'a Damage,
        fact: Envelope,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(async move {
            let fact = Batch::new(&[fact])?;
            self.write_with(async |db| db.set_aside(key, damage, &fact).await).await
        })
    }

    fn aside<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Vec<SetAside>, StoreError>> {
        Box::pin(async move { self.read_with(async |db| db.asides(key).await).await })
    }

    fn sessions(&self, page: Page<SessionId>) -> BoxFuture<'_, Result<Vec<SessionInfo>, StoreError>> {
        Box::pin(async move { self.read_with(async |db| db.sessions(&page).await).await })
    }

    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Vec<ThreadInfo>, StoreError>> {
        Box::pin(async move { self.read_with(async |db| db.threads(&query).await).await })
    }

    fn info<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadInfo>, StoreError>> {
        Box::pin(async move { self.read_with(async |db| db.info(key).await).await })
    }

    fn set_metadata<'a>(&'a self, key: &'a ThreadKey, metadata: Value) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let metadata = metadata_text(&metadata)?;
            self.write_with(async |db| db.set_metadata(key, metadata.as_deref()).await).await
        })
    }

    fn fork(&self, fork: Fork) -> BoxFuture<'_, Result<ThreadInfo, StoreError>> {
        Box::pin(async move {
            fork.target.check()?;
            self.write_with(async |db| db.fork(&fork).await).await
        })
    }

    fn delete<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move { self.write_with(async |db| db.delete(key).await).await })
    }

    fn derived_get<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
    ) -> BoxFuture<'a, Result<Option<Arc<[u8]>>, StoreError>> {
        Box::pin(async move { self.read_with(async |db| db.derived(key, &hash).await).await })
    }

    fn derived_put<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
        value: Arc<[u8]>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            within("a derived value", value.len(), MAX_DERIVED)?;
            self.write_with(async |db| db.put_derived(key, &hash, &value).await).await
        })
    }

    fn lines<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lines, StoreError>> {
        Box::pin(async move {
            let walked = self.read_with(async |db| {
                db.thread(key, Lock::No).await?.ok_or_else(|| no_thread(key))?;
                db.walk(key, 0, Kept::Lines(Vec::new())).await
            });
            walked.await.map(lines)
        })
    }

    fn restore(&self, restore: Restore) -> BoxFuture<'_, Result<ThreadInfo, StoreError>> {
        Box::pin(async move {
            restore.key.check()?;
            let (batch, metadata) = (Batch::of_lines(&restore.lines)?, metadata_text(&restore.metadata)?);
            self.write_with(async |db| db.restore(&restore, &batch, metadata.as_deref()).await).await
        })
    }
}

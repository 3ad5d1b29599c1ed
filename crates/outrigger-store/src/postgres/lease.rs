//! Who drives a thread, among all processes of a database: advisory locks, which the server gives back when the
//! connection is gone, however its process went.
//!
//! All of a store's leases are held by one connection of their own, so that any number of threads can be driven. If that
//! connection breaks, others may drive; then the first append of theirs makes ours stale, and since an intent is
//! appended before each effect, a driver that lost its lease can begin no more of them.

use std::time::Duration;

use outrigger_core::session::{ContentHash, Lease, LocalLease, LocalLeases, StoreError, ThreadKey};
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::connect::{PATIENCE, failed};
use super::read::column;

pub(super) struct Leases {
    schema: String,
    asks: mpsc::UnboundedSender<Ask>,
    local: LocalLeases,
}

enum Ask {
    Take { lock: i64, tell: oneshot::Sender<Result<bool, StoreError>> },
    Give { lock: i64 },
}

/// A lock that is held; dropping it gives it back before this process's next driver asks.
struct Held {
    lock: i64,
    asks: mpsc::UnboundedSender<Ask>,
    _local: LocalLease,
}

impl Drop for Held {
    fn drop(&mut self) {
        // Without the store nobody holds the connection either.
        drop(self.asks.send(Ask::Give { lock: self.lock }));
    }
}

impl Leases {
    pub(super) fn start(config: Config, tls: MakeRustlsConnect, schema: String) -> Self {
        let (asks, asked) = mpsc::unbounded_channel();
        tokio::spawn(serve(config, tls, asked));
        Self { schema, asks, local: LocalLeases::default() }
    }

    pub(super) async fn take(&self, key: &ThreadKey) -> Result<Lease, StoreError> {
        let local = self.local.wait(key).await;
        let lock = lock_number(&["lease", &self.schema, key.session.as_str(), key.thread.as_str()]);
        let mut wait = Duration::from_millis(5);
        loop {
            let (tell, told) = oneshot::channel();
            let gone = || StoreError::failed("the connection for leases is gone");
            self.asks.send(Ask::Take { lock, tell }).map_err(|_| gone())?;
            if told.await.map_err(|_| gone())?? {
                return Ok(Lease::new(Held { lock, asks: self.asks.clone(), _local: local }));
            }
            tokio::time::sleep(wait).await;
            wait = wait.saturating_mul(2).min(Duration::from_millis(250));
        }
    }
}

/// A lock's number: advisory locks have no names.
pub(super) fn lock_number(parts: &[&str]) -> i64 {
    let hash = ContentHash::of(parts.join("\0").as_bytes());
    let mut number = [0; 8];
    number.iter_mut().zip(hash.bytes()).for_each(|(to, from)| *to = *from);
    i64::from_be_bytes(number)
}

async fn serve(config: Config, tls: MakeRustlsConnect, mut asked: mpsc::UnboundedReceiver<Ask>) {
    let mut connection = LockConnection { config, tls, client: None };
    while let Some(ask) = asked.recv().await {
        match ask {
            Ask::Take { lock, tell } => {
                let taken = connection.call("SELECT pg_try_advisory_lock($1)", lock).await;
                let have = matches!(taken, Ok(true));
                // Whoever asked may have stopped waiting.
                if tell.send(taken).is_err() && have {
                    connection.give(lock).await;
                }
            }
            Ask::Give { lock } => connection.give(lock).await,
        }
    }
}

struct LockConnection {
    config: Config,
    tls: MakeRustlsConnect,
    client: Option<Client>,
}

impl LockConnection {
    async fn give(&mut self, lock: i64) {
        // What a broken connection held is free already.
        if self.client.as_ref().is_some_and(|client| !client.is_closed()) {
            drop(self.call("SELECT pg_advisory_unlock($1)", lock).await);
        }
    }

    async fn call(&mut self, sql: &str, lock: i64) -> Result<bool, StoreError> {
        let client = match self.client.take().filter(|client| !client.is_closed()) {
            Some(client) => client,
            None => self.connect().await?,
        };
        let answer = tokio::time::timeout(PATIENCE, client.query_one(sql, &[&lock])).await;
        // A server that does not answer has the connection closed, and with it all that it holds.
        let row = answer.map_err(StoreError::failed)?.map_err(|error| failed(&error))?;
        self.client = Some(client);
        column(&row, 0)
    }

    async fn connect(&self) -> Result<Client, StoreError> {
        let connected = tokio::time::timeout(PATIENCE, self.config.connect(self.tls.clone())).await;
        let (client, connection) = connected.map_err(StoreError::failed)?.map_err(|error| failed(&error))?;
        // It ends when the client is dropped, or with an error that the next call meets.
        tokio::spawn(connection);
        Ok(client)
    }
}

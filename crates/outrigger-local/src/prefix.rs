//! Saved key-value caches of fixed prompt prefixes: the instructions and tools of a menu are computed once a machine.
//!
//! A file is an optimisation and nothing else. What cannot be read, or does not carry the right key and checksum, is
//! ignored; what cannot be written is not missed.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::cache::KvCache;

const MAGIC: &[u8; 8] = b"OUTRKV01";

/// Shorter prefixes are computed faster than they are read.
pub(crate) const SHORTEST: usize = 64;

pub(crate) struct PrefixStore {
    directory: PathBuf,
    /// Identifies the model and everything that changes what it computes.
    model: String,
    /// Bytes that all files of the directory may take.
    limit: u64,
}

impl PrefixStore {
    pub(crate) fn new(directory: PathBuf, model: String, limit: u64) -> Self {
        Self { directory, model, limit }
    }

    fn path(&self, tokens: &[u32]) -> PathBuf {
        let mut hash = Sha256::new();
        hash.update(MAGIC);
        hash.update(self.model.as_bytes());
        tokens.iter().for_each(|token| hash.update(token.to_le_bytes()));
        self.directory.join(format!("{}.kv", hex(&hash.finalize())))
    }

    /// The runs of a saved cache.
    pub(crate) fn load(&self, tokens: &[u32]) -> Option<Vec<Vec<f32>>> {
        let path = self.path(tokens);
        let runs = read(&path, self.limit);
        if runs.is_none() {
            // Missing, or of no use: a corrupt file would be in the way for ever.
            let _ = fs::remove_file(&path);
        } else if let Ok(file) = fs::File::options().append(true).open(&path) {
            // The time of the last use decides which file goes first.
            let _ = file.set_modified(SystemTime::now());
        }
        runs
    }

    /// Saves a cache that holds exactly `tokens`.
    pub(crate) fn save(&self, tokens: &[u32], cache: &KvCache) {
        if cache.len() == tokens.len() && self.write(&self.path(tokens), cache).is_ok() {
            let _ = self.prune();
        }
    }

    fn write(&self, path: &Path, cache: &KvCache) -> io::Result<()> {
        let length = cache.run_length(cache.len());
        let runs: Vec<&Vec<f32>> = cache.runs().collect();
        let size = (runs.len() as u64).saturating_mul(length as u64).saturating_mul(4);
        if size > self.limit / 2 {
            return Ok(());
        }
        fs::create_dir_all(&self.directory)?;
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 64);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&(runs.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&(length as u64).to_le_bytes());
        runs.iter().flat_map(|run| run.iter()).for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()));
        let checksum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&checksum);
        // Written aside and renamed: a reader sees a whole file or none. The name is this process's own.
        let aside = path.with_extension(format!("{}.tmp", std::process::id()));
        let written = fs::File::create(&aside).and_then(|mut file| file.write_all(&bytes));
        let renamed = written.and_then(|()| fs::rename(&aside, path));
        if renamed.is_err() {
            let _ = fs::remove_file(&aside);
        }
        renamed
    }

    /// Deletes the files used longest ago until the rest fits.
    fn prune(&self) -> io::Result<()> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = fs::read_dir(&self.directory)?
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let ours = entry.path().extension().is_some_and(|e| e == "kv" || e == "tmp");
                let data = entry.metadata().ok().filter(|d| ours && d.is_file())?;
                Some((data.modified().ok()?, data.len(), entry.path()))
            })
            .collect();
        files.sort();
        let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in files {
            if total <= self.limit {
                break;
            }
            fs::remove_file(path)?;
            total = total.saturating_sub(size);
        }
        Ok(())
    }
}

fn read(path: &Path, limit: u64) -> Option<Vec<Vec<f32>>> {
    let file = fs::File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(limit)).ok()?);
    file.take(limit).read_to_end(&mut bytes).ok()?;
    let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
    if Sha256::digest(content).as_slice() != checksum {
        return None;
    }
    let (magic, content) = content.split_at_checked(MAGIC.len())?;
    let (runs, content) = content.split_first_chunk::<8>()?;
    let (length, content) = content.split_first_chunk::<8>()?;
    let (runs, length) = (u64::from_le_bytes(*runs), u64::from_le_bytes(*length));
    if magic != MAGIC || runs.checked_mul(length)?.checked_mul(4)? != content.len() as u64 || length == 0 {
        return None;
    }
    let run = usize::try_from(length.checked_mul(4)?).ok()?;
    let floats = |run: &[u8]| run.as_chunks::<4>().0.iter().map(|v| f32::from_le_bytes(*v)).collect();
    Some(content.chunks_exact(run).map(floats).collect())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(value: f32) -> KvCache {
        let mut cache = KvCache::new(2, 1, 4);
        cache.runs_mut().for_each(|run| run.extend([value; 8]));
        cache.advance(2);
        cache
    }

    fn store(name: &str, limit: u64) -> PrefixStore {
        let directory = std::env::temp_dir().join(format!("outrigger-prefix-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        PrefixStore::new(directory, "model".to_owned(), limit)
    }

    #[test]
    fn what_was_saved_is_loaded_under_the_same_key_only() {
        let store = store("key", 1 << 20);
        store.save(&[1, 2], &cache(0.5));
        assert_eq!(store.load(&[1, 2]), Some(vec![vec![0.5; 8]; 4]));
        assert_eq!(store.load(&[1, 3]), None);
        let other = PrefixStore { model: "other".to_owned(), directory: store.directory.clone(), limit: store.limit };
        assert_eq!(other.load(&[1, 2]), None);
        fs::remove_dir_all(&store.directory).unwrap();
    }

    #[test]
    fn a_corrupt_file_is_ignored_and_removed() {
        let store = store("corrupt", 1 << 20);
        store.save(&[1, 2], &cache(0.5));
        let path = store.path(&[1, 2]);
        let mut bytes = fs::read(&path).unwrap();
        bytes[40] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert_eq!(store.load(&[1, 2]), None);
        assert!(!path.exists());
        fs::remove_dir_all(&store.directory).unwrap();
    }

    #[test]
    fn the_directory_stays_within_its_limit() {
        let store = store("limit", 400);
        for token in 0..8 {
            store.save(&[token, 9], &cache(1.0));
        }
        let total: u64 = fs::read_dir(&store.directory).unwrap().map(|e| e.unwrap().metadata().unwrap().len()).sum();
        assert!(total <= 400 && total > 0, "{total}");
        fs::remove_dir_all(&store.directory).unwrap();
    }
}

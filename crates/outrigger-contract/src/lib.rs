//! Compiled contracts: shapes, closed schemas, projections and strict binding.

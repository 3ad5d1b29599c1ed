//! Language models: one module a provider.

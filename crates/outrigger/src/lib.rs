//! A harness for LLM agents.

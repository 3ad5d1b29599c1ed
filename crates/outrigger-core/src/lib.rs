//! The harness itself: transcript, catalog, context, turn, runtime, sessions, agent.

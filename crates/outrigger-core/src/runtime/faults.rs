//! Errors as faults: what of them outlives the process.

use std::error::Error;

use crate::model::ModelError;
use crate::session::StoreError;
use crate::transcript::Text;
use crate::turn::Fault;

pub(crate) fn model_fault(error: &ModelError) -> Fault {
    Fault {
        kind: format!("model.{}", error.kind().as_str()).into(),
        message: error.to_string().into(),
        detail: causes(error),
    }
}

pub(crate) fn store_fault(error: &StoreError) -> Fault {
    Fault { kind: error.kind().into(), message: error.to_string().into(), detail: causes(error) }
}

/// The chain of sources, where it says more than the error.
pub(crate) fn causes(error: &dyn Error) -> Option<Text> {
    let mut chain = String::new();
    let mut next = error.source();
    while let Some(error) = next {
        let colon = if chain.is_empty() { "" } else { ": " };
        chain.push_str(colon);
        chain.push_str(&error.to_string());
        next = error.source();
    }
    (!chain.is_empty() && chain != error.to_string()).then(|| chain.into())
}

//! Binding the arguments of a tool that has a schema and no type.

use serde_json::Value;

use super::ForeignSchema;
use super::issues;
use crate::bind::or_empty_object;
use crate::diagnose;
use crate::issue::{BindError, Limits};
use crate::plan::WirePlan;
use crate::prompts;
use crate::rewrite::Canonical;

impl ForeignSchema {
    /// Binds what a model sent: reads it under the plan of the schema that the model was shown, and holds it against
    /// the original. Empty text and a bare `null` stand for `{}`.
    ///
    /// # Errors
    ///
    /// With every problem of the text, in the same form as for a native tool.
    pub fn bind(&self, raw: &str, plan: &WirePlan, limits: &Limits) -> Result<Canonical, BindError> {
        let canonical = plan.decode(&self.shape, raw, limits)?;
        let text = or_empty_object(raw);
        // The text has been read once, so that only its depth can stand in the way of a second reader.
        let Ok(document) = serde_json::from_str::<Value>(&canonical.json) else {
            return Err(BindError::single(prompts::too_deep(text, 0, SERDE_DEPTH)));
        };
        if self.work().is_too_much(&document) {
            return Err(BindError::single(prompts::too_entangled(text)));
        }
        let valid = self.judge().is_valid(&document);
        match valid {
            Some(true) => Ok(canonical),
            None => diagnose::check(&self.shape, text, plan, limits).map(|()| canonical),
            Some(false) => Err(issues::collect(self, &document, text, plan, limits)),
        }
    }

    /// Whether a value is valid, such as a result. Nothing stands for anything else here.
    #[must_use]
    pub fn accepts_value(&self, json: &str) -> bool {
        let Ok(value) = serde_json::from_str::<Value>(json) else {
            return false;
        };
        if self.work().is_too_much(&value) {
            return false;
        }
        let shape_takes = || diagnose::check(&self.shape, json, &WirePlan::default(), &Limits::default()).is_ok();
        self.judge().is_valid(&value).unwrap_or_else(shape_takes)
    }
}

/// Levels that `serde_json` reads.
const SERDE_DEPTH: u32 = 127;

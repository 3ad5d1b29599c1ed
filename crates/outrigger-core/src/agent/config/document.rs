//! A parsed file: values, and where they stand.

use outrigger_contract::{Contract, Limits, WirePlan};

use super::error::{ConfigError, ConfigErrors};
use super::places::{Place, Places};
use super::toml;

/// The most bytes of a file.
const MAX_BYTES: usize = 1 << 20;

/// The most levels of a file's tables and arrays.
pub(super) const MAX_DEPTH: u32 = 64;

/// A parsed file of any format: its values as JSON text, and where they stand. Any type with a contract binds to it.
#[derive(Clone, Debug)]
pub struct Document {
    json: String,
    places: Places,
}

impl Document {
    /// Parses TOML. At most 1 MiB, at most 64 levels.
    ///
    /// # Errors
    /// Everything that is not TOML.
    pub fn from_toml(text: &str) -> Result<Self, ConfigErrors> {
        if text.len() > MAX_BYTES {
            let message = format!("the file has {} bytes; at most {MAX_BYTES} are read", text.len());
            return Err(ConfigErrors { errors: vec![ConfigError::new(Place::START, "", message, None)] });
        }
        let (json, places) = toml::read(text)?;
        Ok(Self { json, places })
    }

    /// The values as a type.
    ///
    /// # Errors
    /// Everything that does not fit the type.
    pub fn bind<T: Contract>(&self) -> Result<T, ConfigErrors> {
        match outrigger_contract::bind::<T>(&self.json, &WirePlan::default(), &LIMITS) {
            Ok(bound) => Ok(bound.value),
            Err(error) => Err(ConfigErrors::sorted(ConfigError::of_binding(&error, "", &self.places))),
        }
    }

    /// The values as JSON text.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Where they stand.
    #[must_use]
    pub fn places(&self) -> &Places {
        &self.places
    }
}

/// The text was bounded when it was parsed.
pub(super) const LIMITS: Limits = Limits { depth: MAX_DEPTH, text: usize::MAX };

//! The schema dialect a script is written in.

use outrigger_contract::{SchemaProfile, nearest_names};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::profiles::PROFILES;

/// One of the schema dialects of this build, by the name in [`PROFILES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptProfile(&'static str);

impl ScriptProfile {
    /// The dialect of this name; `None`: there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        PROFILES.iter().find(|(known, _)| *known == name).map(|(known, _)| Self(known))
    }

    /// What this dialect is called; `None`: it is none that a name chooses.
    #[must_use]
    pub fn of(schemas: &SchemaProfile) -> Option<Self> {
        PROFILES.iter().find(|(_, make)| make() == *schemas).map(|(known, _)| Self(known))
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0
    }

    /// The dialect.
    #[must_use]
    pub fn schemas(self) -> SchemaProfile {
        let known = PROFILES.iter().find(|(known, _)| *known == self.0);
        // It was made from one that is there.
        known.map_or_else(SchemaProfile::canonical, |(_, make)| make())
    }
}

impl Serialize for ScriptProfile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for ScriptProfile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| {
            let known = || PROFILES.iter().map(|(known, _)| *known);
            let near = nearest_names(&name, known(), 1);
            let mean = near.first().map(|near| format!(" (did you mean {near:?}?)")).unwrap_or_default();
            let known = known().collect::<Vec<_>>().join(", ");
            D::Error::custom(format!("there is no profile {name:?}{mean}; there are: {known}"))
        })
    }
}

//! Kind and id of a record.

use std::fmt;
use std::str::FromStr;

use crate::domain::page::LONGEST_NAME;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    HeroComponent,
    B2bBookADemo,
    ScrollThrough,
    MeditationSamples,
}

/// Which record; `HeroComponent/home` in writing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordKey {
    pub kind: RecordKind,
    pub id: RecordId,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a kind of record; the known ones are {known}", known = RecordKind::ALL.map(RecordKind::name).join(", "))]
pub struct UnknownKind(pub String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be letters, digits, - and _")]
pub struct NotAnId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a kind of record and an id, as HeroComponent/home")]
pub struct NotAKey;

impl RecordKind {
    pub const ALL: [Self; 4] = [
        Self::HeroComponent,
        Self::B2bBookADemo,
        Self::ScrollThrough,
        Self::MeditationSamples,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::HeroComponent => "HeroComponent",
            Self::B2bBookADemo => "B2bBookADemo",
            Self::ScrollThrough => "ScrollThrough",
            Self::MeditationSamples => "MeditationSamples",
        }
    }
}

impl FromStr for RecordKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| UnknownKind(text.to_owned()))
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl RecordId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RecordId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let fits = !text.is_empty() && text.len() <= LONGEST_NAME && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned())).ok_or(NotAnId)
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for RecordKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, id) = text.split_once('/').ok_or(NotAKey)?;
        Ok(Self {
            kind: kind.parse().map_err(|_| NotAKey)?,
            id: id.parse().map_err(|_| NotAKey)?,
        })
    }
}

impl fmt::Display for RecordKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back() {
        for text in ["HeroComponent/home", "MeditationSamples/love-101"] {
            assert_eq!(text.parse::<RecordKey>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "home",
            "Hero/home",
            "HeroComponent/",
            "HeroComponent/a/b",
            "HeroComponent/ş",
        ] {
            assert_eq!(text.parse::<RecordKey>(), Err(NotAKey), "{text}");
        }
    }

    #[test]
    fn an_unknown_kind_names_the_known_ones() {
        let error = "Poster".parse::<RecordKind>().unwrap_err();
        assert!(error.to_string().contains("ScrollThrough"), "{error}");
    }
}

//! The languages of the site.

use std::fmt;
use std::str::FromStr;

/// One of the site's locales.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Locale {
    /// The fallback for pages without a translation.
    #[default]
    En,
    Es,
    Fr,
    Ja,
    Ko,
    Pt,
    Ru,
    Tr,
    It,
    De,
    Ar,
    Pl,
    Az,
    Da,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a locale of this site")]
pub struct UnknownLocale(pub String);

impl Locale {
    pub const ALL: [Self; 14] = [
        Self::En,
        Self::Es,
        Self::Fr,
        Self::Ja,
        Self::Ko,
        Self::Pt,
        Self::Ru,
        Self::Tr,
        Self::It,
        Self::De,
        Self::Ar,
        Self::Pl,
        Self::Az,
        Self::Da,
    ];

    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Es => "es",
            Self::Fr => "fr",
            Self::Ja => "ja",
            Self::Ko => "ko",
            Self::Pt => "pt",
            Self::Ru => "ru",
            Self::Tr => "tr",
            Self::It => "it",
            Self::De => "de",
            Self::Ar => "ar",
            Self::Pl => "pl",
            Self::Az => "az",
            Self::Da => "da",
        }
    }

    pub fn is_right_to_left(self) -> bool {
        self == Self::Ar
    }
}

impl FromStr for Locale {
    type Err = UnknownLocale;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|locale| locale.code() == code)
            .ok_or_else(|| UnknownLocale(code.to_owned()))
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_reads_back_as_its_locale() {
        for locale in Locale::ALL {
            assert_eq!(locale.code().parse(), Ok(locale));
        }
    }

    #[test]
    fn other_codes_are_refused() {
        for code in ["", "EN", "en-GB", "xx"] {
            assert_eq!(code.parse::<Locale>(), Err(UnknownLocale(code.to_owned())));
        }
    }
}

//! The words of each language that make a promise: data, a file each.

mod ar;
mod de;
mod en;
mod es;
mod fr;
mod it;
mod ja;
mod ko;
mod pt;
mod ru;
mod tr;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::lexicon::{Language, Lexicon};
use crate::domain::Locale;

static LEXICONS: LazyLock<BTreeMap<Locale, Lexicon>> = LazyLock::new(|| {
    let languages: [(Locale, &Language); 11] = [
        (Locale::Ar, &ar::LANGUAGE),
        (Locale::De, &de::LANGUAGE),
        (Locale::En, &en::LANGUAGE),
        (Locale::Es, &es::LANGUAGE),
        (Locale::Fr, &fr::LANGUAGE),
        (Locale::It, &it::LANGUAGE),
        (Locale::Ja, &ja::LANGUAGE),
        (Locale::Ko, &ko::LANGUAGE),
        (Locale::Pt, &pt::LANGUAGE),
        (Locale::Ru, &ru::LANGUAGE),
        (Locale::Tr, &tr::LANGUAGE),
    ];
    let made = languages.into_iter();
    made.map(|(locale, language)| (locale, Lexicon::of(language)))
        .collect()
});

/// `None` for the locales in which pages are not written.
pub fn lexicon(locale: Locale) -> Option<&'static Lexicon> {
    LEXICONS.get(&locale)
}

#[cfg(test)]
mod tests;

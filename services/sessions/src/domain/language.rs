//! The languages of the site.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    pub code: &'static str,
    /// The English name, for the prompt.
    pub name: &'static str,
}

const fn language(code: &'static str, name: &'static str) -> Language {
    Language { code, name }
}

const ENGLISH: Language = language("en", "English");

pub const ALL: [Language; 14] = [
    ENGLISH,
    language("es", "Spanish"),
    language("fr", "French"),
    language("ja", "Japanese"),
    language("ko", "Korean"),
    language("pt", "Portuguese"),
    language("ru", "Russian"),
    language("tr", "Turkish"),
    language("it", "Italian"),
    language("de", "German"),
    language("ar", "Arabic"),
    language("pl", "Polish"),
    language("az", "Azerbaijani"),
    language("da", "Danish"),
];

impl Language {
    /// By the primary subtag (`pt-BR` is `pt`); unsupported languages become English.
    pub fn from_tag(tag: &str) -> Self {
        let code = tag
            .trim()
            .split(['-', '_'])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        ALL.into_iter()
            .find(|language| language.code == code)
            .unwrap_or(ENGLISH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_map_by_primary_subtag_and_default_to_english() {
        for (tag, code) in [
            ("tr", "tr"),
            ("pt-BR", "pt"),
            ("AR", "ar"),
            ("", "en"),
            ("zh", "en"),
            ("../x", "en"),
        ] {
            assert_eq!(Language::from_tag(tag).code, code, "{tag}");
        }
    }
}

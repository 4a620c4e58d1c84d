//! The languages the site speaks.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    pub code: &'static str,
    /// As the model knows it.
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
    /// `pt-BR` is our `pt`; what we do not speak is English.
    pub fn of(tag: &str) -> Self {
        let code = tag
            .trim()
            .split(['-', '_'])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        ALL.into_iter()
            .find(|known| known.code == code)
            .unwrap_or(ENGLISH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_read_by_its_language_and_the_rest_is_english() {
        for (tag, code) in [
            ("tr", "tr"),
            ("pt-BR", "pt"),
            ("AR", "ar"),
            ("", "en"),
            ("zh", "en"),
            ("../x", "en"),
        ] {
            assert_eq!(Language::of(tag).code, code, "{tag}");
        }
    }
}

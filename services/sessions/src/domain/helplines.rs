//! Crisis helplines by country. Free of charge and open day and night where the country has such a line.
use super::language::Language;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Helpline {
    pub name: &'static str,
    /// As dialled within the country; empty if there is only a URL.
    pub phone: &'static str,
    /// Empty if there is only a phone number.
    pub url: &'static str,
}

const fn line(name: &'static str, phone: &'static str, url: &'static str) -> Helpline {
    Helpline { name, phone, url }
}

/// A directory for nearly all countries. It is always listed last.
const DIRECTORY: Helpline = line("Find A Helpline", "", "https://findahelpline.com");

const US: Helpline = line("988 Suicide & Crisis Lifeline", "988", "https://988lifeline.org");
const CA: Helpline = line("9-8-8 Suicide Crisis Helpline", "988", "https://988.ca");
const GB: Helpline = line("Samaritans", "116 123", "https://www.samaritans.org");
const EMERGENCY: Helpline = line("112", "112", "");

/// One line per country; the emergency number where no national line answers day and night.
const BY_COUNTRY: &[(&str, Helpline)] = &[
    ("US", US),
    ("CA", CA),
    ("GB", GB),
    ("IE", GB),
    ("AU", line("Lifeline", "13 11 14", "https://www.lifeline.org.au")),
    ("NZ", line("1737", "1737", "https://1737.org.nz")),
    (
        "IN",
        line("Tele-MANAS", "14416", "https://telemanas.mohfw.gov.in"),
    ),
    (
        "ES",
        line("Línea 024", "024", "https://www.sanidad.gob.es/linea024"),
    ),
    (
        "MX",
        line(
            "Línea de la Vida",
            "800 911 2000",
            "https://www.gob.mx/lineadelavida",
        ),
    ),
    ("CO", line("Línea 106", "106", "")),
    ("CL", line("Línea *4141", "*4141", "")),
    (
        "AR",
        line(
            "Centro de Asistencia al Suicida",
            "135",
            "https://www.asistenciaalsuicida.org.ar",
        ),
    ),
    ("FR", line("3114", "3114", "https://3114.fr")),
    ("BE", line("Télé-Accueil", "107", "https://www.tele-accueil.be")),
    (
        "CH",
        line(
            "Die Dargebotene Hand · La Main Tendue",
            "143",
            "https://www.143.ch",
        ),
    ),
    (
        "DE",
        line(
            "TelefonSeelsorge",
            "0800 111 0 111",
            "https://www.telefonseelsorge.de",
        ),
    ),
    (
        "AT",
        line("TelefonSeelsorge", "142", "https://www.telefonseelsorge.at"),
    ),
    ("NL", line("113 Zelfmoordpreventie", "113", "https://www.113.nl")),
    (
        "IT",
        line(
            "Telefono Amico Italia",
            "02 2327 2327",
            "https://www.telefonoamico.it",
        ),
    ),
    (
        "PT",
        line("SOS Voz Amiga", "213 544 545", "https://www.sosvozamiga.org"),
    ),
    ("BR", line("CVV", "188", "https://cvv.org.br")),
    (
        "PL",
        line("Centrum Wsparcia", "800 70 2222", "https://centrumwsparcia.pl"),
    ),
    (
        "DK",
        line("Livslinien", "70 201 201", "https://www.livslinien.dk"),
    ),
    ("NO", line("Mental Helse", "116 123", "https://mentalhelse.no")),
    ("SE", line("Mind Självmordslinjen", "90101", "https://mind.se")),
    (
        "JP",
        line(
            "よりそいホットライン",
            "0120-279-338",
            "https://www.since2011.net/yorisoi",
        ),
    ),
    ("KR", line("자살예방 상담전화", "109", "")),
    ("RU", EMERGENCY),
    ("TR", EMERGENCY),
    ("AZ", EMERGENCY),
    ("SA", line("937", "937", "")),
    ("AE", line("999", "999", "")),
    ("EG", line("16328", "16328", "")),
];

/// The country to assume for a language when the visitor's country is unknown.
const COUNTRY_BY_LANGUAGE: &[(&str, &str)] = &[
    ("es", "ES"),
    ("fr", "FR"),
    ("ja", "JP"),
    ("ko", "KR"),
    ("pt", "BR"),
    ("ru", "RU"),
    ("tr", "TR"),
    ("it", "IT"),
    ("de", "DE"),
    ("pl", "PL"),
    ("az", "AZ"),
    ("da", "DK"),
];

/// The country's line, then the directory. An unknown country is assumed by language; English and Arabic have no single one.
pub fn helplines_for(country: &str, language: Language) -> Vec<Helpline> {
    let line_of = |country: &str| {
        let found = BY_COUNTRY.iter().find(|(code, _)| *code == country);
        found.map(|(_, line)| *line)
    };
    let by_language = || {
        let (_, country) = COUNTRY_BY_LANGUAGE
            .iter()
            .find(|(code, _)| *code == language.code)?;
        line_of(country)
    };
    let own = line_of(country).or_else(|| country.is_empty().then(by_language).flatten());
    own.into_iter().chain([DIRECTORY]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phones(country: &str, lang: &str) -> Vec<&'static str> {
        helplines_for(country, Language::from_tag(lang))
            .into_iter()
            .map(|line| line.phone)
            .collect()
    }

    #[test]
    fn the_country_counts_more_than_the_language() {
        assert_eq!(phones("US", "es"), ["988", ""]);
        assert_eq!(phones("DE", "tr"), ["0800 111 0 111", ""]);
    }

    #[test]
    fn without_a_country_the_language_decides() {
        assert_eq!(phones("", "fr"), ["3114", ""]);
        assert_eq!(phones("", "en"), [""]);
    }

    #[test]
    fn a_number_of_another_country_is_never_shown() {
        assert_eq!(phones("ZW", "fr"), [""]);
    }

    #[test]
    fn every_country_is_listed_once_and_reachable() {
        for (index, (code, line)) in BY_COUNTRY.iter().enumerate() {
            assert!(!line.phone.is_empty(), "{code}");
            assert!(
                BY_COUNTRY[index + 1..].iter().all(|(other, _)| other != code),
                "{code}"
            );
        }
    }
}

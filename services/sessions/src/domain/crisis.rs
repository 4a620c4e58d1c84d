//! Detects mentions of self-harm by words in all languages of the site, whatever the page's language is: people write in
//! their own. It prefers false positives, because a needless list of helplines does no harm.
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Whole words; `*` after the last word matches any ending.
const PHRASES: &[&str] = &[
    // English
    "suicid*",
    "kill myself",
    "killing myself",
    "end my life",
    "ending my life",
    "end it all",
    "take my own life",
    "taking my own life",
    "want to die",
    "wanna die",
    "wish i was dead",
    "wish i were dead",
    "better off dead",
    "don't want to live",
    "dont want to live",
    "do not want to live",
    "don't want to be alive",
    "no reason to live",
    "self harm*",
    "selfharm*",
    "hurt myself",
    "hurting myself",
    "harm myself",
    "harming myself",
    "cut myself",
    "cutting myself",
    "overdos*",
    // Spanish
    "matarme",
    "me quiero matar",
    "quitarme la vida",
    "quiero morir*",
    "quisiera morir*",
    "me quiero morir",
    "ganas de morir*",
    "no quiero vivir",
    "no quiero seguir viviendo",
    "acabar con mi vida",
    "terminar con mi vida",
    "hacerme daño",
    "autolesi*",
    "cortarme",
    // French
    "me tuer",
    "mettre fin à mes jours",
    "en finir avec la vie",
    "en finir avec ma vie",
    "veux en finir",
    "envie de mourir",
    "veux mourir",
    "voudrais mourir",
    "plus envie de vivre",
    "ne veux plus vivre",
    "me faire du mal",
    "automutil*",
    "me mutiler",
    "me scarifi*",
    // Portuguese
    "me matar",
    "quero morrer",
    "queria morrer",
    "vontade de morrer",
    "tirar minha vida",
    "tirar a minha vida",
    "acabar com a minha vida",
    "acabar com minha vida",
    "não quero viver",
    "não quero mais viver",
    "me machucar",
    "magoar-me",
    "me cortar",
    "automutil*",
    // German
    "suizid*",
    "selbstmord*",
    "mich umbringen",
    "bring mich um",
    "bringe mich um",
    "mir das leben nehmen",
    "nehme mir das leben",
    "will sterben",
    "möchte sterben",
    "nicht mehr leben",
    "nicht mehr weiterleben",
    "mir etwas antun",
    "mir was antun",
    "selbstverletz*",
    "mich selbst verletz*",
    "mich ritzen",
    "ritze mich",
    // Italian
    "uccidermi",
    "ammazzarmi",
    "togliermi la vita",
    "voglio morire",
    "vorrei morire",
    "farla finita",
    "non voglio più vivere",
    "farmi del male",
    "autolesion*",
    "tagliarmi",
    // Russian
    "суицид*",
    "самоубий*",
    "покончить с собой",
    "покончить с жизнью",
    "убить себя",
    "убью себя",
    "хочу умереть",
    "хочется умереть",
    "не хочу жить",
    "не хочется жить",
    "не хочу больше жить",
    "причинить себе вред",
    "навредить себе",
    "режу себя",
    "резать себя",
    "самоповрежд*",
    // Turkish
    "intihar*",
    "kendimi öldür*",
    "canıma kıy*",
    "ölmek istiyorum",
    "yaşamak istemiyorum",
    "hayatıma son*",
    "kendime zarar*",
    "kendimi kes*",
    // Polish
    "samobój*",
    "zabić się",
    "się zabić",
    "zabiję się",
    "chcę umrzeć",
    "nie chcę żyć",
    "nie chcę już żyć",
    "nie chce mi się żyć",
    "odebrać sobie życie",
    "skończyć ze sobą",
    "zrobić sobie krzywdę",
    "okalecz*",
    "samookalecz*",
    "tnę się",
    // Azerbaijani
    "özümü öldür*",
    "ölmək istəyirəm",
    "yaşamaq istəmirəm",
    "həyatıma son*",
    "özümə qəsd*",
    "canıma qəsd*",
    "özümə zərər*",
    // Danish
    "selvmord*",
    "slå mig selv ihjel",
    "tage mit eget liv",
    "tage livet af mig*",
    "vil dø",
    "vil gerne dø",
    "ønsker at dø",
    "vil ikke leve",
    "ikke leve mere",
    "skade mig selv",
    "selvskad*",
    "skærer i mig selv",
    "skære i mig selv",
];

/// For languages without spaces between words, or with articles and prepositions attached in front.
const FRAGMENTS: &[&str] = &[
    // Arabic
    "انتحار",
    "أنتحر",
    "قتل نفسي",
    "أريد أن أموت",
    "أريد الموت",
    "أتمنى الموت",
    "لا أريد أن أعيش",
    "لا أريد العيش",
    "إنهاء حياتي",
    "أنهي حياتي",
    "إيذاء نفسي",
    "أؤذي نفسي",
    "أجرح نفسي",
    // Japanese
    "死にたい",
    "自殺",
    "自傷",
    "消えてしまいたい",
    "消えたい",
    "リストカット",
    "命を絶",
    "生きていたくない",
    "生きたくない",
    "自分を傷つけ",
    // Korean
    "죽고 싶",
    "죽고싶",
    "자살하",
    "자살을",
    "자살생각",
    "자살 생각",
    "자살충동",
    "자살 충동",
    "자살시도",
    "자살 시도",
    "자해하",
    "자해를",
    "살기 싫",
    "살고 싶지 않",
    "목숨을 끊",
    "극단적 선택",
    "극단적인 선택",
];

static FOLDED: LazyLock<Folded> = LazyLock::new(|| Folded {
    phrases: PHRASES
        .iter()
        .map(|phrase| match phrase.strip_suffix('*') {
            Some(stem) => fold(stem).trim_end().to_owned(),
            None => fold(phrase),
        })
        .collect(),
    fragments: FRAGMENTS
        .iter()
        .map(|fragment| fold(fragment).trim().to_owned())
        .collect(),
});

struct Folded {
    phrases: Vec<String>,
    fragments: Vec<String>,
}

pub fn mentions_self_harm(text: &str) -> bool {
    let text = fold(text);
    let holds = |pattern: &String| text.contains(pattern.as_str());
    FOLDED.phrases.iter().any(holds) || FOLDED.fragments.iter().any(holds)
}

/// Lower case, without accents or punctuation, each word between blanks, so that hasty spelling matches.
fn fold(text: &str) -> String {
    let plain: String = text
        .to_lowercase()
        .nfd()
        .filter(|letter| !is_accent(*letter))
        .map(base_letter)
        .nfc()
        .collect();
    let words: Vec<&str> = plain
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    format!(" {} ", words.join(" "))
}

/// Kana marks make distinct letters, so they stay.
fn is_accent(letter: char) -> bool {
    is_combining_mark(letter) && !matches!(letter, '\u{3099}' | '\u{309a}')
}

/// Letters that Unicode does not decompose into letter and accent.
fn base_letter(letter: char) -> char {
    match letter {
        'ı' => 'i',
        'ł' => 'l',
        'ø' => 'o',
        'ə' => 'e',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn self_harm_is_detected_in_every_language() {
        for text in [
            "Some days I just want to die.",
            "I'M SUICIDAL",
            "i don’t want to live anymore",
            "A veces pienso en quitarme la vida",
            "J'ai envie de mourir",
            "Não quero mais viver",
            "Ich möchte mir das Leben nehmen",
            "ich will nicht mehr leben",
            "Vorrei farla finita",
            "Я больше не хочу жить... хочу умереть",
            "İNTİHAR etmeyi düşünüyorum",
            "kendime zarar veriyorum",
            "Chce umrzec",
            "Mysle o samobojstwie",
            "Ölmək istəyirəm",
            "Jeg vil dø",
            "أفكر في الانتحار",
            "اريد ان اموت",
            "もう死にたいです",
            "요즘 죽고 싶어요",
            "자살 생각이 들어요",
        ] {
            assert!(mentions_self_harm(text), "{text}");
        }
    }

    #[test]
    fn ordinary_questions_do_not_match() {
        for text in [
            "What made me feel close was the walk home with my sister.",
            "My skills at work are growing and I am dying to tell her.",
            "Me gusta vivir cerca del mar",
            "Det vil dog blive en god dag, og de vil døbe barnet",
            "혼자 해도 좋아요. 혼자살아요.",
            "Kendimi iyi hissediyorum",
            "今日は散歩をしました",
            "Я хочу жить у моря",
            "",
        ] {
            assert!(!mentions_self_harm(text), "{text}");
        }
    }
}

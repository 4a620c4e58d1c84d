//! Amounts of money in running text.

use std::fmt;

/// In hundredths of the currency's major unit, also where the currency has no smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(i64);

/// An amount in copy with its possible currencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub amount: Amount,
    pub currencies: &'static [&'static str],
    /// As written in the text.
    pub text: String,
}

/// Signs stand before or after the number. Longer ones first: `R$` is no `$`.
const SIGNS: [(&str, &[&str]); 17] = [
    ("MX$", &["MXN"]),
    ("US$", &["USD"]),
    ("R$", &["BRL"]),
    ("ر.س", &["SAR"]),
    ("$", &["USD", "MXN"]),
    ("€", &["EUR"]),
    ("£", &["GBP"]),
    ("₺", &["TRY"]),
    ("₽", &["RUB"]),
    ("¥", &["JPY"]),
    ("￥", &["JPY"]),
    ("₩", &["KRW"]),
    ("￦", &["KRW"]),
    ("円", &["JPY"]),
    ("원", &["KRW"]),
    ("zł", &["PLN"]),
    ("﷼", &["SAR"]),
];

const CODES: [&[&str]; 11] = [
    &["USD"],
    &["EUR"],
    &["GBP"],
    &["TRY"],
    &["RUB"],
    &["JPY"],
    &["KRW"],
    &["MXN"],
    &["BRL"],
    &["SAR"],
    &["PLN"],
];

/// Words stand after the number; the beginnings of words, for the sake of their endings.
const WORDS: [(&str, &[&str]); 19] = [
    ("euro", &["EUR"]),
    ("евро", &["EUR"]),
    ("يورو", &["EUR"]),
    ("ユーロ", &["EUR"]),
    ("유로", &["EUR"]),
    ("dollar", &["USD"]),
    ("dólar", &["USD"]),
    ("доллар", &["USD"]),
    ("دولار", &["USD"]),
    ("ドル", &["USD"]),
    ("달러", &["USD"]),
    ("tl", &["TRY"]),
    ("lira", &["TRY"]),
    ("руб", &["RUB"]),
    ("ريال", &["SAR"]),
    ("reais", &["BRL"]),
    ("pesos", &["MXN"]),
    ("yen", &["JPY"]),
    ("zloty", &["PLN"]),
];

impl Amount {
    pub const ZERO: Self = Self(0);

    /// `69.99`, `1.099,00`, `1 099`, `٦٩٫٩٩`.
    pub fn parse(text: &str) -> Option<Self> {
        let text: String = text.chars().map(plain).collect();
        let decimals = text
            .rfind(['.', ','])
            .filter(|mark| (1..=2).contains(&(text.len() - mark - 1)));
        let (whole, fraction) = match decimals {
            Some(mark) => (&text[..mark], &text[mark + 1..]),
            None => (text.as_str(), ""),
        };
        let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
        let hundredths: i64 = format!("{fraction:0<2}").parse().ok()?;
        let major: i64 = digits.parse().ok()?;
        major.checked_mul(100)?.checked_add(hundredths).map(Self)
    }

    /// The parts of equal size people write, rounded either way; in whole units where the currency has no smaller ones.
    pub fn parts(self, count: i64, currency: &str) -> [Self; 2] {
        let unit = if has_no_decimals(currency) { 100 } else { 1 };
        let down = self.0 / count / unit * unit;
        let is_whole = down * count == self.0;
        [Self(down), Self(if is_whole { down } else { down + unit })]
    }

    pub fn less(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    /// What is left after so many percent are taken off, rounded either way.
    pub fn after(self, percent_off: u32, currency: &str) -> [Self; 2] {
        Self(self.0 * (100 - i64::from(percent_off.min(100)))).parts(100, currency)
    }

    /// How many percent lower than `list` this is, rounded either way.
    pub fn percent_below(self, list: Self) -> [u32; 2] {
        let down = (list.0 - self.0) * 100 / list.0.max(1);
        let down = u32::try_from(down).unwrap_or(0);
        [down, down + 1]
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 100 {
            0 => write!(f, "{}", self.0 / 100),
            hundredths => write!(f, "{}.{hundredths:02}", self.0 / 100),
        }
    }
}

fn has_no_decimals(currency: &str) -> bool {
    matches!(currency, "JPY" | "KRW")
}

/// Every number of a text that has a currency beside it.
pub fn written(text: &str) -> Vec<Written> {
    let mut found = Vec::new();
    let mut end = 0;
    while let Some((from, to)) = next_number(text, end) {
        end = to;
        let (before, after) = (&text[..from], &text[to..]);
        let currencies = before_number(before).or_else(|| after_number(after));
        if let (Some(currencies), Some(amount)) = (currencies, Amount::parse(&text[from..to])) {
            found.push(Written {
                amount,
                currencies,
                text: text[from..to].to_owned(),
            });
        }
    }
    found
}

/// Where the next number stands, its marks and the spaces between its thousands included.
fn next_number(text: &str, from: usize) -> Option<(usize, usize)> {
    let start = from + text[from..].find(|c: char| plain(c).is_ascii_digit())?;
    let mut end = start;
    for (at, letter) in text[start..].char_indices() {
        let digits_follow = || {
            let next = text[start + at + letter.len_utf8()..].chars().map(plain);
            next.take_while(char::is_ascii_digit).count()
        };
        let belongs = match plain(letter) {
            '0'..='9' => true,
            '.' | ',' => digits_follow() > 0,
            ' ' | '\'' => digits_follow() == 3,
            _ => false,
        };
        if !belongs {
            break;
        }
        end = start + at + letter.len_utf8();
    }
    Some((start, end))
}

fn before_number(before: &str) -> Option<&'static [&'static str]> {
    let before = before.trim_end();
    // What is a letter as well ends a word here: 회원 5명.
    let sign = SIGNS
        .iter()
        .find(|(sign, _)| !sign.ends_with(char::is_alphabetic) && before.ends_with(sign));
    let code = || {
        let is_code = |code: &str| {
            let rest = before.strip_suffix(code);
            rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
        };
        CODES.iter().find(|code| is_code(code[0])).copied()
    };
    sign.map(|(_, currencies)| *currencies).or_else(code)
}

fn after_number(after: &str) -> Option<&'static [&'static str]> {
    let after = after.trim_start();
    let sign = SIGNS.iter().find(|(sign, _)| after.starts_with(sign));
    let code = || {
        let is_code = |code: &str| {
            let rest = after.strip_prefix(code);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        CODES.iter().find(|code| is_code(code[0])).copied()
    };
    let word = || {
        let after: String = after.chars().take(12).collect::<String>().to_lowercase();
        let word = WORDS.iter().find(|(word, _)| begins_with(&after, word));
        word.map(|(_, currencies)| *currencies)
    };
    sign.map(|(_, currencies)| *currencies)
        .or_else(code)
        .or_else(word)
}

/// Two letters are an abbreviation and end there; longer words may have endings.
fn begins_with(text: &str, word: &str) -> bool {
    let rest = text.strip_prefix(word);
    rest.is_some_and(|rest| word.len() > 2 || !rest.starts_with(char::is_alphanumeric))
}

/// Digits and marks of other scripts as ours.
pub fn plain(letter: char) -> char {
    match letter {
        '\u{660}'..='\u{669}' => shifted(letter, '\u{660}'),
        '\u{6f0}'..='\u{6f9}' => shifted(letter, '\u{6f0}'),
        '\u{ff10}'..='\u{ff19}' => shifted(letter, '\u{ff10}'),
        '٫' => '.',
        '٬' | '，' => ',',
        '’' => '\'',
        '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
        other => other,
    }
}

fn shifted(digit: char, zero: char) -> char {
    let value = u32::from(digit) - u32::from(zero);
    char::from_digit(value, 10).unwrap_or(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(String, &'static str)> {
        let found = written(text).into_iter();
        found
            .map(|written| (written.amount.to_string(), written.currencies[0]))
            .collect()
    }

    #[test]
    fn amounts_are_read_as_they_are_written_in_all_languages() {
        for (text, amount, currency) in [
            ("only $69.99 a year", "69.99", "USD"),
            ("69,99 € im Jahr", "69.99", "EUR"),
            ("69,99\u{202f}€ par an", "69.99", "EUR"),
            ("yılda 999,99 TL", "999.99", "TRY"),
            ("₺999,99", "999.99", "TRY"),
            ("1.099,00 MXN", "1099", "MXN"),
            ("MX$1,099.00", "1099", "MXN"),
            ("R$ 199,90 por ano", "199.90", "BRL"),
            ("2 490 ₽ в год", "2490", "RUB"),
            ("2490 рублей", "2490", "RUB"),
            ("年額7,800円", "7800", "JPY"),
            ("연 79,000원", "79000", "KRW"),
            ("٢٣٩٫٩٩ ريالًا", "239.99", "SAR"),
            ("239.99 ر.س", "239.99", "SAR"),
            ("EUR 69", "69", "EUR"),
            ("69 euro all'anno", "69", "EUR"),
        ] {
            assert_eq!(all(text), [(amount.to_owned(), currency)], "{text}");
        }
    }

    #[test]
    fn numbers_without_a_currency_are_no_amounts() {
        for text in [
            "Try 7 days",
            "20 % off",
            "7 tlf",
            "from 3 to 30 minutes",
            "version 2.0",
            "회원 5명",
        ] {
            assert_eq!(all(text), [], "{text}");
        }
    }

    #[test]
    fn parts_are_rounded_either_way() {
        let year = Amount::parse("69.99").unwrap();
        assert_eq!(
            year.parts(12, "EUR").map(|part| part.to_string()),
            ["5.83", "5.84"]
        );
        let year = Amount::parse("7800").unwrap();
        assert_eq!(year.parts(12, "JPY").map(|part| part.to_string()), ["650", "650"]);
        assert_eq!(year.after(20, "JPY")[0].to_string(), "6240");
    }

    #[test]
    fn a_discount_is_known_in_whole_percent() {
        let (now, list) = (Amount::parse("69.99").unwrap(), Amount::parse("155.88").unwrap());
        assert_eq!(now.percent_below(list), [55, 56]);
    }
}

//! Formats an amount for each language with its currency code, because signs such as `$` are ambiguous.
use kit::money::Money;

/// Keeps the code and the digits on one line.
const NO_BREAK: char = '\u{a0}';

struct Style {
    decimal: char,
    group: char,
    is_code_first: bool,
}

fn style(lang: &str) -> Style {
    let (decimal, group, is_code_first) = match lang {
        "pt" => (',', '.', true),
        "de" | "es" | "it" | "da" | "tr" | "az" => (',', '.', false),
        "fr" => (',', '\u{202f}', false),
        "ru" | "pl" => (',', NO_BREAK, false),
        _ => ('.', ',', true),
    };
    Style {
        decimal,
        group,
        is_code_first,
    }
}

pub fn written(amount: Money, lang: &str) -> String {
    let style = style(lang);
    let major = amount.major();
    let (whole, decimals) = major.split_once('.').unwrap_or((&major, ""));
    let mut number = grouped(whole, style.group);
    if !decimals.is_empty() {
        number.push(style.decimal);
        number.push_str(decimals);
    }
    let code = amount.currency.code();
    if style.is_code_first {
        format!("{code}{NO_BREAK}{number}")
    } else {
        format!("{number}{NO_BREAK}{code}")
    }
}

fn grouped(whole: &str, separator: char) -> String {
    let mut grouped = String::with_capacity(whole.len() * 2);
    for (at, digit) in whole.char_indices() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use kit::money::Currency;

    use super::*;

    fn check(minor: i64, currency: &str, lang: &str, expected: &str) {
        let amount = Money::new(minor, Currency::parse(currency).unwrap());
        assert_eq!(written(amount, lang), expected, "{lang}");
    }

    #[test]
    fn each_language_writes_it_its_own_way() {
        check(123_456_789, "TRY", "en", "TRY\u{a0}1,234,567.89");
        check(123_456_789, "TRY", "tr", "1.234.567,89\u{a0}TRY");
        check(123_456_789, "EUR", "fr", "1\u{202f}234\u{202f}567,89\u{a0}EUR");
        check(123_456_789, "PLN", "pl", "1\u{a0}234\u{a0}567,89\u{a0}PLN");
        check(599, "BRL", "pt", "BRL\u{a0}5,99");
        check(100, "USD", "ar", "USD\u{a0}1.00");
    }

    #[test]
    fn decimals_are_the_currencys() {
        check(1_200_000, "JPY", "ja", "JPY\u{a0}1,200,000");
        check(9900, "KRW", "ko", "KRW\u{a0}9,900");
        check(5, "USD", "de", "0,05\u{a0}USD");
    }
}

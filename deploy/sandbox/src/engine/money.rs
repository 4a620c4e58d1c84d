//! Amounts as providers write them: major units with a dot.

use kit::money::{Currency, Money};

/// `None` for what is no amount: a sign, an exponent, too many decimals.
pub fn parse(text: &str, currency: Currency) -> Option<Money> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let places = currency.exponent() as usize;
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(decimals) || decimals.len() > places {
        return None;
    }
    format!("{whole}{decimals:0<places$}")
        .parse()
        .ok()
        .map(|minor| Money::new(minor, currency))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_with_the_decimals_of_their_currency() {
        let read = |text, code| parse(text, Currency::parse(code).unwrap()).map(|money| money.minor);
        assert_eq!(read("12.5", "USD"), Some(1250));
        assert_eq!(read("12", "USD"), Some(1200));
        assert_eq!(read("1200", "JPY"), Some(1200));
        for (text, code) in [
            ("12.005", "USD"),
            ("1.0", "JPY"),
            ("-1", "USD"),
            ("", "USD"),
            (".5", "USD"),
            ("1e3", "USD"),
        ] {
            assert_eq!(read(text, code), None, "{text} {code}");
        }
    }
}

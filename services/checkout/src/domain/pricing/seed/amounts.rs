//! Prices as written in seed files.

use kit::money::{Currency, Money};

use crate::domain::pricing::campaign::ListedPrice;

/// Message and fix of a seed error.
pub type Problem = (String, String);

pub fn problem<T>(why: impl Into<String>, fix: impl Into<String>) -> Result<T, Problem> {
    Err((why.into(), fix.into()))
}

pub fn currency(code: &str) -> Result<Currency, Problem> {
    Currency::parse(code).or_else(|error| {
        problem(
            error.to_string(),
            "use an ISO 4217 code in capitals, such as EUR.",
        )
    })
}

pub fn listed(currency: Currency, amount: &str, list: Option<&str>) -> Result<ListedPrice, Problem> {
    let amount = parse(amount, currency)?;
    let list = match list {
        Some(text) => parse(text, currency)?,
        None => amount,
    };
    if list.minor < amount.minor {
        return problem(
            format!("list {} is below amount {}", list.major(), amount.major()),
            "write the price without a discount as list, or leave it out.",
        );
    }
    Ok(ListedPrice {
        amount,
        list,
        country: String::new(),
    })
}

/// `"12.99"` to minor units, exactly: as many decimals as the currency has, or none.
pub fn parse(text: &str, currency: Currency) -> Result<Money, Problem> {
    let exponent = usize::try_from(currency.exponent()).unwrap_or_default();
    let fix = format!("write it in quotes with {exponent} decimals or none.");
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits_only = !whole.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let whole_number = decimals.is_empty() && !text.contains('.');
    if !digits_only || !(whole_number || decimals.len() == exponent) {
        let code = currency.code();
        return problem(format!("{text:?} is not an amount in {code}"), fix);
    }
    let minor = format!("{whole}{decimals:0<exponent$}").parse::<i64>();
    match minor {
        Ok(0) => problem("an amount must be more than zero", fix),
        Ok(minor) => Ok(Money::new(minor, currency)),
        Err(_) => problem(format!("{text:?} is too large"), fix),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact_in_the_decimals_of_their_currency() {
        let minor = |text: &str, code: &str| {
            let money = parse(text, Currency::parse(code).unwrap());
            money.map(|money| money.minor).ok()
        };
        assert_eq!(minor("199.99", "TRY"), Some(19_999));
        assert_eq!(minor("199", "TRY"), Some(19_900));
        assert_eq!(minor("1500", "JPY"), Some(1500));
        for (text, code) in [
            ("15.00", "JPY"),
            ("9.9", "USD"),
            ("-1", "USD"),
            ("0.00", "USD"),
            ("1.", "USD"),
            ("", "USD"),
            ("99999999999999999999", "USD"),
        ] {
            assert_eq!(minor(text, code), None, "{text} {code}");
        }
    }
}

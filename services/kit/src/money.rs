//! Amounts in minor units with their currency. Checked, integer only; where rounding happens it is named.

use std::fmt;
use std::hash::{Hash, Hasher};

use rusty_money::iso;

/// An ISO 4217 currency.
#[derive(Clone, Copy)]
pub struct Currency(&'static iso::Currency);

impl Currency {
    /// Upper case code such as `TRY`.
    pub fn parse(code: &str) -> Result<Self, MoneyError> {
        iso::find(code)
            .map(Self)
            .ok_or_else(|| MoneyError::UnknownCurrency(code.to_owned()))
    }

    pub const fn code(self) -> &'static str {
        self.0.iso_alpha_code
    }

    /// How many decimals the currency has: 2 for USD, 0 for JPY.
    pub const fn exponent(self) -> u32 {
        self.0.exponent
    }

    fn minor_per_major(self) -> u64 {
        10_u64.pow(self.exponent())
    }
}

impl PartialEq for Currency {
    fn eq(&self, other: &Self) -> bool {
        self.code() == other.code()
    }
}

impl Eq for Currency {}

impl Hash for Currency {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.code().hash(state);
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Why an amount could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    #[error("`{0}` is not an ISO 4217 currency")]
    UnknownCurrency(String),
    #[error("{0} and {1} cannot be added")]
    CurrencyMismatch(Currency, Currency),
    #[error("the amount is too large")]
    Overflow,
    #[error("{0} is not a percentage from 0 to 100")]
    NotAPercentage(u8),
    #[error("an amount cannot be divided by nothing")]
    DivisionByZero,
}

/// An amount of money: 59.99 TRY is `minor: 5999`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money {
    pub minor: i64,
    pub currency: Currency,
}

impl Money {
    pub const fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    pub const fn zero(currency: Currency) -> Self {
        Self::new(0, currency)
    }

    pub fn checked_add(self, other: Self) -> Result<Self, MoneyError> {
        self.same_currency(other)?;
        let minor = self.minor.checked_add(other.minor).ok_or(MoneyError::Overflow)?;
        Ok(Self::new(minor, self.currency))
    }

    pub fn checked_sub(self, other: Self) -> Result<Self, MoneyError> {
        self.same_currency(other)?;
        let minor = self.minor.checked_sub(other.minor).ok_or(MoneyError::Overflow)?;
        Ok(Self::new(minor, self.currency))
    }

    /// The price that is left when `percent` of this one is taken off, rounded half up to the minor unit.
    pub fn percent_off(self, percent: u8) -> Result<Self, MoneyError> {
        if percent > 100 {
            return Err(MoneyError::NotAPercentage(percent));
        }
        let left = i128::from(self.minor) * i128::from(100 - percent);
        self.with_minor(round_half_up(left, 100))
    }

    /// An equal share of this amount, rounded half up to the minor unit. Shares need not add up to the whole.
    pub fn divide(self, parts: u32) -> Result<Self, MoneyError> {
        if parts == 0 {
            return Err(MoneyError::DivisionByZero);
        }
        self.with_minor(round_half_up(i128::from(self.minor), i128::from(parts)))
    }

    /// In major units with the currency's decimals, a dot before them and no grouping: `59.99`, `1200`.
    pub fn major(self) -> String {
        let sign = if self.minor < 0 { "-" } else { "" };
        let per_major = self.currency.minor_per_major();
        let (whole, rest) = (
            self.minor.unsigned_abs() / per_major,
            self.minor.unsigned_abs() % per_major,
        );
        match self.currency.exponent() as usize {
            0 => format!("{sign}{whole}"),
            decimals => format!("{sign}{whole}.{rest:0decimals$}"),
        }
    }

    /// [`Money::major`] as a JSON number, for the endpoints that are specified to show one.
    ///
    /// # Panics
    /// Never: a sign, digits and at most one dot are always a JSON number.
    #[expect(clippy::expect_used, reason = "see Panics")]
    pub fn major_number(self) -> serde_json::Number {
        self.major().parse().expect("decimal digits")
    }

    fn same_currency(self, other: Self) -> Result<(), MoneyError> {
        if self.currency == other.currency {
            Ok(())
        } else {
            Err(MoneyError::CurrencyMismatch(self.currency, other.currency))
        }
    }

    fn with_minor(self, minor: i128) -> Result<Self, MoneyError> {
        let minor = i64::try_from(minor).map_err(|_| MoneyError::Overflow)?;
        Ok(Self::new(minor, self.currency))
    }
}

/// Half up is towards plus infinity: 0.5 becomes 1 and -0.5 becomes 0.
fn round_half_up(dividend: i128, divisor: i128) -> i128 {
    (dividend * 2 + divisor).div_euclid(divisor * 2)
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.major(), self.currency)
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Money> for proto::common::v1::Money {
    fn from(money: Money) -> Self {
        Self {
            amount_minor: money.minor,
            currency: money.currency.code().to_owned(),
        }
    }
}

impl TryFrom<proto::common::v1::Money> for Money {
    type Error = MoneyError;

    fn try_from(message: proto::common::v1::Money) -> Result<Self, MoneyError> {
        Ok(Self::new(
            message.amount_minor,
            Currency::parse(&message.currency)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn money(minor: i64, code: &str) -> Money {
        Money::new(minor, Currency::parse(code).unwrap())
    }

    #[test]
    fn decimals_come_from_the_currency() {
        for (code, exponent) in [
            ("USD", 2),
            ("EUR", 2),
            ("TRY", 2),
            ("SAR", 2),
            ("BRL", 2),
            ("RUB", 2),
            ("PLN", 2),
            ("DKK", 2),
            ("GBP", 2),
            ("MXN", 2),
            ("AZN", 2),
            ("JPY", 0),
            ("KRW", 0),
            ("CLP", 0),
            ("KWD", 3),
            ("BHD", 3),
        ] {
            assert_eq!(Currency::parse(code).unwrap().exponent(), exponent, "{code}");
        }
        assert_eq!(money(5999, "TRY").major(), "59.99");
        assert_eq!(money(1200, "JPY").major(), "1200");
        assert_eq!(money(-5, "USD").major(), "-0.05");
        assert_eq!(money(1005, "KWD").to_string(), "1.005 KWD");
    }

    #[test]
    fn an_unknown_or_lower_case_code_is_refused() {
        for code in ["", "usd", "XXL", "US"] {
            assert_eq!(
                Currency::parse(code),
                Err(MoneyError::UnknownCurrency(code.to_owned()))
            );
        }
    }

    #[test]
    fn a_discount_rounds_half_up() {
        assert_eq!(money(5999, "TRY").percent_off(20), Ok(money(4799, "TRY")));
        assert_eq!(money(5, "USD").percent_off(50), Ok(money(3, "USD")));
        assert_eq!(money(999, "JPY").percent_off(0), Ok(money(999, "JPY")));
        assert_eq!(money(999, "JPY").percent_off(100), Ok(money(0, "JPY")));
        assert_eq!(
            money(999, "JPY").percent_off(101),
            Err(MoneyError::NotAPercentage(101))
        );
    }

    #[test]
    fn a_share_rounds_half_up() {
        assert_eq!(money(5999, "USD").divide(12), Ok(money(500, "USD")));
        assert_eq!(money(5, "USD").divide(2), Ok(money(3, "USD")));
        assert_eq!(money(-5, "USD").divide(2), Ok(money(-2, "USD")));
        assert_eq!(money(5, "USD").divide(0), Err(MoneyError::DivisionByZero));
    }

    #[test]
    fn two_currencies_do_not_mix() {
        let (lira, dollar) = (money(1, "TRY"), money(1, "USD"));
        assert_eq!(
            lira.checked_add(dollar),
            Err(MoneyError::CurrencyMismatch(lira.currency, dollar.currency))
        );
        assert!(lira.checked_sub(dollar).is_err());
    }

    #[test]
    fn overflow_is_an_error() {
        let most = money(i64::MAX, "USD");
        assert_eq!(most.checked_add(money(1, "USD")), Err(MoneyError::Overflow));
        assert_eq!(
            money(i64::MIN, "USD").checked_sub(money(1, "USD")),
            Err(MoneyError::Overflow)
        );
        assert_eq!(most.percent_off(0), Ok(most));
        assert_eq!(money(i64::MIN, "USD").major(), "-92233720368547758.08");
    }

    #[test]
    fn a_json_number_shows_the_same_digits() {
        let shown = serde_json::json!([
            money(5999, "TRY").major_number(),
            money(1200, "JPY").major_number()
        ]);
        assert_eq!(shown.to_string(), "[59.99,1200]");
    }

    fn currencies() -> impl Strategy<Value = Currency> {
        prop::sample::select(vec!["USD", "JPY", "KWD"]).prop_map(|code| Currency::parse(code).unwrap())
    }

    proptest! {
        #[test]
        fn adding_and_taking_away_again_changes_nothing(a: i64, b: i64, currency in currencies()) {
            let (a, b) = (Money::new(a, currency), Money::new(b, currency));
            if let Ok(sum) = a.checked_add(b) {
                prop_assert_eq!(sum.checked_sub(b), Ok(a));
            }
        }

        #[test]
        fn a_discount_is_never_more_than_half_a_unit_off(minor in 0_i64..i64::MAX / 200, percent in 0_u8..=100) {
            let currency = Currency::parse("USD").unwrap();
            let left = Money::new(minor, currency).percent_off(percent).unwrap();
            let exact_hundredths = minor * i64::from(100 - percent);
            prop_assert!((left.minor * 100 - exact_hundredths).abs() <= 50);
            prop_assert!((0..=minor).contains(&left.minor));
        }

        #[test]
        fn a_share_is_never_more_than_half_a_unit_off(minor in 0_i64..1_000_000_000, parts in 1_u32..10_000) {
            let share = Money::new(minor, Currency::parse("USD").unwrap()).divide(parts).unwrap();
            prop_assert!((share.minor * i64::from(parts) - minor).abs() * 2 <= i64::from(parts));
        }

        #[test]
        fn the_shown_digits_are_the_minor_units(minor: i64, currency in currencies()) {
            let digits = Money::new(minor, currency).major().replace('.', "");
            prop_assert_eq!(digits.parse::<i64>(), Ok(minor));
        }

        #[test]
        fn a_message_reads_back_as_the_same_amount(minor: i64, currency in currencies()) {
            let money = Money::new(minor, currency);
            prop_assert_eq!(Money::try_from(proto::common::v1::Money::from(money)), Ok(money));
        }
    }
}

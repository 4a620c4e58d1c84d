use proptest::prelude::*;

use super::*;
use crate::domain::fixtures::{later, noon};

const NEW: &[u8] = b"the key that signs from today on";
const OLD: &[u8] = b"the key that signed until yesterday";

fn keys(all: &[&'static [u8]]) -> QuoteKeys {
    QuoteKeys::new(all.iter().copied()).unwrap()
}

fn quotes() -> impl Strategy<Value = Quote> {
    let currency = prop::sample::select(vec!["USD", "TRY", "JPY", "SAR"]);
    let words = ("[a-z]{1,12}(-[a-z]{1,8})?", "[A-Z0-9]{0,32}", "[A-Z]{2}|");
    (words, 1..=i64::MAX, currency, 0..=365, 0_i64..4_000_000_000).prop_map(
        |((campaign, coupon_code, country), minor, currency, trial_days, seconds)| Quote {
            price_id: PriceId::new(noon()),
            campaign,
            coupon_code,
            amount: Money::new(minor, Currency::parse(currency).unwrap()),
            trial_days,
            country,
            expires_at: DateTime::from_timestamp(seconds, 0).unwrap(),
        },
    )
}

proptest! {
    #[test]
    fn what_was_signed_is_what_is_read(quote in quotes()) {
        let keys = keys(&[NEW]);
        prop_assert_eq!(keys.read(&keys.sign(&quote).unwrap()), Ok(quote));
    }

    #[test]
    fn any_changed_byte_is_refused(quote in quotes(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let keys = keys(&[NEW]);
        let mut text = keys.sign(&quote).unwrap().into_bytes();
        let at = at.index(text.len());
        prop_assume!(text[at] != byte);
        text[at] = byte;
        prop_assert_eq!(keys.read(&String::from_utf8_lossy(&text)), Err(InvalidSignature));
    }

    #[test]
    fn anything_cut_off_or_added_is_refused(quote in quotes(), cut in any::<prop::sample::Index>(), more in "[A-Za-z0-9_-]{1,9}") {
        let keys = keys(&[NEW]);
        let text = keys.sign(&quote).unwrap();
        prop_assert_eq!(keys.read(&text[..cut.index(text.len())]), Err(InvalidSignature));
        prop_assert_eq!(keys.read(&format!("{text}{more}")), Err(InvalidSignature));
    }

    #[test]
    fn whatever_a_browser_makes_up_is_refused(text in ".{0,200}") {
        prop_assert_eq!(keys(&[NEW]).read(&text), Err(InvalidSignature));
    }

    #[test]
    fn key_that_is_being_replaced_still_verifies_and_no_longer_afterwards(quote in quotes()) {
        let before = keys(&[OLD]).sign(&quote).unwrap();
        prop_assert_eq!(keys(&[NEW, OLD]).read(&before), Ok(quote.clone()));
        prop_assert_eq!(keys(&[NEW]).read(&before), Err(InvalidSignature));
        let after = keys(&[NEW, OLD]).sign(&quote).unwrap();
        prop_assert_eq!(keys(&[NEW]).read(&after), Ok(quote));
    }
}

#[test]
fn quote_is_over_at_the_second_it_names() {
    let mut quote = Quote {
        price_id: PriceId::new(noon()),
        campaign: "web-annual".into(),
        coupon_code: String::new(),
        amount: crate::domain::fixtures::price(),
        trial_days: 7,
        country: "TR".into(),
        expires_at: noon(),
    };
    assert!(quote.has_expired(noon()));
    quote.expires_at = later(1);
    assert!(!quote.has_expired(noon()));
}

#[test]
fn no_key_is_no_keys() {
    assert!(QuoteKeys::new([]).is_none());
}

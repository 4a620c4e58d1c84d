//! The first digits of a card: they say which bank gave it, and so which offers hold for it. Never kept, never logged; on the
//! stream there is a keyed hash of them.

use std::ops::RangeInclusive;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

const DIGITS_MAX: usize = 8;
/// Fewer do not say which bank it is.
const DIGITS_TO_TELL: usize = 6;

/// At most eight digits. Deliberately without `Debug` and `Display`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bin {
    /// The smallest and the largest beginning of eight digits they can belong to.
    first: u32,
    last: u32,
    length: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotABin {
    Empty,
    TooLong,
    NotDigits,
}

impl Bin {
    pub fn parse(text: &str) -> Result<Self, NotABin> {
        let digits = text.trim();
        match digits.len() {
            0 => return Err(NotABin::Empty),
            1..=DIGITS_MAX => {}
            _ => return Err(NotABin::TooLong),
        }
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NotABin::NotDigits);
        }
        let filled = |with: &str| format!("{digits}{}", with.repeat(DIGITS_MAX - digits.len())).parse();
        match (filled("0"), filled("9")) {
            (Ok(first), Ok(last)) => Ok(Self {
                first,
                last,
                length: digits.len(),
            }),
            _ => Err(NotABin::NotDigits),
        }
    }
}

/// What stands for the digits in events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinHash(pub [u8; 32]);

/// Makes [`BinHash`]es. There are few enough digits to try them all: without a key, a hash would be the digits.
pub struct BinHashes(Hmac<Sha256>);

impl BinHashes {
    /// `None` for a key that cannot be one.
    pub fn new(key: &[u8]) -> Option<Self> {
        Hmac::new_from_slice(key).ok().map(Self)
    }

    /// Other digits have another hash, and so have fewer of the same card.
    pub fn of(&self, bin: Bin) -> BinHash {
        let digits = format!("{:0width$}/{}", bin.first, bin.length, width = DIGITS_MAX);
        BinHash(self.0.clone().chain_update(digits).finalize().into_bytes().into())
    }
}

/// The cards of one bank, and the campaign that holds for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BinOffer {
    pub code: String,
    pub campaign: String,
    /// Where the bank issues these cards.
    pub countries: Vec<String>,
    pub ranges: Vec<BinRange>,
}

/// Of beginnings of eight digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BinRange(RangeInclusive<u32>);

impl BinRange {
    /// From one beginning to another, both of six to eight digits and both included.
    pub fn new(from: Bin, to: Bin) -> Option<Self> {
        let long_enough = from.length >= DIGITS_TO_TELL && to.length >= DIGITS_TO_TELL;
        (long_enough && from.first <= to.last).then_some(Self(from.first..=to.last))
    }

    /// Every card that begins with these digits is in the range.
    fn holds(&self, bin: Bin) -> bool {
        bin.length >= DIGITS_TO_TELL && self.0.contains(&bin.first) && self.0.contains(&bin.last)
    }
}

/// The provider's data about a card before it is charged.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct IssuedCard {
    /// ISO 3166 alpha-2.
    pub country: Option<String>,
    /// Providers return it to some of their customers only.
    pub bin: Option<Bin>,
}

/// Whether the campaign is meant for the cards of a bank only.
pub fn is_for_cards(offers: &[BinOffer], campaign: &str) -> bool {
    offers.iter().any(|offer| offer.campaign == campaign)
}

/// Whether the campaign is sold to this card. A visitor types the digits of any card before they pay: what is charged is checked by
/// what its provider says of it, the country of issue and, where it is known, the beginning of the number.
pub fn admits(offers: &[BinOffer], campaign: &str, card: &IssuedCard) -> bool {
    let mut of_campaign = offers
        .iter()
        .filter(|offer| offer.campaign == campaign)
        .peekable();
    of_campaign.peek().is_none()
        || of_campaign.any(|offer| {
            let is_issued_there = card
                .country
                .as_ref()
                .is_some_and(|country| offer.countries.contains(country));
            let is_of_bank = |bin| offer.ranges.iter().any(|range| range.holds(bin));
            is_issued_there && card.bin.is_none_or(is_of_bank)
        })
}

/// The first offer that holds for the card.
pub fn offer_for(offers: &[BinOffer], bin: Bin) -> Option<&BinOffer> {
    offers
        .iter()
        .find(|offer| offer.ranges.iter().any(|range| range.holds(bin)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(text: &str) -> Bin {
        Bin::parse(text).ok().unwrap()
    }

    fn offers() -> Vec<BinOffer> {
        vec![BinOffer {
            code: "bank".into(),
            campaign: "bank-card".into(),
            countries: vec!["TR".into()],
            ranges: vec![
                BinRange::new(bin("440776"), bin("440776")).unwrap(),
                BinRange::new(bin("51015200"), bin("51015249")).unwrap(),
            ],
        }]
    }

    fn check(text: &str, is_eligible: bool) {
        assert_eq!(offer_for(&offers(), bin(text)).is_some(), is_eligible, "{text}");
    }

    #[test]
    fn six_to_eight_digits_of_the_banks_cards_are_eligible() {
        for text in [
            "440776", "4407761", "44077612", " 440776 ", "51015200", "51015249",
        ] {
            check(text, true);
        }
    }

    #[test]
    fn a_card_is_admitted_by_its_country_and_by_its_number_where_that_is_known() {
        let card = |country: &str, number: &str| IssuedCard {
            country: (!country.is_empty()).then(|| country.to_owned()),
            bin: Bin::parse(number).ok(),
        };
        let is_admitted = |campaign, card| admits(&offers(), campaign, &card);
        assert!(is_admitted("bank-card", card("TR", "")));
        assert!(is_admitted("bank-card", card("TR", "440776")));
        assert!(!is_admitted("bank-card", card("TR", "424242")), "another bank");
        assert!(!is_admitted("bank-card", card("US", "")));
        assert!(!is_admitted("bank-card", card("US", "440776")));
        assert!(!is_admitted("bank-card", card("", "")), "nothing is known of it");
        assert!(is_admitted("for-all", card("US", "")));
        assert!(is_for_cards(&offers(), "bank-card") && !is_for_cards(&offers(), "for-all"));
    }

    #[test]
    fn too_few_digits_and_other_cards_are_not() {
        // 510152 may be one of theirs and may be another bank's.
        for text in ["4", "44077", "440777", "51015250", "510152", "00000000"] {
            check(text, false);
        }
    }

    #[test]
    fn nine_digits_letters_and_nothing_are_no_beginning_of_a_card() {
        assert_eq!(Bin::parse("440776123").err(), Some(NotABin::TooLong));
        assert_eq!(Bin::parse("4407 76").err(), Some(NotABin::NotDigits));
        assert_eq!(Bin::parse("-40776").err(), Some(NotABin::NotDigits));
        assert_eq!(Bin::parse("  ").err(), Some(NotABin::Empty));
    }

    #[test]
    fn equal_digits_have_one_hash_per_key() {
        let hashes = |key: &str| BinHashes::new(key.as_bytes()).unwrap();
        let one = hashes("one");
        assert_eq!(one.of(bin("440776")), one.of(bin(" 440776 ")));
        for other in ["440777", "44077", "4407760", "44077600"] {
            assert_ne!(one.of(bin("440776")), one.of(bin(other)), "{other}");
        }
        assert_ne!(one.of(bin("440776")), hashes("two").of(bin("440776")));
    }

    #[test]
    fn range_needs_six_digits_and_an_end_after_its_beginning() {
        assert!(BinRange::new(bin("44077"), bin("440776")).is_none());
        assert!(BinRange::new(bin("440777"), bin("440776")).is_none());
    }
}

//! YooKassa's test cards and what becomes of a payment with each of them.

use super::payment::Cancellation;

pub struct TestCard {
    pub number: &'static str,
    pub refusal: Option<Cancellation>,
    /// Whether the bank asks whom the card belongs to.
    pub is_secure: bool,
}

const fn good(number: &'static str, is_secure: bool) -> TestCard {
    TestCard {
        number,
        refusal: None,
        is_secure,
    }
}

const fn refused(number: &'static str, reason: &'static str) -> TestCard {
    TestCard {
        number,
        refusal: Some(Cancellation::of_network(reason)),
        is_secure: false,
    }
}

const fn stopped(number: &'static str, reason: &'static str) -> TestCard {
    TestCard {
        number,
        refusal: Some(Cancellation::of_yookassa(reason)),
        is_secure: false,
    }
}

/// The documented ones, by the network they belong to.
static CARDS: [TestCard; 28] = [
    good("5555555555554444", false),
    good("5555555555554477", true),
    good("4111111111111111", false),
    good("4793128161644804", true),
    good("2202474301322987", false),
    good("2200000000000004", true),
    refused("5555555555554592", "3d_secure_failed"),
    refused("4839665499603842", "3d_secure_failed"),
    refused("5555555555554535", "call_issuer"),
    refused("4926946416239025", "call_issuer"),
    refused("5555555555554543", "card_expired"),
    refused("4141435412630840", "card_expired"),
    refused("5555555555554568", "fraud_suspected"),
    refused("5555555555554527", "general_decline"),
    refused("4889971706588753", "general_decline"),
    refused("2202202212312379", "general_decline"),
    refused("5555555555554600", "insufficient_funds"),
    refused("4562265587712390", "insufficient_funds"),
    refused("2200000000000053", "insufficient_funds"),
    refused("5555555555554618", "invalid_card_number"),
    refused("5555555555554626", "invalid_csc"),
    refused("4194180666146368", "invalid_csc"),
    refused("5555555555554501", "issuer_unavailable"),
    refused("4654130848359150", "issuer_unavailable"),
    refused("5555555555554576", "payment_method_limit_exceeded"),
    refused("5555555555554550", "payment_method_restricted"),
    stopped("5555555555554584", "country_forbidden"),
    stopped("5555555555554634", "fraud_suspected"),
];

/// Any other number is no card.
pub fn find(number: &str) -> Option<&'static TestCard> {
    let digits: String = number
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect();
    CARDS.iter().find(|card| card.number == digits)
}

pub fn network(number: &str) -> &'static str {
    match number.as_bytes().first() {
        Some(b'4') => "Visa",
        Some(b'2') => "Mir",
        _ => "MasterCard",
    }
}

//! YooKassa's test cards, and the result of a payment with each.

use super::payment::Cancellation;

pub struct TestCard {
    pub number: &'static str,
    pub decline: Option<Cancellation>,
    pub requires_three_d_secure: bool,
}

const fn accepted(number: &'static str) -> TestCard {
    TestCard {
        number,
        decline: None,
        requires_three_d_secure: false,
    }
}

const fn accepted_with_three_d_secure(number: &'static str) -> TestCard {
    TestCard {
        number,
        decline: None,
        requires_three_d_secure: true,
    }
}

const fn declined(number: &'static str, reason: &'static str) -> TestCard {
    TestCard {
        number,
        decline: Some(Cancellation::by_network(reason)),
        requires_three_d_secure: false,
    }
}

const fn blocked(number: &'static str, reason: &'static str) -> TestCard {
    TestCard {
        number,
        decline: Some(Cancellation::by_yookassa(reason)),
        requires_three_d_secure: false,
    }
}

/// The documented numbers, by result and network.
static CARDS: [TestCard; 28] = [
    accepted("5555555555554444"),
    accepted_with_three_d_secure("5555555555554477"),
    accepted("4111111111111111"),
    accepted_with_three_d_secure("4793128161644804"),
    accepted("2202474301322987"),
    accepted_with_three_d_secure("2200000000000004"),
    declined("5555555555554592", "3d_secure_failed"),
    declined("4839665499603842", "3d_secure_failed"),
    declined("5555555555554535", "call_issuer"),
    declined("4926946416239025", "call_issuer"),
    declined("5555555555554543", "card_expired"),
    declined("4141435412630840", "card_expired"),
    declined("5555555555554568", "fraud_suspected"),
    declined("5555555555554527", "general_decline"),
    declined("4889971706588753", "general_decline"),
    declined("2202202212312379", "general_decline"),
    declined("5555555555554600", "insufficient_funds"),
    declined("4562265587712390", "insufficient_funds"),
    declined("2200000000000053", "insufficient_funds"),
    declined("5555555555554618", "invalid_card_number"),
    declined("5555555555554626", "invalid_csc"),
    declined("4194180666146368", "invalid_csc"),
    declined("5555555555554501", "issuer_unavailable"),
    declined("4654130848359150", "issuer_unavailable"),
    declined("5555555555554576", "payment_method_limit_exceeded"),
    declined("5555555555554550", "payment_method_restricted"),
    blocked("5555555555554584", "country_forbidden"),
    blocked("5555555555554634", "fraud_suspected"),
];

/// `None` for any other number.
pub fn find(number: &str) -> Option<&'static TestCard> {
    let digits: String = number
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect();
    CARDS.iter().find(|card| card.number == digits)
}

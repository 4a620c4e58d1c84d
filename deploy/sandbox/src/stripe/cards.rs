//! Stripe's documented test cards, and the result of attaching, charging or setting up each.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardBehavior {
    Approves,
    /// Approved, then disputed by the bank.
    Disputes(DisputeClaim),
    /// Declined at once, also when attached to a customer.
    Declines(Decline),
    /// Attaching succeeds, every charge is declined.
    DeclinesCharges,
    /// Requires 3-D Secure until set up for later use.
    AuthenticatesUntilSetUp,
    AuthenticatesAlways,
    /// Requires 3-D Secure, then is declined.
    AuthenticatesThenDeclines(Decline),
}

/// The reason of a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisputeClaim {
    Fraudulent,
    ProductNotReceived,
    /// The bank inquires without withdrawing funds.
    Inquiry,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decline {
    Generic,
    InsufficientFunds,
    LostCard,
    StolenCard,
    ExpiredCard,
    IncorrectCvc,
    ProcessingError,
    VelocityExceeded,
    LiveCardInTest,
    AuthenticationRequired,
    AuthenticationFailed,
}

/// Of a payment method object.
pub fn behavior(method: &Value) -> CardBehavior {
    serde_json::from_value(method["_behavior"].clone()).unwrap_or(CardBehavior::Approves)
}

/// The codes and message of a decline. Only `card_declined` has a decline code.
pub struct CardError {
    pub code: &'static str,
    pub decline_code: Option<&'static str>,
    pub advice_code: Option<&'static str>,
    pub message: &'static str,
    pub param: Option<&'static str>,
}

const DECLINED: &str = "Your card was declined.";

impl Decline {
    pub const fn error(self) -> CardError {
        match self {
            Self::Generic => declined("generic_decline", DECLINED, Some("try_again_later")),
            Self::InsufficientFunds => declined(
                "insufficient_funds",
                "Your card has insufficient funds.",
                Some("try_again_later"),
            ),
            Self::LostCard => declined("lost_card", DECLINED, Some("do_not_try_again")),
            Self::StolenCard => declined("stolen_card", DECLINED, Some("do_not_try_again")),
            Self::VelocityExceeded => declined("card_velocity_exceeded", DECLINED, Some("try_again_later")),
            Self::LiveCardInTest => declined(
                "test_mode_live_card",
                "Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
                None,
            ),
            Self::AuthenticationRequired => CardError {
                code: "authentication_required",
                decline_code: Some("authentication_required"),
                advice_code: None,
                message: "Your card was declined. This transaction requires authentication.",
                param: None,
            },
            Self::ExpiredCard => coded("expired_card", "Your card has expired.", Some("exp_month")),
            Self::IncorrectCvc => coded(
                "incorrect_cvc",
                "Your card's security code is incorrect.",
                Some("cvc"),
            ),
            Self::ProcessingError => coded(
                "processing_error",
                "An error occurred while processing your card. Try again in a little bit.",
                None,
            ),
            Self::AuthenticationFailed => coded(
                "payment_intent_authentication_failure",
                "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
                None,
            ),
        }
    }
}

const fn declined(
    decline_code: &'static str,
    message: &'static str,
    advice_code: Option<&'static str>,
) -> CardError {
    CardError {
        code: "card_declined",
        decline_code: Some(decline_code),
        advice_code,
        message,
        param: None,
    }
}

const fn coded(code: &'static str, message: &'static str, param: Option<&'static str>) -> CardError {
    CardError {
        code,
        decline_code: None,
        advice_code: None,
        message,
        param,
    }
}

pub struct Card {
    pub brand: &'static str,
    pub funding: &'static str,
    pub country: &'static str,
    pub behavior: CardBehavior,
}

/// Stripe lists no Turkish card. These have the prefix of the bank in the seeded offer.
const TURKISH: [(&str, CardBehavior); 3] = [
    ("4407760000000000", CardBehavior::Approves),
    ("4407760000000018", CardBehavior::Declines(Decline::Generic)),
    ("4407760000000026", CardBehavior::AuthenticatesUntilSetUp),
];

fn turkish(number: &str) -> Option<CardBehavior> {
    let found = TURKISH.into_iter().find(|(listed, _)| *listed == number);
    found.map(|(_, behavior)| behavior)
}

/// The card of a number. An unlisted number is declined, as a real card in test mode.
pub fn lookup(number: &str) -> Card {
    let behavior = behaviour_of(number);
    let funding = if matches!(number, "4000056655665556" | "5200828282828210") {
        "debit"
    } else {
        "credit"
    };
    let country = match number {
        "4000002500003155" | "4000002760003184" => "IE",
        "4000002500001001" | "5555552500001001" => "FR",
        _ if turkish(number).is_some() => "TR",
        _ => "US",
    };
    Card {
        brand: brand_of(number),
        funding,
        country,
        behavior,
    }
}

fn behaviour_of(number: &str) -> CardBehavior {
    match number {
        "4242424242424242" | "4000056655665556" | "5555555555554444" | "2223003122003222"
        | "5200828282828210" | "378282246310005" | "371449635398431" | "6011111111111117"
        | "3056930009020004" | "36227206271667" | "3566002020360505" | "6200000000000005"
        | "4000000000000077" | "4000003720000278" | "4000007840000001" | "4000002500001001"
        | "5555552500001001" => CardBehavior::Approves,
        "4000000000000259" => CardBehavior::Disputes(DisputeClaim::Fraudulent),
        "4000000000002685" => CardBehavior::Disputes(DisputeClaim::ProductNotReceived),
        "4000000000001976" => CardBehavior::Disputes(DisputeClaim::Inquiry),
        "4000000000000002" => CardBehavior::Declines(Decline::Generic),
        "4000000000009995" => CardBehavior::Declines(Decline::InsufficientFunds),
        "4000000000009987" => CardBehavior::Declines(Decline::LostCard),
        "4000000000009979" => CardBehavior::Declines(Decline::StolenCard),
        "4000000000000069" => CardBehavior::Declines(Decline::ExpiredCard),
        "4000000000000127" => CardBehavior::Declines(Decline::IncorrectCvc),
        "4000000000000119" => CardBehavior::Declines(Decline::ProcessingError),
        "4000000000006975" => CardBehavior::Declines(Decline::VelocityExceeded),
        "4000000000000341" => CardBehavior::DeclinesCharges,
        "4000002500003155" | "4000000000003220" => CardBehavior::AuthenticatesUntilSetUp,
        "4000002760003184" => CardBehavior::AuthenticatesAlways,
        "4000008260003178" => CardBehavior::AuthenticatesThenDeclines(Decline::InsufficientFunds),
        "4000008400001629" => CardBehavior::AuthenticatesThenDeclines(Decline::Generic),
        _ => turkish(number).unwrap_or(CardBehavior::Declines(Decline::LiveCardInTest)),
    }
}

fn brand_of(number: &str) -> &'static str {
    match number.as_bytes() {
        [b'4', ..] => "visa",
        [b'3', b'4' | b'7', ..] => "amex",
        [b'3', b'0' | b'6' | b'8', ..] => "diners",
        [b'3', b'5', ..] => "jcb",
        [b'5' | b'2', ..] => "mastercard",
        [b'6', b'2', ..] => "unionpay",
        [b'6', ..] => "discover",
        _ => "unknown",
    }
}

/// The networks of a card: French cards have two.
pub fn networks_of(number: &str) -> Vec<&'static str> {
    let brand = brand_of(number);
    match number {
        "4000002500001001" | "5555552500001001" => vec!["cartes_bancaires", brand],
        _ => vec![brand],
    }
}

pub fn passes_luhn(number: &str) -> bool {
    let digits: Option<Vec<u32>> = number.chars().map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| (12..=19).contains(&digits.len())) else {
        return false;
    };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| luhn_share(place, *digit))
        .sum();
    sum.is_multiple_of(10)
}

const fn luhn_share(place: usize, digit: u32) -> u32 {
    match (place % 2, digit) {
        (0, digit) => digit,
        (_, 5..) => digit * 2 - 9,
        _ => digit * 2,
    }
}

/// The number of Stripe's test ids (`pm_card_visa`, `tok_visa`).
pub fn number_of_token(token: &str) -> Option<&'static str> {
    let name = token
        .strip_prefix("pm_card_")
        .or_else(|| token.strip_prefix("tok_"))?;
    Some(match name {
        "visa" => "4242424242424242",
        "visa_debit" => "4000056655665556",
        "mastercard" => "5555555555554444",
        "amex" => "378282246310005",
        "discover" => "6011111111111117",
        "chargeDeclined" | "visa_chargeDeclined" => "4000000000000002",
        "chargeDeclinedInsufficientFunds" | "visa_chargeDeclinedInsufficientFunds" => "4000000000009995",
        "chargeDeclinedExpiredCard" | "visa_chargeDeclinedExpiredCard" => "4000000000000069",
        "chargeDeclinedIncorrectCvc" | "visa_chargeDeclinedIncorrectCvc" => "4000000000000127",
        "chargeDeclinedProcessingError" | "visa_chargeDeclinedProcessingError" => "4000000000000119",
        "createDispute" => "4000000000000259",
        "createDisputeProductNotReceived" => "4000000000002685",
        "createDisputeInquiry" => "4000000000001976",
        "chargeCustomerFail" => "4000000000000341",
        "authenticationRequiredOnSetup" => "4000002500003155",
        "threeDSecure2Required" => "4000000000003220",
        "authenticationRequired" => "4000002760003184",
        "authenticationRequiredChargeDeclinedInsufficientFunds" => "4000008260003178",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_number_is_well_formed() {
        for number in [
            "4242424242424242",
            "4000002500003155",
            "4000000000003220",
            "378282246310005",
        ] {
            assert!(passes_luhn(number), "{number}");
        }
        assert!(TURKISH.iter().all(|(number, _)| passes_luhn(number)));
        assert!(!passes_luhn("4242424242424241"));
        assert!(!passes_luhn("4242"));
    }

    #[test]
    fn only_a_plain_decline_carries_a_decline_code() {
        assert_eq!(
            Decline::InsufficientFunds.error().decline_code,
            Some("insufficient_funds")
        );
        assert_eq!(Decline::ExpiredCard.error().decline_code, None);
        assert_eq!(Decline::ExpiredCard.error().code, "expired_card");
    }

    #[test]
    fn turkish_cards_are_recognized() {
        let card = lookup("4407760000000026");
        assert_eq!(
            (card.country, card.behavior),
            ("TR", CardBehavior::AuthenticatesUntilSetUp)
        );
        assert_eq!(lookup("4242424242424242").country, "US");
    }

    #[test]
    fn a_number_off_the_list_is_a_live_card_in_test_mode() {
        assert_eq!(
            lookup("4111111111111111").behavior,
            CardBehavior::Declines(Decline::LiveCardInTest)
        );
    }
}

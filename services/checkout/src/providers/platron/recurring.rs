//! Payments without the buyer there, by the recurring profile that their first began.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};

use super::signature::get;
use super::webhooks::fields;
use super::{Platron, amount_of, moment, owned};
use crate::domain::payment::Decline;
use crate::domain::subscription::billing_state::Card;
use crate::domain::subscription::merchant_schedule::{ChargeAttemptState, PaymentMethod};
use crate::ports::{NewCharge, ObservedCharge, ProviderError, RecurringProvider, SavedPaymentMethod};

#[async_trait]
impl RecurringProvider for Platron {
    async fn saved_payment_method(
        &self,
        provider_payment_id: &str,
    ) -> Result<SavedPaymentMethod, ProviderError> {
        let shown = self.status(provider_payment_id).await?;
        let paid_at = moment(&shown, "pg_result_date").or_else(|| moment(&shown, "pg_create_date"));
        Ok(SavedPaymentMethod {
            paid_at: paid_at
                .ok_or_else(|| ProviderError::OutcomeUnknown("get_status.php: no date".to_owned()))?,
            payment_method: saved_method(&shown),
        })
    }

    fn payment_method_in_webhook(&self, body: &[u8]) -> Option<PaymentMethod> {
        saved_method(&fields(body))
    }

    async fn charge(&self, charge: &NewCharge) -> Result<ObservedCharge, ProviderError> {
        let url = |path: &str| format!("{}{path}", self.callback_url);
        let fields = owned([
            ("pg_recurring_profile", charge.payment_method_id.clone()),
            ("pg_order_id", charge.key.clone()),
            ("pg_amount", charge.amount.major()),
            ("pg_description", charge.description.clone()),
            ("pg_result_url", url("/webhooks/platron/result")),
            ("pg_refund_url", url("/webhooks/platron/refund")),
            ("pg_request_method", "POST".to_owned()),
        ]);
        let called = self
            .call("platron_charge", "make_recurring_payment.php", fields)
            .await;
        let made = called.map_err(|error| match error {
            ProviderError::Rejected { code, detail } => unusable(code, detail),
            error => error,
        })?;
        // That it was begun says nothing of how it went.
        Ok(ObservedCharge {
            provider_payment_id: get(&made, "pg_payment_id")
                .ok_or_else(|| {
                    ProviderError::OutcomeUnknown("make_recurring_payment.php: no payment".to_owned())
                })?
                .to_owned(),
            state: ChargeAttemptState::Pending,
        })
    }

    async fn fetch_charge(&self, provider_payment_id: &str) -> Result<ObservedCharge, ProviderError> {
        seen(&self.status(provider_payment_id).await?)
    }

    async fn find_charge(
        &self,
        key: &str,
        _asked_at: DateTime<Utc>,
    ) -> Result<Option<ObservedCharge>, ProviderError> {
        let fields = owned([("pg_order_id", key.to_owned())]);
        match self.call("platron_get_status", "get_status.php", fields).await {
            Ok(shown) => seen(&shown).map(Some),
            Err(ProviderError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Platron supports no keys: a repeated request is another payment.
    fn keys_valid_for(&self) -> TimeDelta {
        TimeDelta::zero()
    }
}

/// The profile is over or gone: only another payment of its owner's helps.
fn unusable(code: String, detail: String) -> ProviderError {
    let is_of_profile = code == "platron_365" || detail.contains("pg_recurring_profile");
    if is_of_profile {
        ProviderError::Declined(Decline {
            code: "no_payment_method".to_owned(),
            message: detail,
        })
    } else {
        ProviderError::Rejected { code, detail }
    }
}

fn saved_method(shown: &[(String, String)]) -> Option<PaymentMethod> {
    let profile = get(shown, "pg_recurring_profile_id").or_else(|| get(shown, "pg_recurring_profile"))?;
    Some(PaymentMethod {
        payment_method_id: profile.to_owned(),
        expires_at: moment(shown, "pg_recurring_profile_expiry_date"),
        card: get(shown, "pg_card_pan").and_then(|pan| card(pan, get(shown, "pg_card_brand"))),
    })
}

fn card(pan: &str, brand: Option<&str>) -> Option<Card> {
    let last4 = pan.get(pan.len().checked_sub(4)?..)?;
    if !last4.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let brand = match brand {
        Some("CA") => "mastercard",
        Some("VI") => "visa",
        Some("MI" | "MR") => "mir",
        _ => "card",
    };
    Some(Card {
        brand: brand.to_owned(),
        last4: last4.to_owned(),
    })
}

fn seen(shown: &[(String, String)]) -> Result<ObservedCharge, ProviderError> {
    let unexpected = |what: &str| ProviderError::OutcomeUnknown(format!("get_status.php: {what}"));
    let state = match get(shown, "pg_transaction_status") {
        Some("partial" | "incomplete" | "pending") => ChargeAttemptState::Pending,
        // Given back or not, it was taken.
        Some("ok" | "revoked") => ChargeAttemptState::Paid {
            captured: amount_of(shown, "pg_amount")?.ok_or_else(|| unexpected("no amount"))?,
            at: moment(shown, "pg_result_date").ok_or_else(|| unexpected("no date"))?,
        },
        Some("failed") => {
            ChargeAttemptState::Declined(decline(get(shown, "pg_failure_code").unwrap_or_default()))
        }
        other => return Err(unexpected(&format!("status {other:?}"))),
    };
    Ok(ObservedCharge {
        provider_payment_id: get(shown, "pg_payment_id")
            .ok_or_else(|| unexpected("no payment"))?
            .to_owned(),
        state,
    })
}

/// Maps to the decline codes of checkout.
fn decline(code: &str) -> Decline {
    let known = match code {
        "365" => "no_payment_method",
        "420" => "card_velocity_exceeded",
        "360" | "465" => "issuer_not_available",
        "470" => "processing_error",
        _ => "card_declined",
    };
    Decline {
        code: known.to_owned(),
        message: "The payment did not succeed.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::subscription::dunning::{DeclineClass, classify_decline};
    use crate::providers::platron::signature::Fields;

    fn shown(status: &str, more: &[(&str, &str)]) -> Fields {
        let mut fields = owned([
            ("pg_payment_id", "77".into()),
            ("pg_amount", "499.00".into()),
            ("pg_currency", "RUB".into()),
            ("pg_transaction_status", status.into()),
            ("pg_result_date", "2026-11-20 12:00:00".into()),
        ]);
        fields.extend(
            more.iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
        );
        fields
    }

    #[test]
    fn profile_is_a_saved_method_with_its_card() {
        assert_eq!(saved_method(&shown("ok", &[])), None);
        let method = saved_method(&shown(
            "ok",
            &[
                ("pg_recurring_profile_id", "9"),
                ("pg_recurring_profile_expiry_date", "2039-11-20 12:00:00"),
                ("pg_card_brand", "CA"),
                ("pg_card_pan", "5285-00XX-XXXX-1234"),
            ],
        ))
        .unwrap();
        let card = method.card.unwrap();
        assert_eq!(
            (&*method.payment_method_id, &*card.brand, &*card.last4),
            ("9", "mastercard", "1234")
        );
        assert_eq!(method.expires_at.unwrap().timestamp(), 2_205_403_200);
    }

    #[test]
    fn a_refusal_says_what_may_be_tried_again() {
        let of = |code: &str| match seen(&shown("failed", &[("pg_failure_code", code)]))
            .unwrap()
            .state
        {
            ChargeAttemptState::Declined(decline) => classify_decline(&decline.code),
            other => panic!("{other:?}"),
        };
        assert_eq!(of("365"), DeclineClass::Hard);
        assert_eq!(of("420"), DeclineClass::InsufficientFunds);
        assert_eq!(
            (of("465"), of("470")),
            (DeclineClass::Transient, DeclineClass::Transient)
        );
        assert_eq!(
            (of("700"), of("400")),
            (DeclineClass::Generic, DeclineClass::Generic)
        );
    }

    #[test]
    fn what_was_given_back_was_taken_before() {
        for status in ["ok", "revoked"] {
            let state = seen(&shown(status, &[])).unwrap().state;
            assert!(
                matches!(state, ChargeAttemptState::Paid { captured, .. } if captured.minor == 49_900),
                "{status}"
            );
        }
    }
}

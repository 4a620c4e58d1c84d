//! Payments without the buyer there, of what YooKassa saved with their first.

use async_trait::async_trait;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use kit::http::{HttpResponse, Method as Verb};
use serde::Deserialize;
use serde_json::json;

use super::{List, PAGE_MAX, PaymentObject, Yookassa, money, written};
use crate::domain::payment::Decline;
use crate::domain::subscription::billing_state::Card;
use crate::domain::subscription::merchant_schedule::{ChargeAttemptState, PaymentMethod};
use crate::ports::{NewCharge, ObservedCharge, ProviderError, RecurringProvider, SavedPaymentMethod};
use crate::providers::transport::by_status;

/// YooKassa forgets keys after 24 hours: from then on the same request would be another payment.
const KEYS_LIVE: TimeDelta = TimeDelta::hours(23);
/// Its clock and ours need not agree.
const CLOCKS_APART: TimeDelta = TimeDelta::minutes(5);
/// How long a call may be on its way.
const ARRIVES_WITHIN: TimeDelta = TimeDelta::hours(25);
const PAGES_MAX: usize = 200;

#[derive(Deserialize)]
struct Page {
    #[serde(flatten)]
    list: List<PaymentObject>,
    next_cursor: Option<String>,
}

#[async_trait]
impl RecurringProvider for Yookassa {
    async fn saved_payment_method(
        &self,
        provider_payment_id: &str,
    ) -> Result<SavedPaymentMethod, ProviderError> {
        let payment = self.payment(provider_payment_id).await?;
        let paid_at = payment
            .captured_at
            .ok_or_else(|| ProviderError::OutcomeUnknown(format!("payment {}: not captured", payment.id)))?;
        Ok(SavedPaymentMethod {
            paid_at,
            payment_method: saved_method(payment),
        })
    }

    async fn charge(&self, charge: &NewCharge) -> Result<ObservedCharge, ProviderError> {
        let body = json!({
            "amount": written(charge.amount),
            "capture": true,
            "payment_method_id": charge.payment_method_id,
            "description": charge.description,
            "metadata": { "charge": charge.key },
        });
        let request = self.request(Verb::POST, "/v3/payments").json(&body);
        let request = request.header("Idempotence-Key", &charge.key);
        let answered = self.transport.send("yookassa_charge", request, refused).await?;
        seen(&answered.json()?)
    }

    async fn fetch_charge(&self, provider_payment_id: &str) -> Result<ObservedCharge, ProviderError> {
        seen(&self.payment(provider_payment_id).await?)
    }

    /// YooKassa lists by time alone.
    async fn find_charge(
        &self,
        key: &str,
        asked_at: DateTime<Utc>,
    ) -> Result<Option<ObservedCharge>, ProviderError> {
        let written = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Millis, true);
        let (from, until) = (
            written(asked_at - CLOCKS_APART),
            written(asked_at + ARRIVES_WITHIN),
        );
        let mut cursor = String::new();
        for _ in 0..PAGES_MAX {
            let mut query = vec![
                ("created_at.gte", from.as_str()),
                ("created_at.lte", until.as_str()),
                ("limit", PAGE_MAX),
            ];
            if !cursor.is_empty() {
                query.push(("cursor", cursor.as_str()));
            }
            let request = self.request(Verb::GET, "/v3/payments").query(&query);
            let answered = self
                .transport
                .send("yookassa_find_charge", request, super::refused)
                .await?;
            let Page { list, next_cursor } = answered.json()?;
            let found = list
                .items
                .iter()
                .find(|payment| payment.metadata.charge.as_deref() == Some(key));
            if let Some(found) = found {
                return seen(found).map(Some);
            }
            match next_cursor {
                Some(next) => cursor = next,
                None => return Ok(None),
            }
        }
        Err(ProviderError::OutcomeUnknown("a list without an end".to_owned()))
    }

    fn keys_valid_for(&self) -> TimeDelta {
        KEYS_LIVE
    }
}

fn saved_method(payment: PaymentObject) -> Option<PaymentMethod> {
    let method = payment.payment_method.filter(|method| method.saved)?;
    Some(PaymentMethod {
        payment_method_id: method.id,
        expires_at: None,
        card: method.card.map(|card| Card {
            brand: card.card_type.to_ascii_lowercase(),
            last4: card.last4,
        }),
    })
}

fn seen(payment: &PaymentObject) -> Result<ObservedCharge, ProviderError> {
    let unexpected = |what: &str| ProviderError::OutcomeUnknown(format!("payment {}: {what}", payment.id));
    let state = match payment.status.as_str() {
        "pending" | "waiting_for_capture" => ChargeAttemptState::Pending,
        "succeeded" => ChargeAttemptState::Paid {
            captured: money(&payment.amount.value, &payment.amount.currency)?,
            at: payment
                .captured_at
                .ok_or_else(|| unexpected("no time of capture"))?,
        },
        "canceled" => {
            let details = payment.cancellation_details.as_ref();
            ChargeAttemptState::Declined(decline(details.map_or("", |details| details.reason.as_str())))
        }
        other => return Err(unexpected(&format!("status {other:?}"))),
    };
    Ok(ObservedCharge {
        provider_payment_id: payment.id.clone(),
        state,
    })
}

/// Maps to the decline codes of checkout.
fn decline(reason: &str) -> Decline {
    let code = match reason {
        "3d_secure_failed" | "identification_required" => "authentication_required",
        "call_issuer" => "do_not_honor",
        "card_expired" => "expired_card",
        "country_forbidden" | "unsupported_mobile_operator" => "card_not_supported",
        "fraud_suspected" => "fraudulent",
        "insufficient_funds" => "insufficient_funds",
        "internal_timeout" | "expired_on_capture" | "expired_on_confirmation" => "processing_error",
        "invalid_card_number" => "incorrect_number",
        "invalid_csc" => "incorrect_cvc",
        "issuer_unavailable" => "issuer_not_available",
        "payment_method_limit_exceeded" => "card_velocity_exceeded",
        "payment_method_restricted" => "restricted_card",
        "permission_revoked" => "revocation_of_authorization",
        _ => "card_declined",
    };
    Decline {
        code: code.to_owned(),
        message: "The bank did not allow this payment.".to_owned(),
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Refusal {
    code: String,
    description: String,
    parameter: String,
}

/// What is no longer kept there cannot be charged.
fn refused(answered: &HttpResponse) -> ProviderError {
    let Refusal {
        code,
        description,
        parameter,
    } = serde_json::from_slice(&answered.body).unwrap_or_default();
    if answered.status.is_client_error() && parameter == "payment_method_id" {
        return ProviderError::Declined(Decline {
            code: "no_payment_method".to_owned(),
            message: description,
        });
    }
    by_status(answered.status, &code, description)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::domain::subscription::dunning::{DeclineClass, classify_decline};

    fn shown(status: &str, more: &Value) -> PaymentObject {
        let mut shown = json!({
            "id": "2c1", "status": status, "amount": { "value": "499.00", "currency": "RUB" },
            "metadata": { "charge": "a.1" }, "created_at": "2026-11-20T12:00:00.000Z",
            "captured_at": "2026-11-20T12:00:05.000Z",
        });
        for (name, value) in more.as_object().unwrap() {
            shown[name] = value.clone();
        }
        serde_json::from_value(shown).unwrap()
    }

    #[test]
    fn only_saved_payment_methods_are_returned() {
        let card = json!({ "last4": "4444", "card_type": "MasterCard" });
        let of = |saved: bool| {
            let method = json!({ "payment_method": { "id": "pm", "saved": saved, "card": card } });
            saved_method(shown("succeeded", &method))
        };
        assert_eq!(of(false), None);
        let method = of(true).unwrap();
        let card = method.card.unwrap();
        assert_eq!(
            (&*method.payment_method_id, &*card.brand, &*card.last4),
            ("pm", "mastercard", "4444")
        );
    }

    #[test]
    fn every_documented_reason_says_what_may_be_tried_again() {
        let of = |reason: &str| {
            let details = json!({ "cancellation_details": { "party": "payment_network", "reason": reason } });
            match seen(&shown("canceled", &details)).unwrap().state {
                ChargeAttemptState::Declined(decline) => classify_decline(&decline.code),
                other => panic!("{other:?}"),
            }
        };
        for reason in [
            "3d_secure_failed",
            "card_expired",
            "country_forbidden",
            "fraud_suspected",
            "identification_required",
            "invalid_card_number",
            "invalid_csc",
            "payment_method_restricted",
            "permission_revoked",
            "unsupported_mobile_operator",
        ] {
            assert_eq!(of(reason), DeclineClass::Hard, "{reason}");
        }
        for reason in ["insufficient_funds", "payment_method_limit_exceeded"] {
            assert_eq!(of(reason), DeclineClass::InsufficientFunds, "{reason}");
        }
        for reason in ["internal_timeout", "issuer_unavailable"] {
            assert_eq!(of(reason), DeclineClass::Transient, "{reason}");
        }
        for reason in ["call_issuer", "general_decline", "something_new"] {
            assert_eq!(of(reason), DeclineClass::Generic, "{reason}");
        }
    }

    #[test]
    fn what_is_not_done_yet_is_neither_paid_nor_refused() {
        assert_eq!(
            seen(&shown("pending", &json!({}))).unwrap().state,
            ChargeAttemptState::Pending
        );
        let paid = seen(&shown("succeeded", &json!({}))).unwrap().state;
        assert!(matches!(paid, ChargeAttemptState::Paid { captured, .. } if captured.minor == 49_900));
    }
}

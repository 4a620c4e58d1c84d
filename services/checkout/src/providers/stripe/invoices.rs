//! Stripe's invoices, and the snapshot of a subscription.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use serde::Deserialize;

use super::form::{Form, path_segment};
use super::wire::{Created, Expandable, InvoicePaymentObject, List, PaymentIntentObject, SubscriptionObject};
use super::{EXPAND, PAGE_MAX, Stripe};
use crate::domain::payment::Decline;
use crate::domain::subscription::billing_state::{
    Card, Invoice, InvoiceReason, InvoiceState, SubscriptionSnapshot,
};
use crate::ports::{InvoiceProvider, ProviderError};

/// Fields of a subscription beside its initial charge.
#[derive(Debug, Deserialize)]
struct BillingObject {
    #[serde(flatten)]
    subscription: SubscriptionObject,
    cancel_at: Option<i64>,
    pause_collection: Option<PauseObject>,
    default_payment_method: Option<Expandable<MethodObject>>,
}

#[derive(Debug, Deserialize)]
struct PauseObject {
    resumes_at: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct MethodObject {
    card: Option<CardObject>,
}

#[derive(Debug, Deserialize)]
struct CardObject {
    brand: String,
    last4: String,
}

#[derive(Debug, Deserialize)]
struct InvoiceObject {
    id: String,
    status: Option<String>,
    billing_reason: Option<String>,
    currency: String,
    amount_due: i64,
    amount_paid: i64,
    attempted: bool,
    created: i64,
    lines: List<LineObject>,
    payments: Option<List<InvoicePaymentObject>>,
    status_transitions: Transitions,
}

#[derive(Debug, Deserialize)]
struct LineObject {
    period: Period,
    parent: Option<LineParent>,
}

#[derive(Debug, Deserialize)]
struct LineParent {
    /// Of what is left over from the former plan, in one of the two ways to bill.
    invoice_item_details: Option<ItemDetails>,
    subscription_item_details: Option<ItemDetails>,
}

#[derive(Debug, Deserialize)]
struct ItemDetails {
    proration: bool,
}

impl LineObject {
    fn is_prorated(&self) -> bool {
        self.parent.as_ref().is_some_and(|parent| {
            let details = [&parent.invoice_item_details, &parent.subscription_item_details];
            details.into_iter().flatten().any(|details| details.proration)
        })
    }
}

#[derive(Debug, Deserialize)]
struct Period {
    start: i64,
    end: i64,
}

#[derive(Debug, Deserialize)]
struct Transitions {
    paid_at: Option<i64>,
}

#[async_trait]
impl InvoiceProvider for Stripe {
    async fn fetch_snapshot(&self, id: &str) -> Result<SubscriptionSnapshot, ProviderError> {
        let path = format!("/v1/subscriptions/{}", path_segment(id));
        let query = Form::new().expand(&EXPAND).expand(&["default_payment_method"]);
        let billing: BillingObject = self.http.get("fetch_life", &path, &query).await?;
        // A hundred months are more than eight years: what is older has been taken in long ago.
        let query = Form::new()
            .with("subscription", id)
            .with("limit", PAGE_MAX)
            .expand(&["data.payments"]);
        let list: List<InvoiceObject> = self.http.get("list_invoices", "/v1/invoices", &query).await?;
        let mut invoices = Vec::with_capacity(list.data.len());
        for invoice in list.data {
            invoices.push(self.read_invoice(invoice).await?);
        }

        let provider_price_id = billing.subscription.price_id().map(str::to_owned);
        Ok(SubscriptionSnapshot {
            cancel_at: billing.cancel_at.map(moment).transpose()?,
            paused_until: billing
                .pause_collection
                .and_then(|pause| pause.resumes_at)
                .map(moment)
                .transpose()?,
            resume_at: None,
            card: billing
                .default_payment_method
                .as_ref()
                .and_then(Expandable::object)
                .and_then(|method| method.card.as_ref())
                .map(|card| Card {
                    brand: card.brand.clone(),
                    last4: card.last4.clone(),
                }),
            provider_price_id,
            payment: self.look_into(billing.subscription).await?,
            invoices,
        })
    }

    async fn disable_auto_advance(&self, id: &str, key: &str) -> Result<(), ProviderError> {
        let path = format!("/v1/invoices/{}", path_segment(id));
        let form = Form::new().with("auto_advance", "false");
        let _: Created = self.http.post("hold_invoice", &path, &form, key).await?;
        Ok(())
    }

    async fn pay_invoice(&self, id: &str, key: &str) -> Result<(), ProviderError> {
        let path = format!("/v1/invoices/{}/pay", path_segment(id));
        let form = Form::new().with("off_session", "true");
        let _: Created = self.http.post("pay_invoice", &path, &form, key).await?;
        Ok(())
    }

    async fn close_invoice(&self, id: &str, key: &str) -> Result<(), ProviderError> {
        let path = format!("/v1/invoices/{}/void", path_segment(id));
        let _: Created = self.http.post("close_invoice", &path, &Form::new(), key).await?;
        Ok(())
    }
}

impl Stripe {
    /// An open invoice does not say why it is open: its payment intent does.
    async fn read_invoice(&self, invoice: InvoiceObject) -> Result<Invoice, ProviderError> {
        let intent_id = invoice
            .payments
            .as_ref()
            .and_then(|payments| {
                payments
                    .data
                    .iter()
                    .rev()
                    .find_map(InvoicePaymentObject::intent_id)
            })
            .map(str::to_owned);
        let intent: Option<PaymentIntentObject> = match &intent_id {
            Some(id) if invoice.status.as_deref() == Some("open") && invoice.attempted => {
                let path = format!("/v1/payment_intents/{}", path_segment(id));
                Some(self.http.get("fetch_payment_intent", &path, &Form::new()).await?)
            }
            _ => None,
        };
        read(invoice, intent_id, intent.as_ref())
    }
}

fn unexpected(what: &str, value: &str) -> ProviderError {
    ProviderError::OutcomeUnknown(format!("{what}: {value}"))
}

fn moment(seconds: i64) -> Result<DateTime<Utc>, ProviderError> {
    DateTime::from_timestamp(seconds, 0).ok_or_else(|| unexpected("no time", &seconds.to_string()))
}

/// Fails as "no answer" on anything Stripe does not say at the pinned version: better asked again than guessed.
fn read(
    invoice: InvoiceObject,
    provider_intent_id: Option<String>,
    intent: Option<&PaymentIntentObject>,
) -> Result<Invoice, ProviderError> {
    let currency = Currency::parse(&invoice.currency.to_ascii_uppercase())
        .map_err(|error| unexpected("currency", &error.to_string()))?;
    let state = match (invoice.status.as_deref(), intent) {
        (Some("paid"), _) => InvoiceState::Paid {
            captured: Money::new(invoice.amount_paid, currency),
            at: moment(invoice.status_transitions.paid_at.unwrap_or(invoice.created))?,
        },
        (Some("void" | "uncollectible"), _) => InvoiceState::Closed,
        (Some("open"), Some(intent)) => overdue(intent).map_or(InvoiceState::Awaited, InvoiceState::Overdue),
        (Some("open" | "draft"), _) => InvoiceState::Awaited,
        (other, _) => return Err(unexpected("unknown invoice status", other.unwrap_or("none"))),
    };
    let periods = invoice.lines.data.iter().map(|line| &line.period);
    let from = periods.clone().map(|period| period.start).min();
    let until = periods.map(|period| period.end).max();
    Ok(Invoice {
        reason: match invoice.billing_reason.as_deref() {
            Some("subscription_create") => InvoiceReason::First,
            // Without one, the plan is what it was and a period began: it was resumed.
            Some("subscription_update") if invoice.lines.data.iter().any(LineObject::is_prorated) => {
                InvoiceReason::Change
            }
            _ => InvoiceReason::Period,
        },
        amount: Money::new(invoice.amount_due, currency),
        period_start: moment(from.unwrap_or(invoice.created))?,
        period_end: moment(until.unwrap_or(invoice.created))?,
        provider_invoice_id: invoice.id,
        provider_intent_id,
        state,
    })
}

/// Why an attempted charge has not come through; `None`: it still may.
fn overdue(intent: &PaymentIntentObject) -> Option<Decline> {
    let without_words = |code: &str| Decline {
        code: code.to_owned(),
        message: String::new(),
    };
    match intent.status.as_str() {
        "requires_payment_method" => Some(match &intent.last_payment_error {
            Some(error) => error.decline(),
            None => without_words("no_payment_method"),
        }),
        // The buyer is not present to authenticate.
        "requires_action" | "requires_confirmation" => Some(without_words("authentication_required")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn invoice(status: &str, change: &Value) -> InvoiceObject {
        let mut invoice = json!({
            "id": "in_1", "status": status, "billing_reason": "subscription_cycle", "currency": "try",
            "amount_due": 5999, "amount_paid": if status == "paid" { 5999 } else { 0 }, "attempted": true,
            "created": 1_800_000_000, "lines": { "data": [{ "period": { "start": 1_800_000_000, "end": 1_802_600_000 } }] },
            "status_transitions": { "paid_at": 1_800_000_100 },
        });
        for (name, value) in change.as_object().into_iter().flatten() {
            invoice[name] = value.clone();
        }
        serde_json::from_value(invoice).unwrap()
    }

    fn intent(status: &str, error: &Value) -> PaymentIntentObject {
        let intent = json!({
            "status": status, "currency": "try", "amount_received": 0, "client_secret": null,
            "last_payment_error": error,
        });
        serde_json::from_value(intent).unwrap()
    }

    fn state(status: &str, intent: Option<&PaymentIntentObject>) -> InvoiceState {
        read(invoice(status, &json!({})), None, intent).unwrap().state
    }

    #[test]
    fn paid_invoice_says_what_was_taken_when_and_for_which_time() {
        let payload = read(invoice("paid", &json!({})), Some("pi_1".into()), None).unwrap();
        assert!(matches!(
            payload.state,
            InvoiceState::Paid { captured, .. } if captured.minor == 5999 && captured.currency.code() == "TRY"
        ));
        assert_eq!(payload.period_end.timestamp(), 1_802_600_000);
        assert_eq!(payload.reason, InvoiceReason::Period);
    }

    #[test]
    fn open_invoice_is_overdue_once_the_card_said_no() {
        let error =
            json!({ "code": "card_declined", "decline_code": "insufficient_funds", "message": "No." });
        let refused = intent("requires_payment_method", &error);
        let overdue = |state: InvoiceState| match state {
            InvoiceState::Overdue(decline) => decline.code,
            other => panic!("{other:?}"),
        };
        assert_eq!(overdue(state("open", Some(&refused))), "insufficient_funds");
        let asks = intent("requires_action", &Value::Null);
        assert_eq!(overdue(state("open", Some(&asks))), "authentication_required");
        let bare = intent("requires_payment_method", &Value::Null);
        assert_eq!(overdue(state("open", Some(&bare))), "no_payment_method");
    }

    #[test]
    fn what_is_on_its_way_is_awaited_and_what_is_void_is_closed() {
        assert_eq!(
            state("open", Some(&intent("processing", &Value::Null))),
            InvoiceState::Awaited
        );
        assert_eq!(state("open", None), InvoiceState::Awaited);
        assert_eq!(state("draft", None), InvoiceState::Awaited);
        assert_eq!(state("void", None), InvoiceState::Closed);
        assert_eq!(state("uncollectible", None), InvoiceState::Closed);
    }

    #[test]
    fn an_unknown_status_is_no_answer() {
        assert!(read(invoice("brand_new", &json!({})), None, None).is_err());
    }

    #[test]
    fn reason_distinguishes_the_initial_invoice() {
        let reason = |text: &str, proration: bool| {
            let line = json!({
                "period": { "start": 1_800_000_000, "end": 1_802_600_000 },
                "parent": { "subscription_item_details": { "proration": proration } },
            });
            let payload = json!({ "billing_reason": text, "lines": { "data": [line] } });
            read(invoice("paid", &payload), None, None).unwrap().reason
        };
        assert_eq!(reason("subscription_create", false), InvoiceReason::First);
        assert_eq!(reason("subscription_update", true), InvoiceReason::Change);
        assert_eq!(reason("subscription_update", false), InvoiceReason::Period);
        assert_eq!(reason("subscription_cycle", false), InvoiceReason::Period);
    }
}

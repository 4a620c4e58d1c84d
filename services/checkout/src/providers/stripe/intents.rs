//! Payment intents at Stripe: what is paid once.

use async_trait::async_trait;
use kit::money::{Currency, Money};
use serde::Deserialize;

use super::form::{self, Form};
use super::wire::{Created, Expandable, List, Metadata};
use super::{PAGE_MAX, Stripe};
use crate::domain::ids::PaymentId;
use crate::domain::payment::intent::{IntentCharge, IntentSnapshot, Payer};
use crate::ports::{Card, IntentProvider, Later, NewIntent, ProviderError, SavedCard};

/// Who paid stands on the charge.
const EXPAND: [&str; 1] = ["latest_charge"];

#[derive(Debug, Deserialize)]
struct IntentObject {
    id: String,
    status: String,
    currency: String,
    amount_received: i64,
    client_secret: Option<String>,
    #[serde(default)]
    metadata: Metadata,
    payment_method: Option<Expandable<Created>>,
    latest_charge: Option<Expandable<ChargeObject>>,
}

#[derive(Debug, Deserialize)]
struct ChargeObject {
    billing_details: Option<BillingDetails>,
}

#[derive(Debug, Default, Clone, Deserialize)]
struct BillingDetails {
    email: Option<String>,
    name: Option<String>,
}

#[derive(Debug, Deserialize)]
struct PaymentMethodObject {
    id: String,
    card: Option<CardObject>,
}

#[derive(Debug, Deserialize)]
struct CardObject {
    last4: String,
}

fn path_of(id: &str) -> String {
    format!("/v1/payment_intents/{}", form::path_segment(id))
}

#[async_trait]
impl IntentProvider for Stripe {
    async fn create_intent(&self, new: &NewIntent) -> Result<IntentSnapshot, ProviderError> {
        let mut form = Form::new()
            // Stripe counts in the same minor unit as ISO 4217 for every currency we price in.
            .with("amount", &new.amount.minor.to_string())
            .with("currency", &new.amount.currency.code().to_ascii_lowercase())
            .with("automatic_payment_methods[enabled]", "true")
            // No redirect methods: the page cannot handle the return.
            .with("automatic_payment_methods[allow_redirects]", "never")
            .with("metadata[payment_id]", &new.payment_id.to_string())
            .with("metadata[order_id]", &new.order_id.to_string())
            .expand(&EXPAND);
        if let Some(customer) = &new.provider_customer_id {
            form = form.with("customer", customer);
        }
        if let Card::Known(card) = &new.card {
            form = form.with("payment_method", card).with("confirm", "true");
        }
        if new.later == Later::OffSession {
            form = form.with("setup_future_usage", "off_session");
        }
        let created: IntentObject = self
            .http
            .post(
                "create_intent",
                "/v1/payment_intents",
                &form,
                &new.idempotency_key,
            )
            .await?;
        snapshot(created)
    }

    async fn fetch_intent(&self, id: &str) -> Result<IntentSnapshot, ProviderError> {
        let query = Form::new().expand(&EXPAND);
        let found: IntentObject = self.http.get("fetch_intent", &path_of(id), &query).await?;
        snapshot(found)
    }

    async fn find_intent(&self, payment_id: PaymentId) -> Result<Option<IntentSnapshot>, ProviderError> {
        let query = Form::new()
            .with("query", &format!("metadata['payment_id']:'{payment_id}'"))
            .with("limit", "1");
        let path = "/v1/payment_intents/search";
        let found: List<Created> = self.http.get("search_intents", path, &query).await?;
        // The search is a minute behind: what it shows is asked for again.
        match found.data.first() {
            Some(intent) => self.fetch_intent(&intent.id).await.map(Some),
            None => Ok(None),
        }
    }

    async fn cancel_intent(&self, id: &str) -> Result<IntentSnapshot, ProviderError> {
        let path = format!("{}/cancel", path_of(id));
        let form = Form::new()
            .with("cancellation_reason", "abandoned")
            .expand(&EXPAND);
        let key = format!("cancel-{id}");
        let canceled: IntentObject = self.http.post("cancel_intent", &path, &form, &key).await?;
        snapshot(canceled)
    }

    async fn saved_card(&self, customer: &str) -> Result<Option<SavedCard>, ProviderError> {
        let path = format!("/v1/customers/{}/payment_methods", form::path_segment(customer));
        let query = Form::new().with("type", "card").with("limit", PAGE_MAX);
        let list: List<PaymentMethodObject> = self.http.get("list_cards", &path, &query).await?;
        // Newest first.
        Ok(list.data.into_iter().find_map(|method| {
            Some(SavedCard {
                payment_method_id: method.id,
                last4: method.card?.last4,
            })
        }))
    }
}

/// Fails as "no answer" on anything Stripe does not say at the pinned version: better asked again than guessed.
fn snapshot(intent: IntentObject) -> Result<IntentSnapshot, ProviderError> {
    let unexpected =
        |what: &str| ProviderError::OutcomeUnknown(format!("payment intent {}: {what}", intent.id));
    let charge = match intent.status.as_str() {
        "succeeded" => {
            let currency = Currency::parse(&intent.currency.to_ascii_uppercase())
                .map_err(|_| unexpected("unknown currency"))?;
            IntentCharge::Captured(Money::new(intent.amount_received, currency))
        }
        "processing" | "requires_capture" => IntentCharge::Processing,
        "canceled" => IntentCharge::Closed,
        "requires_payment_method" | "requires_action" | "requires_confirmation" => {
            let client_secret = intent.client_secret.clone();
            IntentCharge::AwaitsBuyer {
                client_secret: client_secret.ok_or_else(|| unexpected("no client secret"))?,
            }
        }
        other => return Err(unexpected(other)),
    };
    let billing = intent
        .latest_charge
        .as_ref()
        .and_then(Expandable::object)
        .and_then(|charge| charge.billing_details.clone())
        .unwrap_or_default();
    Ok(IntentSnapshot {
        payment_id: intent.metadata.payment_id.and_then(|id| id.parse().ok()),
        payment_method_id: intent.payment_method.map(|method| match method {
            Expandable::Id(id) => id,
            Expandable::Object(object) => object.id,
        }),
        payer: Payer {
            email: billing.email.unwrap_or_default(),
            full_name: billing.name.unwrap_or_default(),
        },
        provider_intent_id: intent.id,
        charge,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(status: &str, secret: &Value) -> Result<IntentSnapshot, ProviderError> {
        let intent = json!({
            "id": "pi_1", "object": "payment_intent", "status": status, "currency": "jpy", "amount_received": 500,
            "client_secret": secret, "payment_method": "pm_1",
            "metadata": { "payment_id": "pay_0192f0c0a0007000800000000000000a" },
            "latest_charge": { "billing_details": { "email": "ada@example.com", "name": null } },
        });
        snapshot(serde_json::from_value(intent).unwrap())
    }

    #[test]
    fn captured_intent_says_what_was_taken_by_whom_and_for_what() {
        let seen = read("succeeded", &json!("secret")).unwrap();
        let yen = Money::new(500, Currency::parse("JPY").unwrap());
        assert_eq!(seen.charge, IntentCharge::Captured(yen));
        assert_eq!(
            (seen.payer.email.as_str(), seen.payer.full_name.as_str()),
            ("ada@example.com", "")
        );
        assert_eq!(seen.payment_method_id.as_deref(), Some("pm_1"));
        let ours = seen.payment_id.map(|id| id.to_string());
        assert_eq!(ours.as_deref(), Some("pay_0192f0c0a0007000800000000000000a"));
    }

    #[test]
    fn open_intent_hands_its_secret_to_the_page() {
        for status in [
            "requires_payment_method",
            "requires_action",
            "requires_confirmation",
        ] {
            let client_secret = "pi_1_secret_2".to_owned();
            let charge = read(status, &json!(client_secret)).unwrap().charge;
            assert_eq!(charge, IntentCharge::AwaitsBuyer { client_secret }, "{status}");
            assert!(matches!(
                read(status, &Value::Null),
                Err(ProviderError::OutcomeUnknown(_))
            ));
        }
    }

    #[test]
    fn unknown_words_are_no_answer() {
        assert_eq!(
            read("canceled", &Value::Null).unwrap().charge,
            IntentCharge::Closed
        );
        assert_eq!(
            read("processing", &Value::Null).unwrap().charge,
            IntentCharge::Processing
        );
        assert!(matches!(
            read("brand_new", &json!("s")),
            Err(ProviderError::OutcomeUnknown(_))
        ));
    }
}

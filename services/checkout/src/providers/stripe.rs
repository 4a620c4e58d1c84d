//! Stripe, by its HTTP API at one pinned version.
//!
//! Not a generated SDK: those follow Stripe's newest version and bring thousands of types, while we make a dozen calls and
//! must know for each answer whether money may have moved.

mod capabilities;
mod changes;
mod form;
mod http;
mod intents;
mod invoices;
mod refunds;
mod refusal;
mod schedules;
mod snapshot;
mod webhooks;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use kit::config::RotatingSecret;
use kit::http::ClientError;

pub use webhooks::read_webhook;

use crate::domain::ids::PaymentId;
use crate::domain::order::buyer::Buyer;
use crate::domain::payment::provider_result::PaymentSnapshot;
use crate::domain::pricing::bin::{Bin, IssuedCard};
use crate::domain::pricing::campaign::Terms;
use crate::ports::{
    AttachedCard, CardProvider, CustomerProvider, NewCard, NewSubscription, PriceProvider, ProviderError,
    SubscriptionProvider,
};
use form::Form;
use http::Http;
use webhooks::StripeWebhooks;
use wire::{
    CardMethodObject, Created, CustomerObject, List, MethodObject, PaymentIntentObject, SubscriptionObject,
};

const PAGE_MAX: &str = "100";

/// What of a subscription we look at beyond its own fields.
const EXPAND: [&str; 3] = [
    "latest_invoice.confirmation_secret",
    "latest_invoice.payments",
    "pending_setup_intent",
];

const CARD_NETWORK: &str = "payment_settings[payment_method_options][card][network]";

/// Our account at Stripe.
#[derive(Debug)]
pub struct Account {
    /// `STRIPE_API_BASE`: Stripe, or its simulator in the sandbox.
    pub api_base: String,
    /// `STRIPE_SECRET_KEY`
    pub secret_key: RotatingSecret,
    /// `STRIPE_WEBHOOK_SECRET`: comma separated, so that secrets can be rotated.
    pub webhook_secrets: RotatingSecret,
    /// `STRIPE_TIMEOUT_MS`: timeout of one call.
    pub timeout: Duration,
}

pub struct Stripe {
    http: Http,
    webhooks: StripeWebhooks,
}

impl Stripe {
    /// The API base has no trailing slash, such as `https://api.stripe.com`.
    pub fn new(settings: Account) -> Result<Self, ClientError> {
        Ok(Self {
            http: Http::new(&settings.api_base, settings.secret_key, settings.timeout)?,
            webhooks: StripeWebhooks::new(settings.webhook_secrets),
        })
    }

    /// An incomplete subscription says too little about its charge: the payment intent says the rest.
    async fn look_into(&self, subscription: SubscriptionObject) -> Result<PaymentSnapshot, ProviderError> {
        let intent: Option<PaymentIntentObject> = match subscription.unsettled_intent_id() {
            Some(id) => {
                let path = format!("/v1/payment_intents/{}", form::path_segment(id));
                Some(self.http.get("fetch_payment_intent", &path, &Form::new()).await?)
            }
            None => None,
        };
        snapshot::of(&subscription, intent.as_ref())
    }
}

#[async_trait]
impl CustomerProvider for Stripe {
    async fn create_customer(&self, buyer: &Buyer) -> Result<String, ProviderError> {
        let form = Form::new()
            .filled("email", &buyer.email)
            .filled("name", &buyer.full_name)
            .with("metadata[user_id]", buyer.user_id.as_str());
        let key = format!("customer-{}", buyer.user_id);
        let created: Created = self
            .http
            .post("create_customer", "/v1/customers", &form, &key)
            .await?;
        Ok(created.id)
    }

    async fn find_customers(&self, buyer: &Buyer) -> Result<Vec<String>, ProviderError> {
        if buyer.email.is_empty() {
            return Ok(Vec::new());
        }
        // Several customers can share an address; one page of a hundred is enough.
        let query = Form::new().with("email", &buyer.email).with("limit", PAGE_MAX);
        let list: List<CustomerObject> = self.http.get("list_customers", "/v1/customers", &query).await?;
        let theirs = list
            .data
            .into_iter()
            .filter(|customer| customer.metadata.user_id.as_deref() == Some(buyer.user_id.as_str()));
        Ok(theirs.map(|customer| customer.id).collect())
    }

    async fn delete_customer(&self, provider_customer_id: &str) -> Result<(), ProviderError> {
        let path = format!("/v1/customers/{}", form::path_segment(provider_customer_id));
        let _: Created = self.http.delete("delete_customer", &path, &Form::new()).await?;
        Ok(())
    }
}

#[async_trait]
impl CardProvider for Stripe {
    async fn fetch_card(&self, payment_method_id: &str) -> Result<IssuedCard, ProviderError> {
        let path = format!("/v1/payment_methods/{}", form::path_segment(payment_method_id));
        let method: CardMethodObject = self.http.get("fetch_card", &path, &Form::new()).await?;
        let card = method.card.ok_or(ProviderError::NotFound)?;
        Ok(IssuedCard {
            country: card.country,
            bin: card.iin.and_then(|iin| Bin::parse(&iin).ok()),
        })
    }

    async fn attach_card(&self, card: &NewCard) -> Result<AttachedCard, ProviderError> {
        let path = format!(
            "/v1/payment_methods/{}/attach",
            form::path_segment(&card.payment_method_id)
        );
        let form = Form::new().with("customer", &card.provider_customer_id);
        let attached: MethodObject = self
            .http
            .post("attach_card", &path, &form, &card.idempotency_key)
            .await?;
        Ok(AttachedCard {
            payment_method_id: attached.id,
            fingerprint: attached.card.and_then(|card| card.fingerprint),
        })
    }

    async fn create_subscription(&self, new: &NewSubscription) -> Result<PaymentSnapshot, ProviderError> {
        let mut form = Form::new()
            .with("customer", &new.provider_customer_id)
            .with("items[0][price]", &new.provider_price_id)
            .with("default_payment_method", &new.payment_method_id)
            .filled(CARD_NETWORK, new.card_network.as_deref().unwrap_or_default())
            // A declined charge leaves a subscription that can still be paid, instead of an error without one.
            .with("payment_behavior", "allow_incomplete")
            .with("metadata[payment_id]", &new.payment_id.to_string())
            .with("metadata[order_id]", &new.order_id.to_string())
            .expand(&EXPAND);
        if new.trial_days > 0 {
            form = form.with("trial_period_days", &new.trial_days.to_string());
        }
        let created: SubscriptionObject = self
            .http
            .post(
                "create_subscription",
                "/v1/subscriptions",
                &form,
                &new.idempotency_key,
            )
            .await?;
        self.look_into(created).await
    }
}

#[async_trait]
impl SubscriptionProvider for Stripe {
    async fn fetch_subscription(&self, id: &str) -> Result<PaymentSnapshot, ProviderError> {
        let path = format!("/v1/subscriptions/{}", form::path_segment(id));
        let found: SubscriptionObject = self
            .http
            .get("fetch_subscription", &path, &Form::new().expand(&EXPAND))
            .await?;
        self.look_into(found).await
    }

    async fn find_subscription(
        &self,
        provider_customer_id: Option<&str>,
        payment_id: PaymentId,
    ) -> Result<Option<PaymentSnapshot>, ProviderError> {
        // Without a customer id Stripe has no data of the buyer.
        let Some(provider_customer_id) = provider_customer_id else {
            return Ok(None);
        };
        // A member has a handful of subscriptions at most, so the newest page is all of them.
        let query = Form::new()
            .with("customer", provider_customer_id)
            .with("status", "all")
            .with("limit", PAGE_MAX);
        let list: List<SubscriptionObject> = self
            .http
            .get("list_subscriptions", "/v1/subscriptions", &query)
            .await?;
        match list
            .data
            .iter()
            .find(|subscription| subscription.payment_id() == Some(payment_id))
        {
            Some(found) => self.fetch_subscription(&found.id).await.map(Some),
            None => Ok(None),
        }
    }

    async fn cancel_subscription(&self, id: &str) -> Result<PaymentSnapshot, ProviderError> {
        let path = format!("/v1/subscriptions/{}", form::path_segment(id));
        let canceled: SubscriptionObject = self
            .http
            .delete("cancel_subscription", &path, &Form::new().expand(&EXPAND))
            .await?;
        self.look_into(canceled).await
    }
}

#[async_trait]
impl PriceProvider for Stripe {
    async fn ensure_price(&self, terms: &Terms) -> Result<String, ProviderError> {
        let query = Form::new()
            .with("lookup_keys[]", &terms.lookup_key)
            .with("active", "true");
        let found: List<Created> = self.http.get("find_price", "/v1/prices", &query).await?;
        if let Some(price) = found.data.into_iter().next() {
            return Ok(price.id);
        }

        let form = Form::new()
            .with("currency", &terms.currency().code().to_ascii_lowercase())
            // Stripe counts in the same minor unit as ISO 4217 for every currency we price in.
            .with("unit_amount", &terms.amount.minor.to_string())
            .with("recurring[interval]", "month")
            .with("recurring[interval_count]", &terms.period_months.to_string())
            .with("product_data[name]", &product_name(terms))
            .with("lookup_key", &terms.lookup_key);
        let key = format!("price-{}", terms.lookup_key);
        let created: Created = self.http.post("create_price", "/v1/prices", &form, &key).await?;
        Ok(created.id)
    }
}

/// What the buyer reads on an invoice.
fn product_name(terms: &Terms) -> String {
    let months = if terms.period_months == 1 {
        "1 month".to_owned()
    } else {
        format!("{} months", terms.period_months)
    };
    format!("Stillpoint {} ({months})", terms.product)
}

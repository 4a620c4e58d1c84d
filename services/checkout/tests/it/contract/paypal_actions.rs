//! The buyer's and the operator's actions at PayPal.

use checkout::domain::provider::Provider;
use sandbox::paypal::{Buyer, Decision};
use serde_json::{Value, json};

use super::provider_setup::ProviderSetup;

impl ProviderSetup {
    /// The buyer agrees to what our page has shown, and that is all that happens.
    pub fn agree(&self, id: &str, buyer: Buyer) {
        let sandbox = self.env.fake_provider.sandbox();
        let now = sandbox.now().timestamp();
        sandbox
            .paypal()
            .decide(id, Decision::Approve(buyer), now)
            .unwrap();
    }

    /// How often PayPal took money.
    pub fn sales(&self) -> usize {
        self.env.fake_provider.sandbox().paypal().state().sales.len()
    }

    /// What PayPal took is what is booked.
    pub async fn check_sales(&self, count: usize) {
        assert_eq!(self.sales(), count);
        let count = i64::try_from(count).unwrap();
        assert_eq!(self.booked(Provider::Paypal).await, count * self.price().await);
    }

    async fn paypal_token(&self) -> String {
        let base = self.env.fake_provider.sandbox().paypal_base();
        let token = reqwest::Client::new()
            .post(format!("{base}/v1/oauth2/token"))
            .basic_auth("paypal-client-stillpoint", Some("paypal-secret-stillpoint"))
            .form(&[("grant_type", "client_credentials")]);
        let token: Value = token.send().await.unwrap().json().await.unwrap();
        token["access_token"].as_str().unwrap().to_owned()
    }

    pub async fn status_at_paypal(&self, id: &str) -> String {
        let base = self.env.fake_provider.sandbox().paypal_base();
        let asked = reqwest::Client::new()
            .get(format!("{base}/v1/billing/subscriptions/{id}"))
            .bearer_auth(self.paypal_token().await);
        let shown: Value = asked.send().await.unwrap().json().await.unwrap();
        shown["status"].as_str().unwrap().to_owned()
    }

    /// The buyer ends it in their PayPal account.
    pub async fn cancel_at_paypal(&self, id: &str) {
        let base = self.env.fake_provider.sandbox().paypal_base();
        let asked = reqwest::Client::new()
            .post(format!("{base}/v1/billing/subscriptions/{id}/cancel"))
            .bearer_auth(self.paypal_token().await)
            .json(&json!({ "reason": "enough" }));
        assert!(asked.send().await.unwrap().status().is_success());
    }

    /// The buyer's bank takes back what was paid.
    pub fn reverse_at_paypal(&self, sale: &str) {
        let sandbox = self.env.fake_provider.sandbox();
        let now = sandbox.now().timestamp();
        sandbox.paypal().reverse(sale, now).unwrap();
    }

    /// A refund in PayPal's dashboard.
    pub async fn refund_at_paypal(&self, sale: &str, amount: &str) {
        let base = self.env.fake_provider.sandbox().paypal_base();
        let asked = reqwest::Client::new()
            .post(format!("{base}/v2/payments/captures/{sale}/refund"))
            .bearer_auth(self.paypal_token().await)
            .json(&json!({ "amount": { "value": amount, "currency_code": "USD" } }));
        assert!(asked.send().await.unwrap().status().is_success());
    }
}

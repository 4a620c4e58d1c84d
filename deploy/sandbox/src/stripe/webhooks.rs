//! Webhooks as Stripe sends them: signed with the virtual time, tried again for days.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tokio::sync::Notify;

use super::{Twin, kinds::Kind, verbs::events};
use crate::{
    courier::{Answer, Letter, Sender},
    outbox::{Delivery, Outbox},
};

impl Sender for Twin {
    /// About three days in all.
    const WAITS: &'static [i64] = &[
        5, 30, 300, 1_800, 7_200, 18_000, 36_000, 43_200, 43_200, 43_200, 43_200,
    ];

    fn changed(&self) -> &Notify {
        &self.memory.changed
    }

    fn outbox<R>(&self, now: i64, work: impl FnOnce(&mut Outbox) -> R) -> R {
        self.bill(now);
        work(&mut self.books().outbox)
    }

    fn next_moment(&self) -> Option<i64> {
        self.books().next_moment()
    }

    fn letter(&self, delivery: &Delivery, now: i64) -> Option<Letter> {
        let books = self.books();
        let endpoint = books.get(Kind::WebhookEndpoint, &delivery.endpoint)?;
        let event = events::unfolded(&books, &delivery.event)?;
        let body = serde_json::to_vec_pretty(&event).ok()?;
        let signature = sign(endpoint["_secret"].as_str()?, now, &body);
        Some(Letter {
            url: endpoint["url"].as_str()?.to_owned(),
            headers: vec![
                ("content-type", "application/json; charset=utf-8".into()),
                (
                    "user-agent",
                    "Stripe/1.0 (+https://stripe.com/docs/webhooks)".into(),
                ),
                ("stripe-signature", signature),
            ],
            body,
        })
    }

    fn heard(&self, _: &Delivery, answer: Option<&Answer>, _: i64) -> bool {
        self.books().touch();
        answer.is_some_and(Answer::is_success)
    }
}

/// `t=…,v1=…` over the time and the raw body.
pub fn sign(secret: &str, now: i64, body: &[u8]) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return format!("t={now}");
    };
    mac.update(now.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    format!("t={now},v1={}", hex::encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_stripes() {
        // Computed apart: printf '1.{}' | openssl dgst -sha256 -hmac whsec_x
        let expected = "t=1,v1=36ee2f7498f0c1777d1312b2a7361947fe5ad31223be30d0c62421f4ca753401";
        assert_eq!(sign("whsec_x", 1, b"{}"), expected);
    }
}

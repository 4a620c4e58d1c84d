//! Checkout: one campaign, one coupon, one subscription.
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use kit::error::{Failure, Kind};
use proto::checkout::v1 as checkout;
use proto::common::v1::Money;
use proto::export::v1 as export;
use tonic::{Request, Response, Status};

use super::{Answer, World, a_month_on, refuse};

pub struct Checkout(pub Arc<World>);

fn lira(amount_minor: i64) -> Money {
    Money {
        amount_minor,
        currency: "TRY".into(),
    }
}

fn offer(campaign: &str, coupon_code: &str) -> checkout::Offer {
    checkout::Offer {
        campaign: campaign.into(),
        campaign_id: "cmp_1".into(),
        coupon_code: coupon_code.into(),
        price_id: "prc_1".into(),
        price: Some(lira(95_920)),
        default_price: Some(lira(119_900)),
        discount_amount: Some(lira(23_980)),
        discount_rate_percent: 20,
        trial_days: 7,
        period_months: 12,
        product: "premium".into(),
    }
}

fn subscription() -> checkout::Subscription {
    checkout::Subscription {
        subscription_id: "sub_1".into(),
        order_id: "ord_1".into(),
        product: "premium".into(),
        price_id: "prc_1".into(),
        status: "active".into(),
        price: Some(lira(5_999)),
        trial_days: 0,
        current_period_end: Some(a_month_on()),
        created_at: Some(a_month_on()),
    }
}

#[async_trait]
impl checkout::checkout_service_server::CheckoutService for Checkout {
    async fn resolve_campaign(
        &self,
        request: Request<checkout::ResolveCampaignRequest>,
    ) -> Answer<checkout::ResolveCampaignResponse> {
        let request = request.into_inner();
        *self.0.resolved.lock().unwrap() = Some(request.clone());
        if request.campaign != "web-annual" {
            return refuse(Kind::NotFound, "UNKNOWN_CAMPAIGN", "There is no such offer.");
        }
        if !matches!(request.coupon_code.as_str(), "" | "WELCOME20") {
            return refuse(Kind::NotFound, "UNKNOWN_COUPON", "There is no such coupon.");
        }
        Ok(Response::new(checkout::ResolveCampaignResponse {
            offer: Some(offer(&request.campaign, &request.coupon_code)),
            stripe_customer_id: if request.user_id.is_empty() {
                String::new()
            } else {
                "cus_1".into()
            },
            stripe_price_id: "price_1".into(),
            quote: "quote_1".into(),
            quote_expires_at: Some(a_month_on()),
            trial_prices: vec![checkout::TrialPrice {
                price_id: "prc_trial".into(),
                price: Some(lira(100)),
            }],
            kind: "subscription".into(),
        }))
    }

    async fn check_bin(
        &self,
        request: Request<checkout::CheckBinRequest>,
    ) -> Answer<checkout::CheckBinResponse> {
        let is_ours = request.into_inner().bin.starts_with("440776");
        let campaign = if is_ours { "teb40" } else { "" };
        Ok(Response::new(checkout::CheckBinResponse {
            campaign: campaign.into(),
        }))
    }

    async fn quote_offers(
        &self,
        request: Request<checkout::QuoteOffersRequest>,
    ) -> Answer<checkout::QuoteOffersResponse> {
        self.0.quotes.fetch_add(1, Ordering::SeqCst);
        if self.0.checkout_down.load(Ordering::SeqCst) {
            return Err(Status::unavailable("down"));
        }
        let checkout::QuoteOffersRequest { items, language, .. } = request.into_inner();
        self.0.quoted_in.lock().unwrap().push(language);
        let known = items.iter().filter(|item| item.campaign.starts_with("web-"));
        let offers = known
            .map(|item| offer(&item.campaign, &item.coupon_code))
            .collect();
        Ok(Response::new(checkout::QuoteOffersResponse { offers }))
    }

    async fn create_subscription(
        &self,
        request: Request<checkout::CreateSubscriptionRequest>,
    ) -> Answer<checkout::CreateSubscriptionResponse> {
        self.0.note_deadline("create_subscription", &request);
        let request = request.into_inner();
        *self.0.bought.lock().unwrap() = Some(request.clone());
        if request.idempotency_key == "used" {
            return refuse(
                Kind::Conflict,
                "IDEMPOTENCY_CONFLICT",
                "The key was used with another body.",
            );
        }
        match request.payment_method_id.as_str() {
            "pm_declined" => refuse(Kind::Refused, "card_declined", "Your card was declined."),
            "pm_slow" => {
                tokio::time::sleep(Duration::from_mins(1)).await;
                refuse(Kind::Internal, "INTERNAL", "never said")
            }
            _ => Ok(Response::new(checkout::CreateSubscriptionResponse {
                subscription: Some(subscription()),
                payment_status: "succeeded".into(),
                client_secret: "pi_1_secret".into(),
                setup_intent_secret: String::new(),
                payment_intent_id: "pi_1".into(),
                quantity: 1,
            })),
        }
    }

    async fn confirm_subscription(
        &self,
        request: Request<checkout::ConfirmSubscriptionRequest>,
    ) -> Answer<checkout::ConfirmSubscriptionResponse> {
        if request.into_inner().subscription_id != "sub_1" {
            return refuse(
                Kind::NotFound,
                "UNKNOWN_SUBSCRIPTION",
                "There is no such subscription.",
            );
        }
        let payment_status = "succeeded".into();
        Ok(Response::new(checkout::ConfirmSubscriptionResponse {
            subscription: Some(subscription()),
            payment_status,
        }))
    }

    async fn list_subscriptions(
        &self,
        _: Request<checkout::ListSubscriptionsRequest>,
    ) -> Answer<checkout::ListSubscriptionsResponse> {
        Ok(Response::new(checkout::ListSubscriptionsResponse {
            subscriptions: vec![subscription()],
        }))
    }

    async fn receive_webhook(
        &self,
        request: Request<checkout::ReceiveWebhookRequest>,
    ) -> Answer<checkout::ReceiveWebhookResponse> {
        let request = request.into_inner();
        if request.signature != format!("signs {}", String::from_utf8_lossy(&request.body)) {
            return refuse(Kind::Invalid, "BAD_SIGNATURE", "The signature does not fit.");
        }
        Ok(Response::new(checkout::ReceiveWebhookResponse {
            duplicate: false,
            ..Default::default()
        }))
    }

    async fn create_survey_order(
        &self,
        request: Request<checkout::CreateSurveyOrderRequest>,
    ) -> Answer<checkout::CreateSurveyOrderResponse> {
        let request = request.into_inner();
        *self.0.survey_begun.lock().unwrap() = Some(request.clone());
        if request.idempotency_key == "used" {
            return refuse(
                Kind::Conflict,
                "IDEMPOTENCY_CONFLICT",
                "The key was used with another body.",
            );
        }
        if request.lang.is_empty() {
            let failure = Failure::new(Kind::Invalid, "INVALID_ARGUMENT", "lang: is no language tag");
            return Err(failure.field("lang", "INVALID", "is no language tag").into());
        }
        Ok(Response::new(checkout::CreateSurveyOrderResponse {
            order_id: "svo_1".into(),
        }))
    }

    async fn export_member(
        &self,
        request: Request<checkout::ExportMemberRequest>,
    ) -> Answer<checkout::ExportMemberResponse> {
        if self.0.checkout_down.load(Ordering::SeqCst) {
            return Err(Status::unavailable("down"));
        }
        let customer = export::Customer {
            stripe_customer_id: format!("cus_of_{}", request.into_inner().user_id),
            ..Default::default()
        };
        Ok(Response::new(checkout::ExportMemberResponse {
            export: Some(export::CheckoutExport {
                customer: Some(customer),
                ..Default::default()
            }),
        }))
    }
}

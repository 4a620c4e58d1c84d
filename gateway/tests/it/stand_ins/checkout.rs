//! Checkout: one campaign, one coupon, one subscription.
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use kit::error::{ErrorCode, Failure, Kind};
use kit::requester;
use proto::checkout::v1 as checkout;
use proto::export::v1 as export;
use tonic::{Request, Response, Status};

use super::wares::{self, lira, offer, subscription, unknown_subscription};
use super::{Answer, FakeServices, a_month_on, refuse, surveys};

pub struct Checkout(pub Arc<FakeServices>);

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
            russian: (request.country == "RU").then(wares::russian),
            ..Default::default()
        }))
    }

    async fn link_paypal_subscription(
        &self,
        request: Request<checkout::LinkPaypalSubscriptionRequest>,
    ) -> Answer<checkout::CreateSubscriptionResponse> {
        let request = request.into_inner();
        if request.subscription_id != format!("I-{}", request.user_id) {
            return refuse(
                Kind::Refused,
                "UNKNOWN_PAYPAL_SUBSCRIPTION",
                "There is no such subscription.",
            );
        }
        Ok(Response::new(checkout::CreateSubscriptionResponse {
            subscription: Some(checkout::Subscription {
                subscription_id: "sbn_1".into(),
                status: "active".into(),
                ..Default::default()
            }),
            ..Default::default()
        }))
    }

    async fn confirm_platron_payment(
        &self,
        request: Request<checkout::ConfirmPlatronPaymentRequest>,
    ) -> Answer<checkout::ConfirmPlatronPaymentResponse> {
        let request = request.into_inner();
        let state = match request.payment_id.as_str() {
            id if request.reference != format!("hco_{id}.1") => {
                return refuse(Kind::NotFound, "UNKNOWN_ORDER", "There is no such order.");
            }
            "77" => "paid",
            _ => "open",
        };
        Ok(Response::new(checkout::ConfirmPlatronPaymentResponse {
            state: state.into(),
        }))
    }

    async fn check_bin(
        &self,
        request: Request<checkout::CheckBinRequest>,
    ) -> Answer<checkout::CheckBinResponse> {
        *self.0.requester.lock().unwrap() = Some(requester::current());
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
            return unknown_subscription();
        }
        let payment_status = "succeeded".into();
        Ok(Response::new(checkout::ConfirmSubscriptionResponse {
            subscription: Some(subscription()),
            payment_status,
        }))
    }

    async fn create_intent(
        &self,
        request: Request<checkout::CreateIntentRequest>,
    ) -> Answer<checkout::CreateIntentResponse> {
        let request = request.into_inner();
        *self.0.opened.lock().unwrap() = Some(request.clone());
        if request.price_id.is_empty() {
            return refuse(Kind::Refused, "UNKNOWN_PRICE", "This price is no longer offered.");
        }
        Ok(Response::new(checkout::CreateIntentResponse {
            order_id: "ord_1".into(),
            payment_status: "requires_payment_method".into(),
            client_secret: "pi_1_secret_2".into(),
            payment_intent_id: "pi_1".into(),
        }))
    }

    async fn create_gift(
        &self,
        request: Request<checkout::CreateGiftRequest>,
    ) -> Answer<checkout::CreateGiftResponse> {
        let request = request.into_inner();
        *self.0.gifted.lock().unwrap() = Some(request.clone());
        if request.email.is_empty() {
            return Err(Failure::new(
                Kind::Invalid,
                ErrorCode::InvalidArgument,
                "Enter your e-mail address.",
            )
            .field("email", ErrorCode::Required, "Enter your e-mail address.")
            .into());
        }
        Ok(Response::new(checkout::CreateGiftResponse {
            order_id: "ord_1".into(),
            payment_status: "requires_payment_method".into(),
            yookassa_token: "ct-1".into(),
            platron_url: "https://www.platron.ru/payment_params.php?customer=1".into(),
        }))
    }

    async fn confirm_intent(
        &self,
        request: Request<checkout::ConfirmIntentRequest>,
    ) -> Answer<checkout::CreateIntentResponse> {
        let payment_status = match request.into_inner().payment_intent_id.as_str() {
            "pi_paid" => "succeeded",
            "pi_1" => "processing",
            "pi_closed" => "canceled",
            _ => return refuse(Kind::NotFound, "UNKNOWN_ORDER", "There is no such order."),
        };
        Ok(Response::new(checkout::CreateIntentResponse {
            payment_status: payment_status.into(),
            ..Default::default()
        }))
    }

    async fn list_additions(
        &self,
        _: Request<checkout::ListAdditionsRequest>,
    ) -> Answer<checkout::ListAdditionsResponse> {
        Ok(Response::new(checkout::ListAdditionsResponse {
            offers: vec![offer("addition-therapy", "")],
            card_last4: "4242".into(),
        }))
    }

    async fn claim_survey_order(
        &self,
        request: Request<checkout::ClaimSurveyOrderRequest>,
    ) -> Answer<checkout::ClaimSurveyOrderResponse> {
        let request = request.into_inner();
        *self.0.survey_claimed.lock().unwrap() = Some(request.clone());
        if request.order_id != "svo_1" {
            return refuse(Kind::NotFound, "UNKNOWN_ORDER", "There is no such order.");
        }
        Ok(Response::new(checkout::ClaimSurveyOrderResponse {}))
    }

    async fn settle_survey_order(
        &self,
        request: Request<checkout::SettleSurveyOrderRequest>,
    ) -> Answer<checkout::SettleSurveyOrderResponse> {
        surveys::settle(&request.into_inner())
    }

    async fn set_subscription_attribution(
        &self,
        request: Request<checkout::SetSubscriptionAttributionRequest>,
    ) -> Answer<checkout::SetSubscriptionAttributionResponse> {
        if request.into_inner().subscription_id != "I-1" {
            return refuse(
                Kind::NotFound,
                "UNKNOWN_SUBSCRIPTION",
                "There is no such subscription.",
            );
        }
        Ok(Response::new(checkout::SetSubscriptionAttributionResponse {}))
    }

    async fn list_subscriptions(
        &self,
        _: Request<checkout::ListSubscriptionsRequest>,
    ) -> Answer<checkout::ListSubscriptionsResponse> {
        Ok(wares::subscriptions())
    }

    async fn list_purchases(
        &self,
        _: Request<checkout::ListPurchasesRequest>,
    ) -> Answer<checkout::ListPurchasesResponse> {
        Ok(wares::purchases())
    }

    async fn change_subscription(
        &self,
        request: Request<checkout::ChangeSubscriptionRequest>,
    ) -> Answer<checkout::ChangeSubscriptionResponse> {
        wares::changed(&request.into_inner())
    }

    async fn preview_plan(
        &self,
        request: Request<checkout::PreviewPlanRequest>,
    ) -> Answer<checkout::PreviewPlanResponse> {
        wares::previewed(request.into_inner())
    }

    async fn list_plans(
        &self,
        request: Request<checkout::ListPlansRequest>,
    ) -> Answer<checkout::ListPlansResponse> {
        wares::plans(&request.into_inner().subscription_id)
    }

    async fn declare_withdrawal(
        &self,
        request: Request<checkout::DeclareWithdrawalRequest>,
    ) -> Answer<checkout::DeclareWithdrawalResponse> {
        let request = request.into_inner();
        *self.0.withdrawn.lock().unwrap() = Some(request.clone());
        wares::declared(&request)
    }

    async fn get_withdrawal(
        &self,
        _: Request<checkout::GetWithdrawalRequest>,
    ) -> Answer<checkout::GetWithdrawalResponse> {
        refuse(
            Kind::NotFound,
            "UNKNOWN_WITHDRAWAL",
            "There is no such withdrawal.",
        )
    }

    async fn get_guest(&self, _: Request<checkout::GetGuestRequest>) -> Answer<checkout::GetGuestResponse> {
        refuse(Kind::NotFound, "UNKNOWN_ORDER", "There is no such order.")
    }

    async fn receive_webhook(
        &self,
        request: Request<checkout::ReceiveWebhookRequest>,
    ) -> Answer<checkout::ReceiveWebhookResponse> {
        *self.0.requester.lock().unwrap() = Some(requester::current());
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
        surveys::begin(&self.0, &request.into_inner())
    }

    async fn save_survey_answers(
        &self,
        request: Request<checkout::SaveSurveyAnswersRequest>,
    ) -> Answer<checkout::SaveSurveyAnswersResponse> {
        surveys::save(&self.0, request.into_inner())
    }

    async fn get_survey(
        &self,
        request: Request<checkout::GetSurveyRequest>,
    ) -> Answer<checkout::GetSurveyResponse> {
        surveys::get(&request.into_inner())
    }

    async fn create_survey_playlist(
        &self,
        request: Request<checkout::CreateSurveyPlaylistRequest>,
    ) -> Answer<checkout::CreateSurveyPlaylistResponse> {
        surveys::playlist(&request.into_inner())
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

//! gRPC to flows.

mod attribution;
mod changes;
mod convert;
mod export;
mod gifts;
mod intents;
mod language;
mod surveys;
mod text;
mod withdrawals;

use std::sync::Arc;

use kit::error::Failure;
use proto::checkout::v1::checkout_service_server::CheckoutService;
use proto::checkout::v1::{
    ChangeSubscriptionRequest, ChangeSubscriptionResponse, CheckBinRequest, CheckBinResponse,
    ClaimSurveyOrderRequest, ClaimSurveyOrderResponse, ConfirmIntentRequest, ConfirmPlatronPaymentRequest,
    ConfirmPlatronPaymentResponse, ConfirmSubscriptionRequest, ConfirmSubscriptionResponse,
    CreateGiftRequest, CreateGiftResponse, CreateIntentRequest, CreateIntentResponse,
    CreateSubscriptionRequest, CreateSubscriptionResponse, CreateSurveyOrderRequest,
    CreateSurveyOrderResponse, CreateSurveyPlaylistRequest, CreateSurveyPlaylistResponse,
    DeclareWithdrawalRequest, DeclareWithdrawalResponse, ExportMemberRequest, ExportMemberResponse,
    GetGuestRequest, GetGuestResponse, GetSurveyRequest, GetSurveyResponse, GetWithdrawalRequest,
    GetWithdrawalResponse, LinkPaypalSubscriptionRequest, ListAdditionsRequest, ListAdditionsResponse,
    ListPlansRequest, ListPlansResponse, ListPurchasesRequest, ListPurchasesResponse,
    ListSubscriptionsRequest, ListSubscriptionsResponse, PreviewPlanRequest, PreviewPlanResponse,
    QuoteOffersRequest, QuoteOffersResponse, ReceiveWebhookRequest, ReceiveWebhookResponse,
    ResolveCampaignRequest, ResolveCampaignResponse, SaveSurveyAnswersRequest, SaveSurveyAnswersResponse,
    SetSubscriptionAttributionRequest, SetSubscriptionAttributionResponse, SettleSurveyOrderRequest,
    SettleSurveyOrderResponse,
};
use tonic::{Request, Response, Status};

use crate::domain::pricing::catalogue::PriceQuery;
use crate::domain::webhook_event::IngestResult;
use crate::error::{Error, Result};
use crate::flows::{self, Checkout};

pub struct CheckoutRpc {
    checkout: Arc<Checkout>,
}

impl CheckoutRpc {
    pub fn new(checkout: Arc<Checkout>) -> Self {
        Self { checkout }
    }
}

fn answer<T>(outcome: Result<T>) -> std::result::Result<Response<T>, Status> {
    outcome
        .map(Response::new)
        .map_err(|error| Failure::from(error).into())
}

#[tonic::async_trait]
impl CheckoutService for CheckoutRpc {
    async fn resolve_campaign(
        &self,
        request: Request<ResolveCampaignRequest>,
    ) -> std::result::Result<Response<ResolveCampaignResponse>, Status> {
        let outcome = async {
            let ask = convert::resolve_campaign(request.into_inner())?;
            let resolved =
                flows::api::pricing::resolve_campaign::resolve_campaign(&self.checkout, &ask).await?;
            convert::resolved_offer(resolved)
        };
        answer(outcome.await)
    }

    async fn quote_offers(
        &self,
        request: Request<QuoteOffersRequest>,
    ) -> std::result::Result<Response<QuoteOffersResponse>, Status> {
        let request = request.into_inner();
        if request.items.len() > convert::QUOTED_MAX {
            return answer(Err(Error::Invalid {
                field: "items",
                why: "at most 50 can be quoted at once",
            }));
        }
        let enquiries = request.items.iter().map(|item| PriceQuery {
            campaign: &item.campaign,
            coupon_code: &item.coupon_code,
            language: &request.language,
            country: &request.country,
        });
        let prices = flows::api::pricing::quote_offers::quote_offers(&self.checkout, enquiries);
        let offers = prices
            .iter()
            .map(|price| convert::offer(price))
            .collect::<Result<_>>();
        answer(offers.map(|offers| QuoteOffersResponse { offers }))
    }

    async fn create_subscription(
        &self,
        request: Request<CreateSubscriptionRequest>,
    ) -> std::result::Result<Response<CreateSubscriptionResponse>, Status> {
        let outcome = async {
            let command = convert::create_subscription(request.into_inner())?;
            let purchase =
                flows::api::orders::create_subscription::create_subscription(&self.checkout, &command)
                    .await?;
            convert::created(purchase)
        };
        answer(outcome.await)
    }

    async fn link_paypal_subscription(
        &self,
        request: Request<LinkPaypalSubscriptionRequest>,
    ) -> std::result::Result<Response<CreateSubscriptionResponse>, Status> {
        let outcome = async {
            let command = convert::link_paypal_subscription(request.into_inner())?;
            let purchase = flows::api::orders::link_paypal_subscription::link_paypal_subscription(
                &self.checkout,
                &command,
            )
            .await?;
            convert::created(purchase)
        };
        answer(outcome.await)
    }

    async fn confirm_platron_payment(
        &self,
        request: Request<ConfirmPlatronPaymentRequest>,
    ) -> std::result::Result<Response<ConfirmPlatronPaymentResponse>, Status> {
        let outcome = async {
            let returned = convert::platron_payment(request.into_inner())?;
            let state = flows::api::orders::confirm_platron_payment::confirm_platron_payment(
                &self.checkout,
                &returned,
            )
            .await?;
            Ok(ConfirmPlatronPaymentResponse {
                state: state.name().to_owned(),
            })
        };
        answer(outcome.await)
    }

    async fn confirm_subscription(
        &self,
        request: Request<ConfirmSubscriptionRequest>,
    ) -> std::result::Result<Response<ConfirmSubscriptionResponse>, Status> {
        let outcome = async {
            let request = request.into_inner();
            let user_id = convert::user_id(&request.user_id)?;
            let subscription_id = request
                .subscription_id
                .parse()
                .map_err(|_| Error::UnknownSubscription)?;
            let purchase = flows::api::orders::confirm_subscription::confirm_subscription(
                &self.checkout,
                &user_id,
                subscription_id,
            )
            .await?;
            Ok(convert::confirmed(&purchase))
        };
        answer(outcome.await)
    }

    async fn create_intent(
        &self,
        request: Request<CreateIntentRequest>,
    ) -> std::result::Result<Response<CreateIntentResponse>, Status> {
        answer(intents::create(&self.checkout, request.into_inner()).await)
    }

    async fn create_gift(
        &self,
        request: Request<CreateGiftRequest>,
    ) -> std::result::Result<Response<CreateGiftResponse>, Status> {
        answer(gifts::create(&self.checkout, request.into_inner()).await)
    }

    async fn confirm_intent(
        &self,
        request: Request<ConfirmIntentRequest>,
    ) -> std::result::Result<Response<CreateIntentResponse>, Status> {
        answer(intents::confirm(&self.checkout, request.into_inner()).await)
    }

    async fn list_additions(
        &self,
        request: Request<ListAdditionsRequest>,
    ) -> std::result::Result<Response<ListAdditionsResponse>, Status> {
        answer(intents::list_additions(&self.checkout, request.into_inner()).await)
    }

    async fn list_subscriptions(
        &self,
        request: Request<ListSubscriptionsRequest>,
    ) -> std::result::Result<Response<ListSubscriptionsResponse>, Status> {
        let outcome = async {
            let user_id = convert::user_id(&request.into_inner().user_id)?;
            let held =
                flows::api::subscriptions::list_subscriptions::list_subscriptions(&self.checkout, &user_id)
                    .await?;
            let subscriptions = held.iter().map(changes::shown).collect();
            Ok(ListSubscriptionsResponse { subscriptions })
        };
        answer(outcome.await)
    }

    async fn list_purchases(
        &self,
        request: Request<ListPurchasesRequest>,
    ) -> std::result::Result<Response<ListPurchasesResponse>, Status> {
        answer(intents::list_purchases(&self.checkout, request.into_inner()).await)
    }

    async fn change_subscription(
        &self,
        request: Request<ChangeSubscriptionRequest>,
    ) -> std::result::Result<Response<ChangeSubscriptionResponse>, Status> {
        answer(changes::change(&self.checkout, request.into_inner()).await)
    }

    async fn preview_plan(
        &self,
        request: Request<PreviewPlanRequest>,
    ) -> std::result::Result<Response<PreviewPlanResponse>, Status> {
        answer(changes::preview(&self.checkout, request.into_inner()).await)
    }

    async fn list_plans(
        &self,
        request: Request<ListPlansRequest>,
    ) -> std::result::Result<Response<ListPlansResponse>, Status> {
        answer(changes::plans(&self.checkout, &request.into_inner()).await)
    }

    async fn declare_withdrawal(
        &self,
        request: Request<DeclareWithdrawalRequest>,
    ) -> std::result::Result<Response<DeclareWithdrawalResponse>, Status> {
        answer(withdrawals::declare(&self.checkout, request.into_inner()).await)
    }

    async fn get_withdrawal(
        &self,
        request: Request<GetWithdrawalRequest>,
    ) -> std::result::Result<Response<GetWithdrawalResponse>, Status> {
        answer(withdrawals::get(&self.checkout, &request.into_inner()).await)
    }

    async fn get_guest(
        &self,
        request: Request<GetGuestRequest>,
    ) -> std::result::Result<Response<GetGuestResponse>, Status> {
        let outcome = async {
            let order_id = request.into_inner().order_id.parse();
            let order_id = order_id.map_err(|_| Error::UnknownOrder)?;
            let email = flows::api::orders::get_guest::get_guest(&self.checkout, order_id).await?;
            Ok(GetGuestResponse { email })
        };
        answer(outcome.await)
    }

    async fn receive_webhook(
        &self,
        request: Request<ReceiveWebhookRequest>,
    ) -> std::result::Result<Response<ReceiveWebhookResponse>, Status> {
        let outcome = async {
            let request = request.into_inner();
            let (provider, request) = convert::delivery(request)?;
            let received =
                flows::api::receive_webhook::receive_webhook(&self.checkout, provider, &request).await?;
            let (answer, answer_type) = received
                .answer
                .map(|answer| (answer.body, answer.content_type.to_owned()))
                .unwrap_or_default();
            Ok(ReceiveWebhookResponse {
                duplicate: received.result == IngestResult::Duplicate,
                answer,
                answer_type,
            })
        };
        answer(outcome.await)
    }

    async fn create_survey_order(
        &self,
        request: Request<CreateSurveyOrderRequest>,
    ) -> std::result::Result<Response<CreateSurveyOrderResponse>, Status> {
        let outcome = async {
            let command = convert::create_survey_order(request.into_inner())?;
            let opened =
                flows::api::surveys::create_survey_order::create_survey_order(&self.checkout, command)
                    .await?;
            Ok(CreateSurveyOrderResponse {
                order_id: opened.survey_order_id.to_string(),
                access_key: opened.access_key.0,
            })
        };
        answer(outcome.await)
    }

    async fn save_survey_answers(
        &self,
        request: Request<SaveSurveyAnswersRequest>,
    ) -> std::result::Result<Response<SaveSurveyAnswersResponse>, Status> {
        answer(surveys::save_survey_answers(&self.checkout, request.into_inner()).await)
    }

    async fn get_survey(
        &self,
        request: Request<GetSurveyRequest>,
    ) -> std::result::Result<Response<GetSurveyResponse>, Status> {
        answer(surveys::get_survey(&self.checkout, request.into_inner()).await)
    }

    async fn create_survey_playlist(
        &self,
        request: Request<CreateSurveyPlaylistRequest>,
    ) -> std::result::Result<Response<CreateSurveyPlaylistResponse>, Status> {
        answer(surveys::create_survey_playlist(&self.checkout, &request.into_inner()).await)
    }

    async fn claim_survey_order(
        &self,
        request: Request<ClaimSurveyOrderRequest>,
    ) -> std::result::Result<Response<ClaimSurveyOrderResponse>, Status> {
        answer(attribution::claim_survey_order(&self.checkout, &request.into_inner()).await)
    }

    async fn settle_survey_order(
        &self,
        request: Request<SettleSurveyOrderRequest>,
    ) -> std::result::Result<Response<SettleSurveyOrderResponse>, Status> {
        answer(attribution::settle_survey_order(&self.checkout, &request.into_inner()).await)
    }

    async fn set_subscription_attribution(
        &self,
        request: Request<SetSubscriptionAttributionRequest>,
    ) -> std::result::Result<Response<SetSubscriptionAttributionResponse>, Status> {
        answer(attribution::set_subscription_attribution(&self.checkout, request.into_inner()).await)
    }

    async fn check_bin(
        &self,
        request: Request<CheckBinRequest>,
    ) -> std::result::Result<Response<CheckBinResponse>, Status> {
        let bin = convert::bin(&request.into_inner().bin);
        let campaign = bin.and_then(|bin| flows::api::pricing::check_bin::check_bin(&self.checkout, bin));
        answer(campaign.map(|campaign| CheckBinResponse {
            campaign: campaign.unwrap_or_default(),
        }))
    }

    async fn export_member(
        &self,
        request: Request<ExportMemberRequest>,
    ) -> std::result::Result<Response<ExportMemberResponse>, Status> {
        let outcome = async {
            let user_id = convert::user_id(&request.into_inner().user_id)?;
            let member = flows::privacy::export_member::export_member(&self.checkout, &user_id).await?;
            Ok(ExportMemberResponse {
                export: Some(export::export(member)),
            })
        };
        answer(outcome.await)
    }
}

//! What checkout may publish and consume, and who may call it.

use kit::erasure::requests;
use kit::run::{Access, Caller};
use proto::checkout::v1::checkout_service_server;
use proto::events::Event;
use proto::events::v1::CampaignPublished;

use crate::consumers::REGISTRATIONS;

pub const ACCESS: Access = Access {
    publishes: &["checkout"],
    consumers: &[REGISTRATIONS, requests("checkout-erasure")],
    watches: &[CampaignPublished::SUBJECT],
    callers: &[
        Caller {
            name: "gateway",
            grpc_service: checkout_service_server::SERVICE_NAME,
            rpcs: &[
                "ResolveCampaign",
                "QuoteOffers",
                "CreateSubscription",
                "ConfirmSubscription",
                "LinkPaypalSubscription",
                "ConfirmPlatronPayment",
                "CreateIntent",
                "CreateGift",
                "ConfirmIntent",
                "ListAdditions",
                "ListSubscriptions",
                "ListPurchases",
                "ChangeSubscription",
                "PreviewPlan",
                "ListPlans",
                "DeclareWithdrawal",
                "ReceiveWebhook",
                "CreateSurveyOrder",
                "SaveSurveyAnswers",
                "GetSurvey",
                "CreateSurveyPlaylist",
                "ClaimSurveyOrder",
                "SettleSurveyOrder",
                "SetSubscriptionAttribution",
                "CheckBin",
                "ExportMember",
            ],
        },
        Caller {
            name: "auth",
            grpc_service: checkout_service_server::SERVICE_NAME,
            rpcs: &["GetWithdrawal", "GetGuest"],
        },
    ],
};

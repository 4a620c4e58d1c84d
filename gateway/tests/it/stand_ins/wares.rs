//! What checkout's stand-in has to show.
use kit::error::{Failure, FieldError, Kind};
use proto::checkout::v1 as checkout;
use proto::common::v1::Money;
use tonic::Response;

use super::{Answer, a_month_on, refuse};

pub fn lira(amount_minor: i64) -> Money {
    Money {
        amount_minor,
        currency: "TRY".into(),
    }
}

pub fn offer(campaign: &str, coupon_code: &str) -> checkout::Offer {
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
        opens: vec!["premium".into()],
    }
}

pub fn russian() -> checkout::HostedCheckouts {
    checkout::HostedCheckouts {
        yookassa_token: "ct-1".into(),
        unavailable: vec![checkout::Provider::Platron.into()],
        ..Default::default()
    }
}

pub fn unknown_subscription<T>() -> Answer<T> {
    refuse(
        Kind::NotFound,
        "UNKNOWN_SUBSCRIPTION",
        "There is no such subscription.",
    )
}

pub fn subscription() -> checkout::Subscription {
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
        renews: true,
        ..Default::default()
    }
}

pub fn subscriptions() -> Response<checkout::ListSubscriptionsResponse> {
    Response::new(checkout::ListSubscriptionsResponse {
        subscriptions: vec![subscription()],
    })
}

pub fn purchases() -> Response<checkout::ListPurchasesResponse> {
    let purchase = checkout::Purchase {
        order_id: "ord_2".into(),
        kind: "lifetime".into(),
        product: "premium".into(),
        price_id: "prc_2".into(),
        price: Some(lira(499_999)),
        provider: checkout::Provider::Yookassa.into(),
        paid_at: Some(a_month_on()),
        receipts: vec![checkout::Receipt {
            payment_id: "pay_2".into(),
            paid_at: Some(a_month_on()),
            amount: Some(lira(499_999)),
            reason: "first".into(),
        }],
        refunded: Some(lira(10_000)),
    };
    Response::new(checkout::ListPurchasesResponse {
        purchases: vec![purchase],
    })
}

pub fn scheduled() -> checkout::ScheduledPlan {
    checkout::ScheduledPlan {
        price_id: "prc_web-monthly".into(),
        price: Some(lira(19_999)),
        period_months: 1,
        starts_at: Some(a_month_on()),
    }
}

pub fn plans(subscription_id: &str) -> Answer<checkout::ListPlansResponse> {
    if subscription_id != "sub_1" {
        return unknown_subscription();
    }
    let plan = |campaign: &str, amount_minor, period_months, current| checkout::list_plans_response::Plan {
        campaign: campaign.into(),
        price_id: format!("prc_{campaign}"),
        price: Some(lira(amount_minor)),
        period_months,
        current,
        // Less than the one it runs on.
        starts_at: (amount_minor < 19_999).then(a_month_on),
        ..Default::default()
    };
    Ok(Response::new(checkout::ListPlansResponse {
        plans: vec![
            plan("web-monthly", 19_999, 1, true),
            plan("web-lite", 9_999, 1, false),
            plan("web-annual", 99_999, 12, false),
        ],
    }))
}

pub fn previewed(request: checkout::PreviewPlanRequest) -> Answer<checkout::PreviewPlanResponse> {
    if request.subscription_id != "sub_1" {
        return unknown_subscription();
    }
    Ok(Response::new(checkout::PreviewPlanResponse {
        price_id: request.price_id,
        due_now: Some(lira(4_950)),
        then: Some(lira(5_999)),
        period_months: 1,
        prorated_at: Some(proto::Timestamp {
            seconds: 1_800_000_000,
            nanos: 0,
        }),
        starts_at: None,
    }))
}

pub fn declared(request: &checkout::DeclareWithdrawalRequest) -> Answer<checkout::DeclareWithdrawalResponse> {
    if request.idempotency_key == "used" {
        return refuse(
            Kind::Conflict,
            "IDEMPOTENCY_CONFLICT",
            "The key was used with another body.",
        );
    }
    if request.email.is_empty() {
        let error = FieldError {
            field: "email".into(),
            code: "REQUIRED".into(),
            message: "Enter your e-mail address.".into(),
        };
        return Err(Failure::fields(vec![error]).into());
    }
    Ok(Response::new(checkout::DeclareWithdrawalResponse {
        withdrawal_id: "wdr_1".into(),
        received_at: Some(a_month_on()),
    }))
}

pub fn changed(
    request: &checkout::ChangeSubscriptionRequest,
) -> Answer<checkout::ChangeSubscriptionResponse> {
    use checkout::change_subscription_request::Change;

    if request.subscription_id != "sub_1" {
        return unknown_subscription();
    }
    let until = match &request.change {
        Some(Change::Pause(pause)) => pause.until,
        Some(Change::Plan(_)) => {
            return refuse(Kind::Refused, "PREVIEW_EXPIRED", "Work it out again.");
        }
        _ => None,
    };
    let mut subscription = subscription();
    // What is scheduled is shown until it is undone.
    subscription.scheduled_plan = match request.change {
        Some(Change::CancelScheduledPlan(_)) => None,
        _ => Some(scheduled()),
    };
    subscription.paused_until = until;
    Ok(Response::new(checkout::ChangeSubscriptionResponse {
        subscription: Some(subscription),
    }))
}

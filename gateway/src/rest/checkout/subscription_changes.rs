//! Changes of a subscription that a member requests.
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::header::CACHE_CONTROL;
use kit::error::{ErrorCode, Kind};
use kit::money::{Currency, Money};
use proto::checkout::v1::change_subscription_request::{
    Cancel, CancelScheduledPlan, Card, Change, Pause, Plan, Reactivate, Resume,
};
use proto::checkout::v1::list_plans_response::Plan as ListedPlan;
use proto::checkout::v1::{ChangeSubscriptionRequest, ListPlansRequest, PreviewPlanRequest};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use utoipa::ToSchema;

use crate::openapi::parameters::NotSignedIn;
use crate::protocol::error::{HandlerResult, Problem, ProblemBody};
use crate::rest::body;
use crate::rest::body::Json;
use crate::rest::checkout::subscriptions::{MemberSubscription, incomplete_response};
use crate::rest::viewer::{Bearer, Viewer};
use crate::state::AppState;

/// The fields that the action needs; empty for an action without fields.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ActionRequest {
    /// `card`: the provider's id of the tokenised card. It pays what is overdue at once.
    #[schema(example = "pm_card_visa")]
    payment_method_id: String,
    /// `pause`: within three months.
    until: Option<DateTime<Utc>>,
    /// `plan`: as it was previewed, with the next three.
    price_id: String,
    prorated_at: Option<DateTime<Utc>>,
    #[serde(deserialize_with = "body::whole")]
    due_now_minor: Option<i64>,
    currency: String,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct PlanPreviewRequest {
    #[schema(example = "prc_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    price_id: String,
}

#[derive(Serialize, ToSchema)]
pub struct PlanPreview {
    price_id: String,
    /// What is charged when the plan is changed to, in major units.
    #[schema(value_type = f64, example = 49.5)]
    due_now: Number,
    /// The same in minor units: sent back with the change.
    due_now_minor: i64,
    /// What is charged each period from then on, in major units.
    #[schema(value_type = f64, example = 59.99)]
    then: Number,
    #[schema(example = "TRY")]
    currency: String,
    period_months: i32,
    /// As of when the difference was worked out: sent back with the change, within half an hour.
    prorated_at: Option<DateTime<Utc>>,
    /// The plan costs less: it begins then, and nothing is due now. Null: at once.
    starts_at: Option<DateTime<Utc>>,
}

/// Changes a subscription: `cancel`, `keep`, `card`, `pause`, `resume`, `plan` or `keep_plan`.
#[utoipa::path(
    post, path = "/api/subscriptions/{id}/{action}", tag = "checkout", request_body = ActionRequest, security(("session" = [])),
    params(
        ("id" = String, Path, description = "From the list of subscriptions"),
        ("action" = String, Path, description = "`cancel`, `keep`, `card`, `pause`, `resume`, `plan` or `keep_plan`"),
    ),
    responses(
        (status = 200, body = MemberSubscription, description = "The subscription as it is now; `pending_change` where the provider has not answered yet"),
        NotSignedIn,
        (status = 403, body = ProblemBody, content_type = "application/problem+json",
         description = "`card`: STEP_UP_REQUIRED, with `methods`; CROSS_SITE"),
        (status = 404, body = ProblemBody, content_type = "application/problem+json",
         description = "UNKNOWN_SUBSCRIPTION, also for another member's, or UNKNOWN_ACTION"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json",
         description = "SUBSCRIPTION_NOT_ACTIVE, UNSUPPORTED_BY_PROVIDER, SUBSCRIPTION_ENDED, SUBSCRIPTION_PAST_DUE, SUBSCRIPTION_ENDING, SUBSCRIPTION_PAUSED, \
         SUBSCRIPTION_ON_TRIAL, PAUSE_TOO_LONG, PLAN_COSTS_LESS, PLAN_CHANGE_SCHEDULED, PREVIEW_EXPIRED (preview again), CHANGE_IN_PROGRESS, or the provider's decline"),
    )
)]
pub async fn change_subscription(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    Path((subscription_id, action)): Path<(String, String)>,
    Json(body): Json<ActionRequest>,
) -> HandlerResult<Response> {
    let change = change_of(&action, body)?;
    if matches!(change, Change::Card(_)) {
        viewer.require_recent()?;
    }
    let request = ChangeSubscriptionRequest {
        user_id: viewer.user.user_id,
        subscription_id,
        change: Some(change),
    };
    let answer = app
        .clients
        .checkout()
        .change_subscription(request)
        .await?
        .into_inner();
    let subscription = answer.subscription.ok_or_else(incomplete_response)?;
    Ok((
        [(CACHE_CONTROL, "no-store")],
        axum::Json(MemberSubscription::from(subscription)),
    )
        .into_response())
}

/// What another plan would cost now, to the minor unit: nothing where it costs less and begins when the paid time ends. It changes nothing.
#[utoipa::path(
    post, path = "/api/subscriptions/{id}/plan-preview", tag = "checkout", request_body = PlanPreviewRequest, security(("session" = [])),
    params(("id" = String, Path, description = "From the list of subscriptions")),
    responses(
        (status = 200, body = PlanPreview),
        NotSignedIn,
        (status = 404, body = ProblemBody, content_type = "application/problem+json", description = "UNKNOWN_SUBSCRIPTION, also for another member's"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json",
         description = "UNKNOWN_PRICE, PLAN_COSTS_LESS, and what else refuses the change itself"),
    )
)]
pub async fn preview_plan(
    Bearer(viewer): Bearer,
    State(app): State<Arc<AppState>>,
    Path(subscription_id): Path<String>,
    Json(asked): Json<PlanPreviewRequest>,
) -> HandlerResult<Response> {
    let request = PreviewPlanRequest {
        user_id: viewer.user.user_id,
        subscription_id,
        price_id: asked.price_id,
    };
    let answer = app.clients.checkout().preview_plan(request).await?.into_inner();
    let money = |amount: Option<proto::common::v1::Money>| {
        amount
            .and_then(|amount| Money::try_from(amount).ok())
            .ok_or_else(incomplete_response)
    };
    let (due_now, then) = (money(answer.due_now)?, money(answer.then)?);
    let preview = PlanPreview {
        price_id: answer.price_id,
        due_now: due_now.major_number(),
        due_now_minor: due_now.minor,
        then: then.major_number(),
        currency: due_now.currency.code().to_owned(),
        period_months: answer.period_months,
        prorated_at: answer.prorated_at.and_then(|at| at.try_into().ok()),
        starts_at: answer.starts_at.and_then(|at| at.try_into().ok()),
    };
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(preview)).into_response())
}

#[derive(Serialize, ToSchema)]
pub struct Plans {
    plans: Vec<AvailablePlan>,
}

#[derive(Serialize, ToSchema)]
pub struct AvailablePlan {
    #[schema(example = "web-annual")]
    campaign: String,
    /// Empty, but for a current plan that was begun with a coupon.
    coupon_code: String,
    /// What a preview and a change name it by.
    #[schema(example = "prc_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    price_id: String,
    /// What is charged each period, in major units.
    #[schema(value_type = f64, example = 999.99)]
    price: Number,
    #[schema(example = "TRY")]
    currency: String,
    period_months: i32,
    /// The plan it runs on.
    current: bool,
    /// It costs less, and would begin then. Null: at once.
    starts_at: Option<DateTime<Utc>>,
}

/// The plan a subscription runs on and those it can be changed to now, the cheapest first; none where it is managed elsewhere.
#[utoipa::path(
    get, path = "/api/subscriptions/{id}/plans", tag = "checkout", security(("session" = [])),
    params(("id" = String, Path, description = "From the list of subscriptions")),
    responses(
        (status = 200, body = Plans),
        NotSignedIn,
        (status = 404, body = ProblemBody, content_type = "application/problem+json", description = "UNKNOWN_SUBSCRIPTION, also for another member's"),
    )
)]
pub async fn list_plans(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    Path(subscription_id): Path<String>,
) -> HandlerResult<Response> {
    let request = ListPlansRequest {
        user_id: viewer.user.user_id,
        subscription_id,
    };
    let answer = app.clients.checkout().list_plans(request).await?.into_inner();
    let plans = answer
        .plans
        .into_iter()
        .map(offered)
        .collect::<HandlerResult<_>>()?;
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(Plans { plans })).into_response())
}

fn offered(plan: ListedPlan) -> HandlerResult<AvailablePlan> {
    let price = plan.price.and_then(|price| Money::try_from(price).ok());
    let price = price.ok_or_else(incomplete_response)?;
    Ok(AvailablePlan {
        campaign: plan.campaign,
        coupon_code: plan.coupon_code,
        price_id: plan.price_id,
        price: price.major_number(),
        currency: price.currency.code().to_owned(),
        period_months: plan.period_months,
        current: plan.current,
        starts_at: plan.starts_at.and_then(|at| at.try_into().ok()),
    })
}

fn change_of(action: &str, body: ActionRequest) -> HandlerResult<Change> {
    Ok(match action {
        "cancel" => Change::Cancel(Cancel {}),
        "keep" => Change::Reactivate(Reactivate {}),
        "resume" => Change::Resume(Resume {}),
        "keep_plan" => Change::CancelScheduledPlan(CancelScheduledPlan {}),
        "card" => Change::Card(Card {
            payment_method_id: body.payment_method_id,
        }),
        "pause" => Change::Pause(Pause {
            until: body.until.map(Into::into),
        }),
        "plan" => Change::Plan(Plan {
            due_now: due_now(&body),
            prorated_at: body.prorated_at.map(Into::into),
            price_id: body.price_id,
        }),
        _ => {
            return Err(Problem::new(
                Kind::NotFound,
                ErrorCode::UnknownAction,
                "A subscription has no action of this name.",
            ));
        }
    })
}

fn due_now(body: &ActionRequest) -> Option<proto::common::v1::Money> {
    let currency = Currency::parse(&body.currency).ok()?;
    Some(Money::new(body.due_now_minor?, currency).into())
}

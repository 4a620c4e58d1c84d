//! `disputes`: show, list, submit evidence, close. As in Stripe's test mode, the evidence decides who wins.

use serde_json::{Map, Value, json};

use crate::stripe::{
    billing::disputes::{self, EVIDENCE_FIELDS},
    context::{Named, merge_metadata},
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::Dispute, id, Named::Url)?;
    Ok(ctx.public_json(Kind::Dispute, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let charge = params.text("charge")?;
    let intent = params.text("payment_intent")?;
    params.finish()?;
    list(ctx, &ListScope::all(Kind::Dispute), &page, |dispute| {
        charge.as_ref().is_none_or(|charge| dispute["charge"] == **charge)
            && intent
                .as_ref()
                .is_none_or(|intent| dispute["payment_intent"] == **intent)
    })
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    params.refuse(&["intended_submission_method"])?;
    let given = read_evidence(&mut params)?;
    let metadata = params.metadata()?;
    let is_submitted = params.flag("submit")?.unwrap_or(true) && !given.is_empty();
    params.finish()?;

    let dispute = ctx.find(Kind::Dispute, id, Named::Url)?;
    if !given.is_empty() {
        check_open(&dispute)?;
    }
    let text = given.get("uncategorized_text").cloned().unwrap_or_default();
    ctx.change_and_emit(Kind::Dispute, id, "charge.dispute.updated", |dispute| {
        merge_metadata(&mut dispute["metadata"], metadata);
        for (name, value) in given {
            dispute["evidence"][name] = value;
            dispute["evidence_details"]["has_evidence"] = json!(true);
        }
        if is_submitted {
            dispute["status"] = json!(if is_inquiry(dispute) {
                "warning_under_review"
            } else {
                "under_review"
            });
            dispute["evidence_details"]["submission_count"] = json!(1);
            dispute["evidence_details"]["submission_method"] = json!("manual");
        }
    });
    match text.as_str() {
        Some("winning_evidence") if is_submitted => decide(ctx, id, DisputeOutcome::Won),
        Some("losing_evidence") if is_submitted => decide(ctx, id, DisputeOutcome::Lost),
        _ => {}
    }
    Ok(ctx.public_json(Kind::Dispute, id))
}

fn read_evidence(params: &mut Params) -> Result<Map<String, Value>, ApiError> {
    let mut given = Map::new();
    if let Some(mut evidence) = params.nested("evidence")? {
        evidence.refuse(&["appeal", "enhanced_evidence"])?;
        for name in EVIDENCE_FIELDS {
            if let Some(text) = evidence.text(name)? {
                given.insert(name.to_owned(), json!(text));
            }
        }
        evidence.finish()?;
    }
    Ok(given)
}

/// Closing a dispute loses it.
pub fn close(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    let dispute = ctx.find(Kind::Dispute, id, Named::Url)?;
    check_open(&dispute)?;
    decide(ctx, id, DisputeOutcome::Lost);
    Ok(ctx.public_json(Kind::Dispute, id))
}

#[derive(Clone, Copy)]
enum DisputeOutcome {
    Won,
    Lost,
}

fn decide(ctx: &mut Context<'_>, id: &str, outcome: DisputeOutcome) {
    let is_inquiry = is_inquiry(ctx.read(Kind::Dispute, id));
    let status = match outcome {
        _ if is_inquiry => "warning_closed",
        DisputeOutcome::Won => "won",
        DisputeOutcome::Lost => "lost",
    };
    ctx.change_and_emit(Kind::Dispute, id, "charge.dispute.closed", |dispute| {
        dispute["status"] = json!(status);
        dispute["is_charge_refundable"] = json!(status != "lost");
    });
    if status == "won" {
        disputes::move_funds(ctx, id, "charge.dispute.funds_reinstated");
    }
}

/// A charge with an open or lost chargeback cannot be refunded.
pub fn check_refundable(ctx: &Context<'_>, charge: &Value) -> Result<(), ApiError> {
    let mut disputes = ctx.state.newest_first(Kind::Dispute, None);
    if disputes.any(|dispute| dispute["charge"] == charge["id"] && dispute["is_charge_refundable"] == false) {
        let id = charge["id"].as_str().unwrap_or_default();
        let message = format!("Charge {id} has been charged back; cannot issue a refund.");
        return Err(ApiError::invalid(message).code("charge_disputed"));
    }
    Ok(())
}

fn is_inquiry(dispute: &Value) -> bool {
    dispute["payment_method_details"]["card"]["case_type"] == "inquiry"
}

fn check_open(dispute: &Value) -> Result<(), ApiError> {
    if ["won", "lost", "warning_closed"]
        .iter()
        .any(|closed| dispute["status"] == *closed)
    {
        return Err(ApiError::invalid("This dispute is already closed."));
    }
    Ok(())
}

//! Disputes: a card's holder tells their bank that a charge was not theirs to pay. The bank takes the money back at once, or
//! only inquires, and decides by the evidence. As in Stripe's test mode, the evidence says itself whether it wins.

use serde_json::{Map, Value, json};

use crate::stripe::{
    cards::Claim,
    ctx::{Ctx, Named, merge_metadata},
    error::{Answer, ApiError},
    kinds::{Kind, random},
    lists::{Choice, Page, list},
    params::Params,
};

/// What Stripe asks for each, in cents.
const FEE: i64 = 1500;
const DAY: i64 = 24 * 3600;
const ANSWER_WITHIN: i64 = 9 * DAY;
const EVIDENCE: [&str; 27] = [
    "access_activity_log",
    "billing_address",
    "cancellation_policy",
    "cancellation_policy_disclosure",
    "cancellation_rebuttal",
    "customer_communication",
    "customer_email_address",
    "customer_name",
    "customer_purchase_ip",
    "customer_signature",
    "duplicate_charge_documentation",
    "duplicate_charge_explanation",
    "duplicate_charge_id",
    "product_description",
    "receipt",
    "refund_policy",
    "refund_policy_disclosure",
    "refund_refusal_explanation",
    "service_date",
    "service_documentation",
    "shipping_address",
    "shipping_carrier",
    "shipping_date",
    "shipping_documentation",
    "shipping_tracking_number",
    "uncategorized_file",
    "uncategorized_text",
];

/// The bank turns to us about a charge.
pub fn open(ctx: &mut Ctx<'_>, charge: &str, claim: Claim) {
    let dispute = build(ctx, charge, claim);
    let id = ctx.insert(Kind::Dispute, dispute);
    ctx.change(Kind::Charge, charge, |charge| charge["disputed"] = json!(true));
    ctx.tell(Kind::Dispute, &id, "charge.dispute.created");
    if claim != Claim::Inquiry {
        move_funds(ctx, &id, "charge.dispute.funds_withdrawn");
    }
}

fn build(ctx: &Ctx<'_>, charge: &str, claim: Claim) -> Value {
    let charge = ctx.read(Kind::Charge, charge);
    let (reason, code) = match claim {
        Claim::Fraudulent | Claim::Inquiry => ("fraudulent", "10.4"),
        Claim::ProductNotReceived => ("product_not_received", "13.1"),
    };
    let (status, case_type) = match claim {
        Claim::Inquiry => ("warning_needs_response", "inquiry"),
        Claim::Fraudulent | Claim::ProductNotReceived => ("needs_response", "chargeback"),
    };
    let nothing = EVIDENCE.map(|name| (name.to_owned(), Value::Null));
    let mut evidence = Map::from_iter(nothing);
    evidence.insert("enhanced_evidence".to_owned(), json!({}));
    let card = &charge["payment_method_details"]["card"];
    json!({
        "id": Kind::Dispute.new_id(),
        "object": "dispute",
        "amount": charge["amount"],
        "balance_transactions": [],
        "charge": charge["id"],
        "created": ctx.now,
        "currency": charge["currency"],
        "enhanced_eligibility_types": [],
        "evidence": evidence,
        "evidence_details": {
            "due_by": ctx.now + ANSWER_WITHIN,
            "enhanced_eligibility": {},
            "has_evidence": false,
            "past_due": false,
            "submission_count": 0,
            "submission_method": "not_submitted",
        },
        "intended_submission_method": null,
        "is_charge_refundable": claim == Claim::Inquiry,
        "livemode": false,
        "metadata": {},
        "network_reason_code": code,
        "payment_intent": charge["payment_intent"],
        "payment_method_details": {
            "card": {
                "brand": card["brand"],
                "case_type": case_type,
                "network": card["network"],
                "network_reason_code": code,
            },
            "type": "card",
        },
        "reason": reason,
        "status": status,
    })
}

/// Out of our balance the first time, back into it the second.
fn move_funds(ctx: &mut Ctx<'_>, id: &str, event_type: &str) {
    let now = ctx.now;
    ctx.change_and_tell(Kind::Dispute, id, event_type, |dispute| {
        let amount = dispute["amount"].as_i64().unwrap_or_default();
        let is_first = dispute["balance_transactions"].as_array().is_none_or(Vec::is_empty);
        let (amount, fee, category) = if is_first {
            (-amount, FEE, "dispute")
        } else {
            (amount, 0, "dispute_reversal")
        };
        let fee_details = json!([{
            "amount": fee, "application": null, "currency": dispute["currency"], "description": "Dispute fee", "type": "stripe_fee",
        }]);
        let moved = json!({
            "id": format!("txn_1{}", random(23)),
            "object": "balance_transaction",
            "amount": amount,
            "available_on": now,
            "balance_type": "payments",
            "created": now,
            "currency": dispute["currency"],
            "description": format!("Chargeback for {}", dispute["charge"].as_str().unwrap_or_default()),
            "exchange_rate": null,
            "fee": fee,
            "fee_details": if fee == 0 { json!([]) } else { fee_details },
            "net": amount - fee,
            "reporting_category": category,
            "source": dispute["id"],
            "status": "available",
            "type": "adjustment",
        });
        if let Some(moves) = dispute["balance_transactions"].as_array_mut() {
            moves.push(moved);
        }
    });
}

pub fn retrieve(ctx: &mut Ctx<'_>, id: &str, params: Params) -> Answer {
    params.finish()?;
    ctx.find(Kind::Dispute, id, Named::Url)?;
    Ok(ctx.show(Kind::Dispute, id))
}

pub fn list_all(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
    let page = Page::read(&mut params)?;
    let charge = params.text("charge")?;
    let intent = params.text("payment_intent")?;
    params.finish()?;
    list(ctx, &Choice::all(Kind::Dispute), &page, |dispute| {
        charge.as_ref().is_none_or(|charge| dispute["charge"] == **charge)
            && intent
                .as_ref()
                .is_none_or(|intent| dispute["payment_intent"] == **intent)
    })
}

pub fn update(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
    params.refuse(&["intended_submission_method"])?;
    let given = read_evidence(&mut params)?;
    let metadata = params.metadata()?;
    let is_submitted = params.flag("submit")?.unwrap_or(true) && !given.is_empty();
    params.finish()?;

    let dispute = ctx.find(Kind::Dispute, id, Named::Url)?;
    if !given.is_empty() {
        refuse_when_over(&dispute)?;
    }
    let text = given.get("uncategorized_text").cloned().unwrap_or_default();
    ctx.change_and_tell(Kind::Dispute, id, "charge.dispute.updated", |dispute| {
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
        Some("winning_evidence") if is_submitted => decide(ctx, id, true),
        Some("losing_evidence") if is_submitted => decide(ctx, id, false),
        _ => {}
    }
    Ok(ctx.show(Kind::Dispute, id))
}

fn read_evidence(params: &mut Params) -> Result<Map<String, Value>, ApiError> {
    let mut given = Map::new();
    if let Some(mut evidence) = params.nested("evidence")? {
        evidence.refuse(&["appeal", "enhanced_evidence"])?;
        for name in EVIDENCE {
            if let Some(text) = evidence.text(name)? {
                given.insert(name.to_owned(), json!(text));
            }
        }
        evidence.finish()?;
    }
    Ok(given)
}

/// Whoever closes one admits that its holder is right.
pub fn close(ctx: &mut Ctx<'_>, id: &str, params: Params) -> Answer {
    params.finish()?;
    let dispute = ctx.find(Kind::Dispute, id, Named::Url)?;
    refuse_when_over(&dispute)?;
    decide(ctx, id, false);
    Ok(ctx.show(Kind::Dispute, id))
}

fn decide(ctx: &mut Ctx<'_>, id: &str, is_won: bool) {
    let is_inquiry = is_inquiry(ctx.read(Kind::Dispute, id));
    let status = match (is_inquiry, is_won) {
        (true, _) => "warning_closed",
        (false, true) => "won",
        (false, false) => "lost",
    };
    ctx.change_and_tell(Kind::Dispute, id, "charge.dispute.closed", |dispute| {
        dispute["status"] = json!(status);
        dispute["is_charge_refundable"] = json!(status != "lost");
    });
    if status == "won" {
        move_funds(ctx, id, "charge.dispute.funds_reinstated");
    }
}

/// What a bank has taken cannot be given back as well.
pub fn refuse_refund(ctx: &Ctx<'_>, charge: &Value) -> Result<(), ApiError> {
    let mut disputes = ctx.books.newest_first(Kind::Dispute, None);
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

fn refuse_when_over(dispute: &Value) -> Result<(), ApiError> {
    if ["won", "lost", "warning_closed"]
        .iter()
        .any(|over| dispute["status"] == *over)
    {
        return Err(ApiError::invalid("This dispute is already closed."));
    }
    Ok(())
}

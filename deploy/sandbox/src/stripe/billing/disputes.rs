//! Disputes: creation, and the movement of funds.

use serde_json::{Map, Value, json};

use crate::stripe::{
    cards::DisputeClaim,
    object_kind::{Kind, random},
    provider::Context,
};

/// Stripe's fee per dispute, in cents.
const FEE_CENTS: i64 = 1500;
const RESPONSE_DEADLINE_SECS: i64 = 9 * 24 * 3600;
pub const EVIDENCE_FIELDS: [&str; 27] = [
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

/// The bank opens a dispute about a charge.
pub fn open(ctx: &mut Context<'_>, charge: &str, claim: DisputeClaim) {
    let dispute = build(ctx, charge, claim);
    let id = ctx.insert(Kind::Dispute, dispute);
    ctx.change(Kind::Charge, charge, |charge| charge["disputed"] = json!(true));
    ctx.emit(Kind::Dispute, &id, "charge.dispute.created");
    if claim != DisputeClaim::Inquiry {
        move_funds(ctx, &id, "charge.dispute.funds_withdrawn");
    }
}

fn build(ctx: &Context<'_>, charge: &str, claim: DisputeClaim) -> Value {
    let charge = ctx.read(Kind::Charge, charge);
    let (reason, code) = match claim {
        DisputeClaim::Fraudulent | DisputeClaim::Inquiry => ("fraudulent", "10.4"),
        DisputeClaim::ProductNotReceived => ("product_not_received", "13.1"),
    };
    let (status, case_type) = match claim {
        DisputeClaim::Inquiry => ("warning_needs_response", "inquiry"),
        DisputeClaim::Fraudulent | DisputeClaim::ProductNotReceived => ("needs_response", "chargeback"),
    };
    let nothing = EVIDENCE_FIELDS.map(|name| (name.to_owned(), Value::Null));
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
            "due_by": ctx.now + RESPONSE_DEADLINE_SECS,
            "enhanced_eligibility": {},
            "has_evidence": false,
            "past_due": false,
            "submission_count": 0,
            "submission_method": "not_submitted",
        },
        "intended_submission_method": null,
        "is_charge_refundable": claim == DisputeClaim::Inquiry,
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

/// Withdraws the amount at the first call, and returns it at the second.
pub fn move_funds(ctx: &mut Context<'_>, id: &str, event_type: &str) {
    let now = ctx.now;
    ctx.change_and_emit(Kind::Dispute, id, event_type, |dispute| {
        let amount = dispute["amount"].as_i64().unwrap_or_default();
        let is_first = dispute["balance_transactions"].as_array().is_none_or(Vec::is_empty);
        let (amount, fee, category) = if is_first {
            (-amount, FEE_CENTS, "dispute")
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

//! The data export of a member.

use std::collections::BTreeMap;

use proto::export::v1 as wire;
use proto::{Struct, Timestamp};

use crate::domain::withdrawal::Withdrawal;
use crate::flows::privacy::export_member::{
    BillingRow, ChangeRow, ChargeRow, CustomerRow, MemberExport, NotificationRow, OrderRow, PaymentRow,
    RefundRow, SurveyOrderRow,
};

pub fn export(member: MemberExport) -> wire::CheckoutExport {
    let (mut payments, mut refunds) = (member.payments, member.refunds);
    let orders = member.orders.into_iter().map(|row| {
        let of_order = payments.extract_if(.., |payment| payment.order_id == row.order_id);
        let payments = of_order.map(payment).collect();
        let of_order = refunds.extract_if(.., |refund| refund.order_id == row.order_id);
        let refunds = of_order.map(refund).collect();
        wire::Order {
            payments,
            refunds,
            ..order(row)
        }
    });
    let mut charges = member.charges;
    let schedules = member.billings.into_iter().map(|row| {
        let of_this = charges.extract_if(.., |charge| charge.subscription_id == row.subscription_id);
        let charges = of_this.map(charge).collect();
        wire::MerchantSchedule {
            charges,
            ..billing(row)
        }
    });
    wire::CheckoutExport {
        merchant_schedules: schedules.collect(),
        orders: orders.collect(),
        customer: member.customer.map(customer),
        survey_orders: member.survey_orders.into_iter().map(survey_order).collect(),
        notifications: member.notifications.into_iter().map(notification).collect(),
        subscription_changes: member.changes.into_iter().map(change).collect(),
        withdrawals: member.withdrawals.into_iter().map(withdrawal).collect(),
    }
}

fn customer(row: CustomerRow) -> wire::Customer {
    wire::Customer {
        email: row.email,
        full_name: row.full_name,
        stripe_customer_id: row.stripe_customer_id.unwrap_or_default(),
        created_at: Some(row.created_at.into()),
    }
}

fn order(row: OrderRow) -> wire::Order {
    wire::Order {
        order_id: row.order_id.to_string(),
        product: row.product,
        state: row.state,
        amount_minor: row.amount_minor,
        currency: row.currency,
        trial_days: row.trial_days,
        payment_source: row.payment_source,
        country: row.country,
        language: row.language,
        tracking: row.tracking.0,
        created_at: Some(row.created_at.into()),
        kind: row.kind,
        subscription: row.subscription_id.map(|subscription_id| wire::Subscription {
            subscription_id: subscription_id.to_string(),
            state: row.subscription_state.unwrap_or_default(),
            period_end: row.period_end.map(Timestamp::from),
            ended_at: row.ended_at.map(Timestamp::from),
            cancel_at: row.cancel_at.map(Timestamp::from),
            paused_until: row.paused_until.map(Timestamp::from),
            card_brand: row.card_brand.unwrap_or_default(),
            card_last4: row.card_last4.unwrap_or_default(),
            overdue_since: row.overdue_since.map(Timestamp::from),
        }),
        coupon_code: row.coupon_code.unwrap_or_default(),
        payments: Vec::new(),
        refunds: Vec::new(),
    }
}

fn payment(row: PaymentRow) -> wire::Payment {
    wire::Payment {
        payment_id: row.payment_id.to_string(),
        state: row.state,
        payment_method_id: row.payment_method_id,
        provider: row.provider,
        provider_subscription_id: row.provider_subscription_id.unwrap_or_default(),
        provider_intent_id: row.provider_intent_id.unwrap_or_default(),
        captured_minor: row.captured_minor.unwrap_or_default(),
        captured_currency: row.captured_currency.unwrap_or_default(),
        failure_code: row.failure_code.unwrap_or_default(),
        failure_message: row.failure_message.unwrap_or_default(),
        created_at: Some(row.created_at.into()),
        kind: row.kind,
        period_start: row.period_start.map(Timestamp::from),
        period_end: row.period_end.map(Timestamp::from),
    }
}

fn billing(row: BillingRow) -> wire::MerchantSchedule {
    wire::MerchantSchedule {
        subscription_id: row.subscription_id.to_string(),
        provider: row.provider,
        payment_method_id: row.payment_method_id.unwrap_or_default(),
        payment_method_expires_at: row.payment_method_expires_at.map(Timestamp::from),
        card_brand: row.card_brand.unwrap_or_default(),
        card_last4: row.card_last4.unwrap_or_default(),
        period_months: row.period_months,
        paid_until: Some(row.paid_until.into()),
        resumes_at: row.resumes_at.map(Timestamp::from),
        ended_at: row.ended_at.map(Timestamp::from),
        charges: Vec::new(),
    }
}

fn charge(row: ChargeRow) -> wire::Charge {
    wire::Charge {
        amount_minor: row.amount_minor,
        currency: row.currency,
        period_start: Some(row.period_start.into()),
        period_end: Some(row.period_end.into()),
        state: row.state,
        asked_at: Some(row.requested_at.into()),
        provider_payment_id: row.provider_payment_id.unwrap_or_default(),
        decline_code: row.decline_code.unwrap_or_default(),
    }
}

fn change(row: ChangeRow) -> wire::SubscriptionChange {
    wire::SubscriptionChange {
        subscription_id: row.subscription_id.to_string(),
        kind: row.kind,
        state: row.state,
        refusal_code: row.refusal_code.unwrap_or_default(),
        created_at: Some(row.created_at.into()),
    }
}

fn withdrawal(withdrawal: Withdrawal) -> wire::Withdrawal {
    let accepted = withdrawal.accepted;
    wire::Withdrawal {
        withdrawal_id: withdrawal.withdrawal_id.to_string(),
        full_name: withdrawal.declaration.full_name,
        email: withdrawal.declaration.email,
        reference: withdrawal.declaration.reference,
        language: withdrawal.declaration.language,
        received_at: Some(withdrawal.received_at.into()),
        accepted_at: accepted.map(|accepted| accepted.at.into()),
        order_id: accepted
            .map(|accepted| accepted.order_id.to_string())
            .unwrap_or_default(),
    }
}

fn refund(row: RefundRow) -> wire::Refund {
    wire::Refund {
        refund_id: row.refund_id.to_string(),
        payment_id: row.payment_id.to_string(),
        amount_minor: row.amount_minor,
        currency: row.currency,
        reason: row.reason,
        state: row.state,
        provider_refund_id: row.provider_refund_id.unwrap_or_default(),
        failure_code: row.failure_code.unwrap_or_default(),
        succeeded_at: row.succeeded_at.map(Timestamp::from),
        created_at: Some(row.created_at.into()),
    }
}

fn survey_order(row: SurveyOrderRow) -> wire::SurveyOrder {
    wire::SurveyOrder {
        order_id: row.survey_order_id.to_string(),
        flow: row.flow,
        variant: row.variant,
        ab_group: row.ab_group.unwrap_or_default(),
        product_type: row.product_type,
        language: row.language,
        country: row.country,
        tracking: row.tracking.0,
        created_at: Some(row.created_at.into()),
        answers: survey_answers(row.answers.0),
        program: row.program.unwrap_or_default(),
        playlist_id: row.playlist_id.map(|id| id.to_string()).unwrap_or_default(),
    }
}

fn survey_answers(answers: BTreeMap<String, Vec<String>>) -> Vec<wire::SurveyAnswer> {
    answers
        .into_iter()
        .map(|(question, options)| wire::SurveyAnswer { question, options })
        .collect()
}

fn notification(row: NotificationRow) -> wire::Notification {
    wire::Notification {
        kind: row.kind,
        received_at: Some(row.received_at.into()),
        // It was read once, or it would not have been stored.
        body: serde_json::from_slice::<Struct>(&row.body).ok(),
    }
}

//! The payment table: every attempt to pay for an order.

use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, SubscriptionId};
use crate::domain::payment::{Decline, Payment, PaymentState};
use crate::domain::provider::Provider;
use crate::store::{StoreError, Stored};

#[derive(sqlx::FromRow)]
pub(in crate::store) struct PaymentRow {
    payment_id: PaymentId,
    order_id: OrderId,
    subscription_id: Option<SubscriptionId>,
    provider: String,
    attempt: i32,
    payment_method_id: String,
    card_network: Option<String>,
    idempotency_key: String,
    payment_state: String,
    client_secret: Option<String>,
    deferred_until: Option<DateTime<Utc>>,
    captured_minor: Option<i64>,
    captured_currency: Option<String>,
    succeeded_at: Option<DateTime<Utc>>,
    failure_code: Option<String>,
    failure_message: Option<String>,
    provider_subscription_id: Option<String>,
    provider_intent_id: Option<String>,
    payment_created_at: DateTime<Utc>,
}

macro_rules! payment_columns {
    () => {
        "payment.payment_id, payment.order_id, payment.subscription_id, payment.provider, attempt, payment_method_id,
         card_network, payment.idempotency_key, payment.state as payment_state, client_secret, deferred_until,
         captured_minor, captured_currency, succeeded_at, failure_code, failure_message, provider_subscription_id,
         provider_intent_id, payment.created_at as payment_created_at"
    };
}

pub(in crate::store) use payment_columns;

macro_rules! select_payment {
    ($rest:literal) => {
        concat!("select ", payment_columns!(), " from payment ", $rest)
    };
}

impl PaymentRow {
    fn state(&self) -> Stored<PaymentState> {
        let wrong = |column| StoreError::inconsistent("payment", column, self.payment_id);
        let secret = || self.client_secret.clone().ok_or_else(|| wrong("client_secret"));
        let until = || self.deferred_until.ok_or_else(|| wrong("deferred_until"));
        Ok(match self.payment_state.as_str() {
            "intended" => PaymentState::Intended,
            "unknown" => PaymentState::Unknown,
            "processing" => PaymentState::Processing,
            "requires_action" => PaymentState::RequiresAction {
                client_secret: secret()?,
            },
            "requires_setup" => PaymentState::RequiresSetup {
                client_secret: secret()?,
                until: until()?,
            },
            "deferred" => PaymentState::Deferred { until: until()? },
            "succeeded" => PaymentState::Succeeded {
                captured: self.captured().ok_or_else(|| wrong("captured_minor"))?,
                at: self.succeeded_at.ok_or_else(|| wrong("succeeded_at"))?,
            },
            "failed" => PaymentState::Failed {
                decline: Decline {
                    code: self.failure_code.clone().ok_or_else(|| wrong("failure_code"))?,
                    message: self
                        .failure_message
                        .clone()
                        .ok_or_else(|| wrong("failure_message"))?,
                },
            },
            "canceled" => PaymentState::Canceled,
            _ => return Err(wrong("state")),
        })
    }

    fn captured(&self) -> Option<Money> {
        let currency = Currency::parse(self.captured_currency.as_deref()?).ok()?;
        Some(Money::new(self.captured_minor?, currency))
    }
}

impl TryFrom<PaymentRow> for Payment {
    type Error = StoreError;

    fn try_from(row: PaymentRow) -> Stored<Self> {
        Ok(Self {
            state: row.state()?,
            payment_id: row.payment_id,
            order_id: row.order_id,
            subscription_id: row.subscription_id,
            provider: Provider::named(&row.provider)
                .ok_or_else(|| StoreError::inconsistent("payment", "provider", row.payment_id))?,
            attempt: row.attempt,
            payment_method_id: row.payment_method_id,
            card_network: row.card_network,
            idempotency_key: row.idempotency_key,
            provider_subscription_id: row.provider_subscription_id,
            provider_intent_id: row.provider_intent_id,
            created_at: row.payment_created_at,
        })
    }
}

/// The state's columns.
#[derive(Default)]
struct StateColumns<'a> {
    state: &'static str,
    client_secret: Option<&'a str>,
    deferred_until: Option<DateTime<Utc>>,
    captured: Option<Money>,
    succeeded_at: Option<DateTime<Utc>>,
    decline: Option<&'a Decline>,
}

impl<'a> From<&'a PaymentState> for StateColumns<'a> {
    fn from(state: &'a PaymentState) -> Self {
        let none = Self::default();
        match state {
            PaymentState::Intended => Self {
                state: "intended",
                ..none
            },
            PaymentState::Unknown => Self {
                state: "unknown",
                ..none
            },
            PaymentState::Processing => Self {
                state: "processing",
                ..none
            },
            PaymentState::RequiresAction { client_secret } => Self {
                state: "requires_action",
                client_secret: Some(client_secret),
                ..none
            },
            PaymentState::RequiresSetup { client_secret, until } => Self {
                state: "requires_setup",
                client_secret: Some(client_secret),
                deferred_until: Some(*until),
                ..none
            },
            PaymentState::Deferred { until } => Self {
                state: "deferred",
                deferred_until: Some(*until),
                ..none
            },
            PaymentState::Succeeded { captured, at } => Self {
                state: "succeeded",
                captured: Some(*captured),
                succeeded_at: Some(*at),
                ..none
            },
            PaymentState::Failed { decline } => Self {
                state: "failed",
                decline: Some(decline),
                ..none
            },
            PaymentState::Canceled => Self {
                state: "canceled",
                ..none
            },
        }
    }
}

/// A new attempt, always as an intent: nothing else is known before the provider was asked.
pub async fn insert_intent(conn: &mut PgConnection, payment: &Payment) -> Stored<()> {
    sqlx::query(
        "insert into payment (payment_id, order_id, subscription_id, attempt, payment_method_id, idempotency_key,
             state, created_at, provider, card_network)
         values ($1, $2, $3, $4, $5, $6, 'intended', $7, $8, $9)",
    )
    .bind(payment.payment_id)
    .bind(payment.order_id)
    .bind(payment.subscription_id)
    .bind(payment.attempt)
    .bind(&payment.payment_method_id)
    .bind(&payment.idempotency_key)
    .bind(payment.created_at)
    .bind(payment.provider.name())
    .bind(&payment.card_network)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn save(conn: &mut PgConnection, payment: &Payment) -> Stored<()> {
    let state = StateColumns::from(&payment.state);
    sqlx::query(
        "update payment
         set state = $2, client_secret = $3, deferred_until = $4, captured_minor = $5, captured_currency = $6,
             succeeded_at = $7, failure_code = $8, failure_message = $9, provider_subscription_id = $10,
             provider_intent_id = $11
         where payment_id = $1",
    )
    .bind(payment.payment_id)
    .bind(state.state)
    .bind(state.client_secret)
    .bind(state.deferred_until)
    .bind(state.captured.map(|money| money.minor))
    .bind(state.captured.map(|money| money.currency.code()))
    .bind(state.succeeded_at)
    .bind(state.decline.map(|decline| &decline.code))
    .bind(state.decline.map(|decline| &decline.message))
    .bind(&payment.provider_subscription_id)
    .bind(&payment.provider_intent_id)
    .execute(conn)
    .await?;
    Ok(())
}

/// Every attempt to pay for the order, earliest first.
pub async fn of_order(conn: &mut PgConnection, order_id: OrderId) -> Stored<Vec<Payment>> {
    let rows: Vec<PaymentRow> = sqlx::query_as(select_payment!(
        "where order_id = $1 and kind = 'initial' order by attempt"
    ))
    .bind(order_id)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Payment::try_from).collect()
}

/// Other attempts of its order that may still be charged: no outcome is known, or the buyer's page can pay them.
const OTHER_OPEN: &str = "select payment_id from payment where order_id = $1 and payment_id <> $2 and (
         state in ('intended', 'unknown', 'processing', 'requires_action', 'requires_setup')
         or (state = 'failed' and provider_subscription_id is not null))";

pub async fn other_open(conn: &mut PgConnection, payment: &Payment) -> Stored<Vec<PaymentId>> {
    let open = sqlx::query_scalar(OTHER_OPEN)
        .bind(payment.order_id)
        .bind(payment.payment_id)
        .fetch_all(conn)
        .await?;
    Ok(open)
}

/// Other attempts of its order that were sent to the provider and have captured nothing so far.
pub async fn others_asked(conn: &mut PgConnection, payment: &Payment) -> Stored<Vec<PaymentId>> {
    let asked = sqlx::query_scalar(
        "select payment_id from payment where order_id = $1 and payment_id <> $2
             and coalesce(provider_subscription_id, provider_intent_id) is not null and state <> 'succeeded'",
    )
    .bind(payment.order_id)
    .bind(payment.payment_id)
    .fetch_all(conn)
    .await?;
    Ok(asked)
}

pub async fn provider(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<Provider> {
    let name: String = sqlx::query_scalar("select provider from payment where payment_id = $1")
        .bind(payment_id)
        .fetch_one(conn)
        .await?;
    Provider::named(&name).ok_or_else(|| StoreError::inconsistent("payment", "provider", payment_id))
}

/// An attempt to pay for an order, or a renewal.
pub async fn read(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<Payment> {
    let row: PaymentRow = sqlx::query_as(select_payment!("where payment_id = $1"))
        .bind(payment_id)
        .fetch_one(conn)
        .await?;
    row.try_into()
}

/// `None` for an id that is no payment of ours.
pub async fn find_order(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<Option<OrderId>> {
    let found = sqlx::query_scalar("select order_id from payment where payment_id = $1")
        .bind(payment_id)
        .fetch_optional(conn)
        .await?;
    Ok(found)
}

/// The payment that a provider update refers to.
#[derive(Debug, sqlx::FromRow)]
pub struct PaymentRef {
    pub payment_id: PaymentId,
    pub order_id: OrderId,
    pub is_initial: bool,
    /// What it is for is a subscription that is looked after.
    pub has_billing_state: bool,
    /// It paid that subscription: the sync fetches everything later.
    pub is_synced: bool,
}

/// Statements that find a [`PaymentRef`]: `$1` is the provider's name, `$2` the object's id.
macro_rules! payment_ref {
    (subscription) => {
        payment_ref!(@ "provider_subscription_id = $2")
    };
    // The latest, should several attempts have used it.
    (intent) => {
        payment_ref!(@ "provider_intent_id = $2 order by payment.created_at desc limit 1")
    };
    (first_intent) => {
        concat!(
            "select payment_id, order_id, is_initial, has_billing_state, is_synced from (",
            payment_ref!(intent),
            ") latest where is_initial"
        )
    };
    (nothing) => {
        payment_ref!(@ "false and $2::text is null")
    };
    (@ $which:literal) => {
        concat!(
            "select payment_id, order_id, payment.kind = 'initial' as is_initial,
                 billing_state.subscription_id is not null as has_billing_state,
                 billing_state.subscription_id is not null and paid_by is not distinct from payment_id as is_synced
             from payment join orders using (order_id) left join billing_state using (subscription_id)
             where payment.provider = $1 and ",
            $which
        )
    };
}

pub(in crate::store) use payment_ref;

pub async fn find_by_provider_subscription(
    conn: &mut PgConnection,
    provider: Provider,
    id: &str,
) -> Stored<Option<PaymentRef>> {
    let found = sqlx::query_as(payment_ref!(subscription))
        .bind(provider.name())
        .bind(id)
        .fetch_optional(conn)
        .await?;
    Ok(found)
}

pub async fn find_by_provider_intent(
    conn: &mut PgConnection,
    provider: Provider,
    id: &str,
) -> Stored<Option<PaymentRef>> {
    let found = sqlx::query_as(payment_ref!(intent))
        .bind(provider.name())
        .bind(id)
        .fetch_optional(conn)
        .await?;
    Ok(found)
}

/// The process that intended these has stopped and may have called the provider.
pub async fn presume_sent(conn: &mut PgConnection, orders: &[OrderId]) -> Stored<()> {
    sqlx::query("update payment set state = 'unknown' where order_id = any($1) and state = 'intended'")
        .bind(orders)
        .execute(conn)
        .await?;
    Ok(())
}

/// How many payments have no known outcome.
pub async fn count_in_flight(conn: &mut PgConnection) -> Stored<i64> {
    let count = sqlx::query_scalar(
        "select count(*) from payment where state in ('intended', 'unknown', 'processing')",
    )
    .fetch_one(conn)
    .await?;
    Ok(count)
}

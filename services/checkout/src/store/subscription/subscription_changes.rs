//! Requested changes: at most one pending change per subscription.

use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use sqlx::PgConnection;

use crate::domain::ids::{ChangeId, PriceId, SubscriptionId};
use crate::domain::subscription::subscription_change::{ChangeState, StoredChange, SubscriptionChange};
use crate::store::{StoreError, Stored};

#[derive(sqlx::FromRow)]
struct ChangeRow {
    change_id: ChangeId,
    subscription_id: SubscriptionId,
    kind: String,
    payment_method_id: String,
    paused_until: Option<DateTime<Utc>>,
    price_id: Option<PriceId>,
    prorated_at: Option<DateTime<Utc>>,
    quoted_minor: Option<i64>,
    currency: Option<String>,
    idempotency_key: String,
    state: String,
    refusal_code: Option<String>,
    created_at: DateTime<Utc>,
    settled_at: Option<DateTime<Utc>>,
}

impl ChangeRow {
    fn wrong(&self, column: &'static str) -> StoreError {
        StoreError::inconsistent("subscription_change", column, self.change_id)
    }

    fn change(&self) -> Stored<SubscriptionChange> {
        Ok(match self.kind.as_str() {
            "cancel" => SubscriptionChange::Cancel,
            "keep" => SubscriptionChange::Reactivate,
            "card" => SubscriptionChange::Card {
                payment_method_id: self.payment_method_id.clone(),
            },
            "pause" => SubscriptionChange::Pause {
                until: self.paused_until.ok_or_else(|| self.wrong("paused_until"))?,
            },
            "resume" => SubscriptionChange::Resume,
            "keep_plan" => SubscriptionChange::CancelScheduledPlan,
            "end" => SubscriptionChange::TerminateNow,
            "plan" => SubscriptionChange::Plan {
                price_id: self.price_id.ok_or_else(|| self.wrong("price_id"))?,
                prorated_at: self.prorated_at.ok_or_else(|| self.wrong("prorated_at"))?,
                shown: self.shown().ok_or_else(|| self.wrong("quoted_minor"))?,
            },
            _ => return Err(self.wrong("kind")),
        })
    }

    fn shown(&self) -> Option<Money> {
        let currency = Currency::parse(self.currency.as_deref()?).ok()?;
        Some(Money::new(self.quoted_minor?, currency))
    }

    fn state(&self) -> Stored<ChangeState> {
        let at = || self.settled_at.ok_or_else(|| self.wrong("settled_at"));
        Ok(match self.state.as_str() {
            "open" => ChangeState::Open,
            "done" => ChangeState::Done { at: at()? },
            "refused" => ChangeState::Refused {
                code: self
                    .refusal_code
                    .clone()
                    .ok_or_else(|| self.wrong("refusal_code"))?,
                at: at()?,
            },
            _ => return Err(self.wrong("state")),
        })
    }
}

impl TryFrom<ChangeRow> for StoredChange {
    type Error = StoreError;

    fn try_from(row: ChangeRow) -> Stored<Self> {
        Ok(Self {
            change: row.change()?,
            state: row.state()?,
            change_id: row.change_id,
            subscription_id: row.subscription_id,
            idempotency_key: row.idempotency_key,
            created_at: row.created_at,
        })
    }
}

macro_rules! select_change {
    ($rest:literal) => {
        concat!(
            "select change_id, subscription_id, change.kind, payment_method_id, paused_until, price_id, prorated_at,
             quoted_minor, p.currency, idempotency_key, state, refusal_code, change.created_at, settled_at
             from subscription_change change left join price p using (price_id) where ",
            $rest
        )
    };
}

pub async fn insert(conn: &mut PgConnection, stored: &StoredChange) -> Stored<()> {
    let (method, until, plan) = match &stored.change {
        SubscriptionChange::Card { payment_method_id } => (payment_method_id.as_str(), None, None),
        SubscriptionChange::Pause { until } => ("", Some(*until), None),
        SubscriptionChange::Plan {
            price_id,
            prorated_at,
            shown,
        } => ("", None, Some((*price_id, *prorated_at, shown.minor))),
        SubscriptionChange::Cancel
        | SubscriptionChange::Reactivate
        | SubscriptionChange::Resume
        | SubscriptionChange::CancelScheduledPlan
        | SubscriptionChange::TerminateNow => ("", None, None),
    };
    sqlx::query(
        "insert into subscription_change (change_id, subscription_id, kind, payment_method_id, paused_until, price_id,
             prorated_at, quoted_minor, idempotency_key, state, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open', $10)",
    )
    .bind(stored.change_id)
    .bind(stored.subscription_id)
    .bind(stored.change.name())
    .bind(method)
    .bind(until)
    .bind(plan.map(|(price_id, _, _)| price_id))
    .bind(plan.map(|(_, prorated_at, _)| prorated_at))
    .bind(plan.map(|(_, _, minor)| minor))
    .bind(&stored.idempotency_key)
    .bind(stored.created_at)
    .execute(conn)
    .await?;
    Ok(())
}

/// A settled change is final. `false`: another process settled it first.
pub async fn settle(conn: &mut PgConnection, change_id: ChangeId, state: &ChangeState) -> Stored<bool> {
    let (name, code, at) = match state {
        ChangeState::Open => return Ok(false),
        ChangeState::Done { at } => ("done", None, *at),
        ChangeState::Refused { code, at } => ("refused", Some(code), *at),
    };
    let settled = sqlx::query(
        "update subscription_change set state = $2, refusal_code = $3, settled_at = $4, payment_method_id = ''
         where change_id = $1 and state = 'open'",
    )
    .bind(change_id)
    .bind(name)
    .bind(code)
    .bind(at)
    .execute(conn)
    .await?;
    Ok(settled.rows_affected() == 1)
}

pub async fn open(conn: &mut PgConnection, subscription_id: SubscriptionId) -> Stored<Option<StoredChange>> {
    let row: Option<ChangeRow> = sqlx::query_as(select_change!(
        "change.subscription_id = $1 and change.state = 'open'"
    ))
    .bind(subscription_id)
    .fetch_optional(conn)
    .await?;
    row.map(StoredChange::try_from).transpose()
}

pub async fn count_settled(conn: &mut PgConnection, subscription_id: SubscriptionId) -> Stored<i64> {
    let count = sqlx::query_scalar(
        "select count(*) from subscription_change where subscription_id = $1 and state <> 'open'",
    );
    Ok(count.bind(subscription_id).fetch_one(conn).await?)
}

/// Open ones, in no order.
pub async fn open_of(conn: &mut PgConnection, subscriptions: &[SubscriptionId]) -> Stored<Vec<StoredChange>> {
    let rows: Vec<ChangeRow> = sqlx::query_as(select_change!(
        "change.subscription_id = any($1) and change.state = 'open'"
    ))
    .bind(subscriptions)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(StoredChange::try_from).collect()
}

pub async fn read(conn: &mut PgConnection, change_id: ChangeId) -> Stored<StoredChange> {
    let row: ChangeRow = sqlx::query_as(select_change!("change.change_id = $1"))
        .bind(change_id)
        .fetch_one(conn)
        .await?;
    row.try_into()
}

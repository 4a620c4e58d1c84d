//! The `merchant_schedule`, `charge` and `charge_attempt` tables: billing of subscriptions whose providers charge only on
//! request.

use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use sqlx::PgConnection;

use crate::domain::ids::{SubscriptionId, UserId};
use crate::domain::payment::Decline;
use crate::domain::provider::Provider;
use crate::domain::subscription::billing_state::Card;
use crate::domain::subscription::merchant_schedule::{
    Charge, ChargeAttempt, ChargeAttemptState, ChargeState, MerchantSchedule, PaymentMethod,
};
use crate::store::{StoreError, Stored};

/// Older charges are ignored.
const CHARGES_MAX: i64 = 24;

#[derive(sqlx::FromRow)]
struct BillingRow {
    subscription_id: SubscriptionId,
    payment_method_id: Option<String>,
    payment_method_expires_at: Option<DateTime<Utc>>,
    card_brand: Option<String>,
    card_last4: Option<String>,
    anchor: DateTime<Utc>,
    period_months: i32,
    paid_until: DateTime<Utc>,
    resumes_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
}

impl TryFrom<BillingRow> for MerchantSchedule {
    type Error = StoreError;

    fn try_from(row: BillingRow) -> Stored<Self> {
        let card = row.card_brand.zip(row.card_last4);
        let card = card.map(|(brand, last4)| Card { brand, last4 });
        let expire_at = row.payment_method_expires_at;
        Ok(Self {
            subscription_id: row.subscription_id,
            payment_method: row.payment_method_id.map(|means_id| PaymentMethod {
                payment_method_id: means_id,
                expires_at: expire_at,
                card,
            }),
            anchor: row.anchor,
            period_months: u32::try_from(row.period_months).map_err(|_| {
                StoreError::inconsistent("merchant_schedule", "period_months", row.subscription_id)
            })?,
            paid_until: row.paid_until,
            resumes_at: row.resumes_at,
            ended_at: row.ended_at,
        })
    }
}

/// Once, however many come to begin it.
pub async fn begin(conn: &mut PgConnection, schedule: &MerchantSchedule, provider: Provider) -> Stored<()> {
    let payment_method = schedule.payment_method.as_ref();
    let card = payment_method.and_then(|payment_method| payment_method.card.as_ref());
    sqlx::query(
        "insert into merchant_schedule (subscription_id, provider, payment_method_id, payment_method_expires_at,
             card_brand, card_last4, anchor, period_months, paid_until, ended_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (subscription_id) do nothing",
    )
    .bind(schedule.subscription_id)
    .bind(provider.name())
    .bind(payment_method.map(|payment_method| &payment_method.payment_method_id))
    .bind(payment_method.and_then(|payment_method| payment_method.expires_at))
    .bind(card.map(|card| &card.brand))
    .bind(card.map(|card| &card.last4))
    .bind(schedule.anchor)
    .bind(i32::try_from(schedule.period_months).unwrap_or(i32::MAX))
    .bind(schedule.paid_until)
    .bind(schedule.ended_at)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn find(
    conn: &mut PgConnection,
    subscription_id: SubscriptionId,
) -> Stored<Option<MerchantSchedule>> {
    let row: Option<BillingRow> = sqlx::query_as(
        "select subscription_id, payment_method_id, payment_method_expires_at, card_brand, card_last4, anchor,
         period_months, paid_until, resumes_at, ended_at
         from merchant_schedule where subscription_id = $1",
    )
    .bind(subscription_id)
    .fetch_optional(conn)
    .await?;
    row.map(MerchantSchedule::try_from).transpose()
}

/// Of these, whose provider has kept nothing to be charged again.
pub async fn without_payment_method(
    conn: &mut PgConnection,
    ids: &[SubscriptionId],
) -> Stored<Vec<SubscriptionId>> {
    let found = sqlx::query_scalar(
        "select subscription_id from merchant_schedule where subscription_id = any($1) and payment_method_id is null",
    )
    .bind(ids)
    .fetch_all(conn)
    .await?;
    Ok(found)
}

/// Its means never change.
pub async fn save(conn: &mut PgConnection, schedule: &MerchantSchedule) -> Stored<()> {
    sqlx::query(
        "update merchant_schedule set anchor = $2, paid_until = $3, resumes_at = $4, ended_at = $5
         where subscription_id = $1",
    )
    .bind(schedule.subscription_id)
    .bind(schedule.anchor)
    .bind(schedule.paid_until)
    .bind(schedule.resumes_at)
    .bind(schedule.ended_at)
    .execute(conn)
    .await?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct ChargeRow {
    charge_id: String,
    amount_minor: i64,
    currency: String,
    period_start: DateTime<Utc>,
    period_end: DateTime<Utc>,
    state: String,
}

#[derive(sqlx::FromRow)]
struct ChargeAttemptRow {
    attempt_key: String,
    charge_id: String,
    state: String,
    provider_payment_id: Option<String>,
    requested_at: DateTime<Utc>,
    captured_minor: Option<i64>,
    captured_currency: Option<String>,
    captured_at: Option<DateTime<Utc>>,
    decline_code: Option<String>,
    decline_message: Option<String>,
}

impl ChargeAttemptRow {
    fn state(&self) -> Option<ChargeAttemptState> {
        Some(match self.state.as_str() {
            "requested" => ChargeAttemptState::Intended,
            "pending" => ChargeAttemptState::Pending,
            "paid" => ChargeAttemptState::Paid {
                captured: Money::new(
                    self.captured_minor?,
                    Currency::parse(self.captured_currency.as_deref()?).ok()?,
                ),
                at: self.captured_at?,
            },
            "declined" => ChargeAttemptState::Declined(Decline {
                code: self.decline_code.clone()?,
                message: self.decline_message.clone()?,
            }),
            "closed" => ChargeAttemptState::Closed,
            _ => return None,
        })
    }
}

fn charge(row: ChargeRow, attempts: &[ChargeAttemptRow]) -> Stored<Charge> {
    let wrong = |column| StoreError::inconsistent("charge", column, &row.charge_id);
    let state = match row.state.as_str() {
        "open" => ChargeState::Open,
        "paid" => ChargeState::Paid,
        "closed" => ChargeState::Closed,
        _ => return Err(wrong("state")),
    };
    let currency = Currency::parse(&row.currency).map_err(|_| wrong("currency"))?;
    let mut of_this = Vec::new();
    for row in attempts.iter().filter(|it| it.charge_id == row.charge_id) {
        let wrong = || StoreError::inconsistent("charge_attempt", "state", &row.attempt_key);
        of_this.push(ChargeAttempt {
            key: row.attempt_key.clone(),
            state: row.state().ok_or_else(wrong)?,
            provider_payment_id: row.provider_payment_id.clone(),
            intended_at: row.requested_at,
        });
    }
    Ok(Charge {
        amount: Money::new(row.amount_minor, currency),
        period_start: row.period_start,
        period_end: row.period_end,
        state,
        attempts: of_this,
        charge_id: row.charge_id,
    })
}

/// Newest first.
pub async fn of_subscription(conn: &mut PgConnection, id: SubscriptionId) -> Stored<Vec<Charge>> {
    let rows: Vec<ChargeRow> = sqlx::query_as(
        "select charge_id, amount_minor, currency, period_start, period_end, state
         from charge where subscription_id = $1 order by period_start desc limit $2",
    )
    .bind(id)
    .bind(CHARGES_MAX)
    .fetch_all(&mut *conn)
    .await?;
    let attempts: Vec<ChargeAttemptRow> = sqlx::query_as(
        "select attempt_key, charge_id, state, provider_payment_id, requested_at, captured_minor, captured_currency,
         captured_at, decline_code, decline_message
         from charge_attempt where charge_id in (select charge_id from charge where subscription_id = $1)
         order by requested_at, attempt_key",
    )
    .bind(id)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(|row| charge(row, &attempts)).collect()
}

/// A period, or one that was closed and is wanted after all.
pub async fn open(
    conn: &mut PgConnection,
    id: SubscriptionId,
    charge: &Charge,
    now: DateTime<Utc>,
) -> Stored<()> {
    sqlx::query(
        "insert into charge (charge_id, subscription_id, amount_minor, currency, period_start, period_end, state,
             created_at)
         values ($1, $2, $3, $4, $5, $6, 'open', $7)
         on conflict (charge_id) do update set state = 'open' where charge.state = 'closed'",
    )
    .bind(&charge.charge_id)
    .bind(id)
    .bind(charge.amount.minor)
    .bind(charge.amount.currency.code())
    .bind(charge.period_start)
    .bind(charge.period_end)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn close(conn: &mut PgConnection, charge_id: &str) -> Stored<()> {
    sqlx::query("update charge set state = 'closed' where charge_id = $1 and state = 'open'")
        .bind(charge_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// `false`: an attempt with this key exists.
pub async fn insert_attempt(
    conn: &mut PgConnection,
    charge_id: &str,
    attempt: &ChargeAttempt,
) -> Stored<bool> {
    let inserted = sqlx::query(
        "insert into charge_attempt (attempt_key, charge_id, state, requested_at) values ($1, $2, 'requested', $3)
         on conflict (attempt_key) do nothing",
    )
    .bind(&attempt.key)
    .bind(charge_id)
    .bind(attempt.intended_at)
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// What became of a try, and with it of its charge. What is known stays, and that money was taken always counts.
pub async fn save_attempt(
    conn: &mut PgConnection,
    charge_id: &str,
    key: &str,
    provider_payment_id: Option<&str>,
    state: &ChargeAttemptState,
) -> Stored<bool> {
    let (name, captured, decline) = match state {
        ChargeAttemptState::Intended => ("requested", None, None),
        ChargeAttemptState::Pending => ("pending", None, None),
        ChargeAttemptState::Paid { captured, at } => ("paid", Some((*captured, *at)), None),
        ChargeAttemptState::Declined(decline) => ("declined", None, Some(decline)),
        ChargeAttemptState::Closed => ("closed", None, None),
    };
    let saved = sqlx::query(
        "update charge_attempt set state = $2, provider_payment_id = coalesce($3, provider_payment_id), captured_minor = $4,
             captured_currency = $5, captured_at = $6, decline_code = $7, decline_message = $8
         where attempt_key = $1 and (state in ('requested', 'pending') or (state = 'closed' and $2 = 'paid'))",
    )
    .bind(key)
    .bind(name)
    .bind(provider_payment_id)
    .bind(captured.map(|(money, _)| money.minor))
    .bind(captured.map(|(money, _)| money.currency.code()))
    .bind(captured.map(|(_, at)| at))
    .bind(decline.map(|decline| &decline.code))
    .bind(decline.map(|decline| &decline.message))
    .execute(&mut *conn)
    .await?;
    let is_news = saved.rows_affected() == 1;
    if is_news && captured.is_some() {
        sqlx::query("update charge set state = 'paid' where charge_id = $1")
            .bind(charge_id)
            .execute(conn)
            .await?;
    }
    Ok(is_news)
}

/// Schedules the sync of the subscription that this payment charges, if there is one.
pub async fn schedule_now_by_payment(
    conn: &mut PgConnection,
    provider: Provider,
    provider_payment_id: &str,
) -> Stored<bool> {
    let due = sqlx::query(
        "update billing_state billing set due_at = 'epoch', sync_attempts = 0
         from charge_attempt join charge using (charge_id) join merchant_schedule schedule using (subscription_id)
         where schedule.subscription_id = billing.subscription_id and schedule.provider = $1
             and provider_payment_id = $2",
    )
    .bind(provider.name())
    .bind(provider_payment_id)
    .execute(conn)
    .await?;
    Ok(due.rows_affected() > 0)
}

/// Whether we are asking for it at this moment.
pub async fn is_in_flight(conn: &mut PgConnection, key: &str) -> Stored<bool> {
    let is_in_flight = sqlx::query_scalar(
        "select exists (select from charge_attempt where attempt_key = $1 and state in ('requested', 'pending'))",
    )
    .bind(key)
    .fetch_one(conn)
    .await?;
    Ok(is_in_flight)
}

/// Everything but what the books say of it.
pub async fn delete_of_member(conn: &mut PgConnection, user_id: &UserId) -> Stored<()> {
    sqlx::query(
        "delete from merchant_schedule using subscription
         where subscription.subscription_id = merchant_schedule.subscription_id and user_id = $1",
    )
    .bind(user_id.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

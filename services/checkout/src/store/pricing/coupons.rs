//! Coupons and their reservations. The coupon's row lock decides who gets the last one.

use chrono::{DateTime, Utc};
use kit::due_queue::DueQueue;
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, UserId};
use crate::domain::order::Order;
use crate::domain::order::coupon_reservation::Reservation;
use crate::domain::pricing::coupon::Coupon;
use crate::store::{StoreError, Stored};

/// Orders with an expired coupon reservation.
pub const OVERDUE: DueQueue = kit::due_queue! {
    table: "coupon_claim",
    key: "order_id",
    due_at: "reserved_until",
    only: "state = 'reserved'",
    returning: "order_id",
};

/// Brings the row in line with the file. Earlier takers count for a limit that is new.
pub async fn upsert(conn: &mut PgConnection, coupon: &Coupon, now: DateTime<Utc>) -> Stored<()> {
    let limits = &coupon.limits;
    // Waits for concurrent reservations, which are counted below.
    sqlx::query("select 1 from coupon where code = $1 for update")
        .bind(&coupon.code)
        .execute(&mut *conn)
        .await?;
    sqlx::query(
        "insert into coupon (code, percent_off, redemptions_max, member_max, created_at)
         values ($1, $2, $3, $4, $5)
         on conflict (code) do update
         set percent_off = excluded.percent_off, redemptions_max = excluded.redemptions_max,
             member_max = excluded.member_max,
             claimed_count = case when excluded.redemptions_max is null then 0 else
                 (select count(*) from coupon_claim claim where claim.code = excluded.code and state <> 'released')
             end",
    )
    .bind(&coupon.code)
    .bind(i32::from(coupon.percent_off))
    .bind(limits.redemptions_max)
    .bind(limits.member_max)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReservationOutcome {
    Reserved,
    Exhausted,
    AlreadyUsed,
}

/// Takes one for the order, whose member must be locked: no two orders of one member ask at the same time.
pub async fn reserve(
    conn: &mut PgConnection,
    code: &str,
    order: &Order,
    until: DateTime<Utc>,
) -> Stored<ReservationOutcome> {
    let used_up: Option<bool> = sqlx::query_scalar(
        "select (select count(*) from coupon_claim claim join orders using (order_id)
                 where orders.user_id = $1 and claim.code = $2 and claim.state <> 'released') >= member_max
         from coupon where code = $2 and member_max is not null",
    )
    .bind(order.user_id.as_str())
    .bind(code)
    .fetch_optional(&mut *conn)
    .await?;
    if used_up == Some(true) {
        return Ok(ReservationOutcome::AlreadyUsed);
    }
    if !take_one(conn, code).await? {
        return Ok(ReservationOutcome::Exhausted);
    }
    sqlx::query(
        "insert into coupon_claim (order_id, code, state, reserved_until) values ($1, $2, 'reserved', $3)",
    )
    .bind(order.order_id)
    .bind(code)
    .bind(until)
    .execute(conn)
    .await?;
    Ok(ReservationOutcome::Reserved)
}

async fn take_one(conn: &mut PgConnection, code: &str) -> Stored<bool> {
    let counted = sqlx::query(
        "update coupon set claimed_count = claimed_count + 1
         where code = $1 and claimed_count < redemptions_max",
    )
    .bind(code)
    .execute(&mut *conn)
    .await?;
    if counted.rows_affected() == 1 {
        return Ok(true);
    }
    // The share keeps a limit from beginning until this one can be counted for it.
    let unlimited: Option<bool> =
        sqlx::query_scalar("select redemptions_max is null from coupon where code = $1 for share")
            .bind(code)
            .fetch_optional(conn)
            .await?;
    Ok(unlimited.unwrap_or(false))
}

/// What an order gives back and what it is given up for, in the order of their codes: two members who swap two coupons
/// crosswise wait for each other, and never both.
pub async fn lock_swapped(conn: &mut PgConnection, given_up: OrderId, wanted: &str) -> Stored<()> {
    sqlx::query(
        "select 1 from coupon
         where redemptions_max is not null
             and (code = $2 or code in (select code from coupon_claim where order_id = $1))
         order by code for update",
    )
    .bind(given_up)
    .bind(wanted)
    .execute(conn)
    .await?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct ReservationRow {
    code: String,
    state: String,
    reserved_until: DateTime<Utc>,
    settled_at: Option<DateTime<Utc>>,
}

impl ReservationRow {
    fn reservation(&self, order_id: OrderId) -> Stored<Reservation> {
        let wrong = |column| StoreError::inconsistent("coupon_claim", column, order_id);
        let at = || self.settled_at.ok_or_else(|| wrong("settled_at"));
        match self.state.as_str() {
            "reserved" => Ok(Reservation::Reserved {
                until: self.reserved_until,
            }),
            "redeemed" => Ok(Reservation::Redeemed { at: at()? }),
            "released" => Ok(Reservation::Released { at: at()? }),
            _ => Err(wrong("state")),
        }
    }
}

/// Lets the coupon of a locked order, if it has one, become what the order's state makes of it.
pub async fn update_reservation(conn: &mut PgConnection, order: &Order, now: DateTime<Utc>) -> Stored<()> {
    let row: Option<ReservationRow> = sqlx::query_as(
        "select code, state, reserved_until, settled_at from coupon_claim where order_id = $1 for update",
    )
    .bind(order.order_id)
    .fetch_optional(&mut *conn)
    .await?;
    let Some(row) = row else { return Ok(()) };
    let before = row.reservation(order.order_id)?;
    let after = before.after(&order.state, now);
    let (state, settled_at) = match after {
        _ if after == before => return Ok(()),
        Reservation::Reserved { .. } => ("reserved", None),
        Reservation::Redeemed { at } => ("redeemed", Some(at)),
        Reservation::Released { at } => ("released", Some(at)),
    };
    sqlx::query("update coupon_claim set state = $2, settled_at = $3 where order_id = $1")
        .bind(order.order_id)
        .bind(state)
        .bind(settled_at)
        .execute(&mut *conn)
        .await?;
    let change = i32::from(after.is_taken()) - i32::from(before.is_taken());
    if change != 0 {
        sqlx::query(
            "update coupon set claimed_count = greatest(claimed_count + $2, 0)
             where code = $1 and redemptions_max is not null",
        )
        .bind(&row.code)
        .bind(change)
        .execute(conn)
        .await?;
    }
    Ok(())
}

/// Redemptions of a limited coupon.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub struct Count {
    pub is_exhausted: bool,
    /// How often this member has bought with it.
    pub redeemed: i64,
    /// An order of theirs keeps one for them.
    pub is_reserved: bool,
}

pub async fn count(conn: &mut PgConnection, code: &str, user_id: Option<&UserId>) -> Stored<Option<Count>> {
    let count = sqlx::query_as(
        "select coalesce(claimed_count >= redemptions_max, false) as is_exhausted,
             count(orders.order_id) filter (where claim.state = 'redeemed') as redeemed,
             count(orders.order_id) filter (where claim.state = 'reserved') > 0 as is_reserved
         from coupon
         left join (coupon_claim claim join orders on orders.order_id = claim.order_id and orders.user_id = $2)
             on claim.code = coupon.code
         where coupon.code = $1 group by coupon.code",
    )
    .bind(code)
    .bind(user_id.map(UserId::as_str))
    .fetch_optional(conn)
    .await?;
    Ok(count)
}

/// Gives back what the member's abandoned orders still hold.
pub async fn release_abandoned(conn: &mut PgConnection, user_id: &UserId, now: DateTime<Utc>) -> Stored<()> {
    // In the order of their codes, as every transaction that locks several does.
    sqlx::query(
        "select 1 from coupon
         where redemptions_max is not null and code in (
             select claim.code from coupon_claim claim join orders using (order_id)
             where orders.user_id = $1 and orders.state = 'abandoned' and claim.state = 'reserved')
         order by code for update",
    )
    .bind(user_id.as_str())
    .execute(&mut *conn)
    .await?;
    sqlx::query(
        "with released as (
             update coupon_claim set state = 'released', settled_at = $2
             from orders
             where orders.order_id = coupon_claim.order_id and orders.user_id = $1
                 and orders.state = 'abandoned' and coupon_claim.state = 'reserved'
             returning code)
         update coupon set claimed_count = greatest(claimed_count - given_back.number, 0)
         from (select code, count(*)::integer as number from released group by code) given_back
         where coupon.code = given_back.code and redemptions_max is not null",
    )
    .bind(user_id.as_str())
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

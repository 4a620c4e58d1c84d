//! Counts an attempt and refuses it when there were too many. Committed before the password is looked at, so neither a
//! crash nor a thousand guesses at once are free.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::crypto::device_marks;
use crate::domain::caller::Caller;
use crate::domain::email::Email;
use crate::domain::throttle::Throttle;
use crate::error::Error;
use crate::flows::Context;
use crate::store::sign_in_attempt::{self, Counter};

/// What an attempt was counted under.
pub struct Admitted {
    account: [u8; 32],
    address: Option<[u8; 32]>,
}

/// An attempt against a password.
pub async fn admit_attempt(context: &Context, email: &Email, caller: &Caller) -> Result<Admitted, Error> {
    let known_browser = device_marks::key(&context.pseudonyms, email, &caller.device_mark);
    let admitted = Admitted {
        account: known_browser.unwrap_or_else(|| context.pseudonyms.of(email)),
        address: address_key(context, caller),
    };
    let throttles = &context.throttles;
    let account = (admitted.account, throttles.account);
    let address = admitted.address.map(|key| (key, throttles.address));
    count(context, [Some(account), address]).await?;
    Ok(admitted)
}

/// A wish for a mailed link: counted whether or not somebody has the address, as everything about it.
pub async fn admit_link(context: &Context, email: &Email, caller: &Caller) -> Result<(), Error> {
    let mailbox = mailbox_key(context, email);
    let address = address_key(context, caller).map(|key| (key, context.throttles.address));
    count(context, [Some((mailbox, context.throttles.links)), address]).await
}

/// The password was right: the account starts anew, and the network has one failure less.
pub async fn forgive(tx: &mut PgConnection, admitted: &Admitted) -> Result<(), sqlx::Error> {
    sign_in_attempt::clear(tx, &admitted.account).await?;
    match &admitted.address {
        Some(address) => sign_in_attempt::take_back(tx, address).await,
        None => Ok(()),
    }
}

/// Nobody has the address any more.
pub async fn forget_attempts(
    context: &Context,
    tx: &mut PgConnection,
    email: &Email,
) -> Result<(), sqlx::Error> {
    sign_in_attempt::clear(tx, &context.pseudonyms.of(email)).await?;
    sign_in_attempt::clear(tx, &mailbox_key(context, email)).await
}

fn mailbox_key(context: &Context, email: &Email) -> [u8; 32] {
    context.pseudonyms.fingerprint(&["link", email.as_str()])
}

fn address_key(context: &Context, caller: &Caller) -> Option<[u8; 32]> {
    let known = !caller.address.is_empty();
    known.then(|| context.pseudonyms.fingerprint(&["address", &caller.address]))
}

async fn count(context: &Context, limits: [Option<([u8; 32], Throttle)>; 2]) -> Result<(), Error> {
    let now = context.clock.now();
    let limits: Vec<([u8; 32], Throttle)> = limits.into_iter().flatten().collect();
    let counters: Vec<Counter> = limits
        .iter()
        .map(|(key, throttle)| counter(*key, *throttle, now))
        .collect();
    let on_record = sign_in_attempt::count(&mut *context.pool.acquire().await?, &counters, now).await?;

    let waits = limits
        .iter()
        .zip(on_record)
        .filter_map(|((_, throttle), on_record)| throttle.admit(on_record, now).err());
    match waits.max() {
        None => Ok(()),
        Some(wait) => {
            metrics::counter!("auth_throttled_total").increment(1);
            Err(Error::TooManyAttempts { wait })
        }
    }
}

fn counter(key: [u8; 32], throttle: Throttle, now: DateTime<Utc>) -> Counter {
    Counter {
        key,
        new_window_ends_at: now + throttle.window,
    }
}

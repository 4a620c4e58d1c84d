//! Counts an attempt and rejects it above the limit. The count commits before the password is compared, so crashes and
//! concurrent guesses count too.
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::crypto::device_cookies;
use crate::domain::caller::Caller;
use crate::domain::email::Email;
use crate::domain::throttle::{Attempts, Throttle};
use crate::domain::user::UserId;
use crate::error::Error;
use crate::flows::Context;
use crate::store::sign_in_attempt::{self, Counter};

/// What an attempt was counted under.
pub struct ThrottlePass {
    /// The account with the network, the browser, or the member.
    source: [u8; 32],
    address: Option<[u8; 32]>,
    /// The account, where the browser is unknown.
    account: Option<[u8; 32]>,
}

/// An attempt against a password.
pub async fn check_throttle(
    context: &Context,
    email: &Email,
    caller: &Caller,
) -> Result<ThrottlePass, Error> {
    let account = context.pseudonyms.of(email);
    if let Some(browser) = device_cookies::key(&context.pseudonyms, email, &caller.device_cookie) {
        return check_known_source(context, browser, account, caller).await;
    }
    let fields = ["source", email.as_str(), &caller.address];
    let source = context.pseudonyms.fingerprint(&fields);
    let (admitted, from_here) = count_source(context, source, account, caller).await?;
    // Only what its network is admitted to: a refused attempt must not count against the owner.
    let throttle = context.throttles.account;
    let counter = Counter {
        throttle_key: account,
        account: Some(account),
        new_window_ends_at: context.clock.now() + throttle.window,
    };
    let now = context.clock.now();
    let everywhere = sign_in_attempt::count(&mut *context.pool.acquire().await?, &[counter], now).await?;
    let refused = everywhere
        .first()
        .and_then(|attempts| throttle.check(*attempts, from_here, now).err());
    refused.map_or(Ok(()), |wait| throttled(context, caller, wait))?;
    Ok(ThrottlePass {
        account: Some(account),
        ..admitted
    })
}

/// An attempt of a member who is signed in. Strangers' attempts do not count here, nor these against the owner elsewhere.
pub async fn check_proof_throttle(
    context: &Context,
    user_id: UserId,
    email: &Email,
    caller: &Caller,
) -> Result<ThrottlePass, Error> {
    let member = context.pseudonyms.fingerprint(&["proof", &user_id.to_string()]);
    check_known_source(context, member, context.pseudonyms.of(email), caller).await
}

/// An attempt with a code of the second factor. A password reset does not clear the counter: a mailbox must not buy guesses.
pub async fn check_code_throttle(
    context: &Context,
    user_id: UserId,
    caller: &Caller,
) -> Result<ThrottlePass, Error> {
    let admitted = ThrottlePass {
        source: context
            .pseudonyms
            .fingerprint(&["second factor", &user_id.to_string()]),
        address: address_key(context, caller),
        account: None,
    };
    let limit = Limit {
        key: admitted.source,
        about: None,
        throttle: context.throttles.source,
    };
    count(context, [Some(limit), address_limit(context, caller)], caller).await?;
    Ok(admitted)
}

async fn check_known_source(
    context: &Context,
    source: [u8; 32],
    account: [u8; 32],
    caller: &Caller,
) -> Result<ThrottlePass, Error> {
    Ok(count_source(context, source, account, caller).await?.0)
}

/// What the source itself has on record, the network's total admitted.
async fn count_source(
    context: &Context,
    source: [u8; 32],
    account: [u8; 32],
    caller: &Caller,
) -> Result<(ThrottlePass, Attempts), Error> {
    let admitted = ThrottlePass {
        source,
        address: address_key(context, caller),
        account: None,
    };
    let limit = Limit {
        key: source,
        about: Some(account),
        throttle: context.throttles.source,
    };
    let from_here = count(context, [Some(limit), address_limit(context, caller)], caller).await?;
    Ok((admitted, from_here))
}

/// A request for a mailed link: counted whether or not the address has an account, as everything about it.
pub async fn check_link_throttle(context: &Context, email: &Email, caller: &Caller) -> Result<(), Error> {
    let mailbox = Limit {
        key: mailbox_key(context, email),
        about: None,
        throttle: context.throttles.links,
    };
    count(context, [Some(mailbox), address_limit(context, caller)], caller).await?;
    Ok(())
}

/// The password was right: the source starts anew, and the network and the account have one failure less.
pub async fn refund_attempt(tx: &mut PgConnection, admitted: &ThrottlePass) -> Result<(), sqlx::Error> {
    sign_in_attempt::clear(tx, &admitted.source).await?;
    for key in [&admitted.address, &admitted.account].into_iter().flatten() {
        sign_in_attempt::decrement(tx, key).await?;
    }
    Ok(())
}

/// The account opens again, for unknown browsers too.
pub async fn clear_attempts(
    context: &Context,
    tx: &mut PgConnection,
    email: &Email,
) -> Result<(), sqlx::Error> {
    sign_in_attempt::clear_account(tx, &context.pseudonyms.of(email)).await
}

/// No account has the address any more.
pub async fn delete_attempts(
    context: &Context,
    tx: &mut PgConnection,
    email: &Email,
) -> Result<(), sqlx::Error> {
    clear_attempts(context, tx, email).await?;
    sign_in_attempt::clear(tx, &mailbox_key(context, email)).await
}

fn mailbox_key(context: &Context, email: &Email) -> [u8; 32] {
    context.pseudonyms.fingerprint(&["link", email.as_str()])
}

fn address_key(context: &Context, caller: &Caller) -> Option<[u8; 32]> {
    let known = !caller.address.is_empty();
    known.then(|| context.pseudonyms.fingerprint(&["address", &caller.address]))
}

fn address_limit(context: &Context, caller: &Caller) -> Option<Limit> {
    address_key(context, caller).map(|key| Limit {
        key,
        about: None,
        throttle: context.throttles.address,
    })
}

struct Limit {
    key: [u8; 32],
    about: Option<[u8; 32]>,
    throttle: Throttle,
}

impl Limit {
    fn counter(&self, now: DateTime<Utc>) -> Counter {
        Counter {
            throttle_key: self.key,
            account: self.about,
            new_window_ends_at: now + self.throttle.window,
        }
    }
}

/// What the first limit has on record, where none refuses.
async fn count(context: &Context, limits: [Option<Limit>; 2], caller: &Caller) -> Result<Attempts, Error> {
    let now = context.clock.now();
    let limits: Vec<Limit> = limits.into_iter().flatten().collect();
    let counters: Vec<Counter> = limits.iter().map(|limit| limit.counter(now)).collect();
    let on_record = sign_in_attempt::count(&mut *context.pool.acquire().await?, &counters, now).await?;

    let waits = limits
        .iter()
        .zip(&on_record)
        .filter_map(|(limit, on_record)| limit.throttle.check(*on_record, now).err());
    waits
        .max()
        .map_or(Ok(()), |wait| throttled(context, caller, wait))?;
    let fresh = Attempts {
        count: 1,
        window_ends_at: now,
    };
    Ok(on_record.first().copied().unwrap_or(fresh))
}

fn throttled(context: &Context, caller: &Caller, wait: TimeDelta) -> Result<(), Error> {
    metrics::counter!("auth_throttled_total").increment(1);
    tracing::info!(
        network = network_tag(context, caller),
        wait_secs = wait.num_seconds(),
        "attempt throttled"
    );
    Err(Error::TooManyAttempts { wait })
}

/// For logs: the same network has the same mark, and the mark names none.
pub fn network_tag(context: &Context, caller: &Caller) -> String {
    const MARK_BYTES: usize = 8;

    address_key(context, caller).map_or_else(String::new, |key| {
        hex::encode(key.get(..MARK_BYTES).unwrap_or_default())
    })
}

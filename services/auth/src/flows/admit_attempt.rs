//! Counts an attempt against an account's password and refuses it when there were too many. Committed before the
//! password is looked at, so neither a crash nor a thousand guesses at once are free.
use crate::domain::email::Email;
use crate::error::Error;
use crate::flows::Context;
use crate::store::sign_in_attempt;

pub async fn admit_attempt(context: &Context, email: &Email) -> Result<(), Error> {
    let now = context.clock.now();
    let mut connection = context.pool.acquire().await?;

    let account_key = context.pseudonyms.of(email);
    let window_ends_at = now + context.throttle.window;
    let on_record = sign_in_attempt::count(&mut connection, &account_key, now, window_ends_at).await?;

    context.throttle.admit(on_record, now).map_err(|wait| {
        metrics::counter!("auth_sign_ins_total", "outcome" => "throttled").increment(1);
        Error::TooManyAttempts { wait }
    })
}

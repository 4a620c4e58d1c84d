//! Refuses a chosen password that a service of breached passwords lists. Only five characters of its hash are sent. The service
//! being unavailable refuses nothing: the list of the domain applies in any case.
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};

use crate::domain::password::{Password, breached};
use crate::error::Error;
use crate::flows::Context;

const PREFIX_CHARS: usize = 5;

pub async fn check_breached_password(context: &Context, password: &Password) -> Result<(), Error> {
    let Some(service) = &context.breached_passwords else {
        return Ok(());
    };
    let hash = hex::encode_upper(digest(&SHA1_FOR_LEGACY_USE_ONLY, password.expose().as_bytes()));
    let (prefix, suffix) = hash.split_at(PREFIX_CHARS);
    match service.suffixes(prefix).await {
        Ok(suffixes) if suffixes.iter().any(|listed| listed == suffix) => {
            Err(Error::Invalid(vec![breached()]))
        }
        Ok(_) => Ok(()),
        Err(error) => {
            metrics::counter!("auth_breached_passwords_unchecked_total").increment(1);
            tracing::warn!(%error, "password not compared with breached ones; it is accepted");
            Ok(())
        }
    }
}

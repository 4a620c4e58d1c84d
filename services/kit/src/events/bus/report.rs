//! Logs what happens to the connection, and counts what the server refuses.

use async_nats::{ClientError, Event, ServerError};

/// `user` is the one that the connection signs in as.
pub(super) fn event(event: &Event, user: &str) {
    match event {
        Event::Connected => tracing::info!(user, "connected to NATS"),
        Event::Disconnected => tracing::warn!(user, "the connection to NATS is lost; reconnecting"),
        Event::SlowConsumer(subscription) => {
            tracing::warn!(subscription, "NATS messages come faster than they are read");
        }
        Event::ServerError(ServerError::AuthorizationViolation) => refused(user, "connection"),
        // The second is a connection that was not accepted, reported on every attempt.
        Event::ServerError(ServerError::Other(error)) | Event::ClientError(ClientError::Other(error))
            if is_refusal(error) =>
        {
            refused(user, error);
        }
        Event::ServerError(error) => tracing::warn!(%error, user, "NATS reports an error"),
        // Reported on every attempt while the server is down.
        Event::ClientError(error) => tracing::debug!(%error, "the NATS client reports an error"),
        Event::LameDuckMode | Event::Draining | Event::Closed => tracing::debug!(?event, "NATS connection"),
    }
}

fn refused(user: &str, what: &str) {
    metrics::counter!("nats_refused_total", "user" => user.to_owned()).increment(1);
    tracing::warn!(
        user,
        refused = what,
        "NATS refused this user; check its permissions"
    );
}

/// For example `Permissions Violation for Publish to "stillpoint.auth.user.registered"`.
fn is_refusal(error: &str) -> bool {
    const MARKS: [&str; 5] = [
        "permissions violation",
        "authorization violation",
        "authentication error",
        "authentication expired",
        "authentication revoked",
    ];
    let error = error.to_ascii_lowercase();
    MARKS.iter().any(|mark| error.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_differ_from_other_errors() {
        for refusal in [
            "Permissions Violation for Subscription to \"stillpoint.>\"",
            "nats: authorization violation",
            "User Authentication Expired",
        ] {
            assert!(is_refusal(refusal), "{refusal}");
        }
        assert!(!is_refusal("Maximum Payload Violation"));
    }
}

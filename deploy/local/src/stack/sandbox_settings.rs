//! The addresses and credentials of external services, all served by the sandbox.

use crate::stack::{Settings, setting};

/// The webhook events an operator subscribes to at Stripe (checkout's README, "At Stripe"). Each event costs one API call.
pub const STRIPE_EVENTS: &str = "customer.subscription.created,customer.subscription.updated,customer.subscription.deleted,\
    invoice.paid,invoice.payment_failed,invoice.payment_action_required,\
    payment_intent.succeeded,payment_intent.payment_failed,payment_intent.canceled,\
    charge.refunded,refund.created,refund.updated,refund.failed,\
    charge.dispute.created,charge.dispute.funds_withdrawn,charge.dispute.funds_reinstated,charge.dispute.closed";

pub fn settings(sandbox: &str) -> Settings {
    let parts = [
        sign_in(sandbox).to_vec(),
        payments(sandbox).to_vec(),
        outside_sites(sandbox).to_vec(),
    ];
    parts.concat()
}

/// The payment providers.
fn payments(sandbox: &str) -> [(String, String); 6] {
    [
        setting("CHECKOUT_PROVIDERS", "stripe,paypal,yookassa,platron"),
        setting("PAYPAL_API_BASE", format!("{sandbox}/paypal")),
        setting("PAYPAL_CLIENT_ID", "paypal-client-stillpoint"),
        setting("PAYPAL_JS_URL", format!("{sandbox}/paypal/sdk/js")),
        setting("YOOKASSA_API_BASE", format!("{sandbox}/yookassa")),
        setting("PLATRON_API_BASE", format!("{sandbox}/platron")),
    ]
}

/// Sites that the product links or redirects to.
fn outside_sites(sandbox: &str) -> [(String, String); 4] {
    [
        setting("MARKETING_BASE_URL", format!("{sandbox}/outside/marketing")),
        setting("THERAPY_APP_URL", format!("{sandbox}/outside/therapy")),
        setting("REDIRECT_HOSTS", sandbox),
        setting(
            "TR_ANALYTICS_SCRIPT_URL",
            format!("{sandbox}/outside/analytics.js"),
        ),
    ]
}

/// Apple, Google and Facebook.
fn sign_in(sandbox: &str) -> [(String, String); 12] {
    [
        setting("APPLE_CLIENT_ID", "example.stillpoint.web"),
        setting("APPLE_ISSUER", format!("{sandbox}/apple")),
        setting("APPLE_JWKS_URL", format!("{sandbox}/apple/auth/keys")),
        setting("APPLE_JS_URL", format!("{sandbox}/apple/appleid.auth.js")),
        setting("GOOGLE_CLIENT_ID", "stillpoint.apps.googleusercontent.com"),
        setting("GOOGLE_ISSUER", format!("{sandbox}/google")),
        setting("GOOGLE_JWKS_URL", format!("{sandbox}/google/oauth2/v3/certs")),
        setting("GOOGLE_JS_URL", format!("{sandbox}/google/gsi/client")),
        setting("FACEBOOK_APP_ID", "100200300400500"),
        setting("FACEBOOK_APP_SECRET", "facebook-app-secret"),
        setting("FACEBOOK_GRAPH_URL", format!("{sandbox}/facebook/v24.0")),
        setting("FACEBOOK_JS_URL", format!("{sandbox}/facebook/en_US/sdk.js")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPOSE: &str = include_str!("../../../../docker-compose.yml");
    /// The sandbox as browsers and as containers reach it.
    const BASES: [&str; 2] = ["http://localhost:8090", "http://sandbox:8090"];
    /// The services that read these settings, with the README that lists their variables.
    const READERS: [(&str, &str); 4] = [
        ("auth", include_str!("../../../../services/auth/README.md")),
        (
            "checkout",
            include_str!("../../../../services/checkout/README.md"),
        ),
        ("gateway", include_str!("../../../../gateway/README.md")),
        ("web", include_str!("../../../../web/README.md")),
    ];

    /// The lines of a service in docker-compose.yml.
    fn service(name: &str) -> impl Iterator<Item = &'static str> {
        let head = format!("  {name}:");
        let lines = COMPOSE.lines().skip_while(move |line| *line != head).skip(1);
        lines.take_while(|line| line.is_empty() || line.starts_with("   "))
    }

    fn value(service_name: &str, variable: &str) -> Option<&'static str> {
        let value = service(service_name).find_map(|line| {
            let (name, value) = line.trim().split_once(": ")?;
            (name == variable).then_some(value)
        });
        value.map(|value| value.trim_matches('"'))
    }

    #[test]
    fn docker_compose_sets_the_same_settings_for_every_service_that_reads_them() {
        let [by_browsers, by_containers] = BASES.map(settings);
        for ((variable, by_browsers), (_, by_containers)) in by_browsers.iter().zip(&by_containers) {
            let listed = format!("`{variable}`");
            let readers: Vec<&str> = READERS
                .iter()
                .filter(|(_, readme)| readme.contains(&listed))
                .map(|(name, _)| *name)
                .collect();
            assert!(!readers.is_empty(), "no README lists {variable}");
            for reader in readers {
                let value = value(reader, variable).unwrap_or_default();
                assert!(
                    value == by_browsers || value == by_containers,
                    "docker-compose.yml sets {variable} of {reader} to {value:?}, not to {by_browsers}"
                );
            }
        }
    }
}

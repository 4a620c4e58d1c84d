//! The addresses and credentials of external services, all served by the sandbox.

use crate::stack::{Settings, setting};

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

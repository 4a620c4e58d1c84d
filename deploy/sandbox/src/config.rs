//! Settings from environment variables.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use kit::config::{ConfigErrors, Env, EnvReader};
use secrecy::ExposeSecret;

use crate::{
    engine::virtual_clock::Bucket,
    paypal, platron,
    sandbox::Options,
    social::Clients,
    stripe::{self, Webhook},
    yookassa,
};

/// Reports all invalid settings at once. The sandbox never starts in production.
pub fn read(env: &Env) -> Result<Options, ConfigErrors> {
    let mut reader = env.reader();
    if env.is_production() {
        reader.fail(
            "STILLPOINT_ENV",
            "the sandbox simulates the providers and never runs in production",
        );
    }
    let defaults = Options::default();
    let addr = reader.parse("SANDBOX_ADDR", SocketAddr::from(([127, 0, 0, 1], 8090)));
    let smtp_addr = reader.parse("SANDBOX_SMTP_ADDR", SocketAddr::from(([127, 0, 0, 1], 8025)));
    let name = reader.text("CLOCK_BUCKET", "clock");
    let options = Options {
        addr,
        smtp_addr,
        public_url: reader.optional("SANDBOX_PUBLIC_URL"),
        stripe: stripe(&mut reader, &defaults.stripe),
        paypal: paypal(&mut reader, &defaults.paypal),
        yookassa: yookassa(&mut reader, &defaults.yookassa),
        platron: platron(&mut reader, &defaults.platron),
        ai_key: reader
            .secret("AI_API_KEY", &defaults.ai_key)
            .expose_secret()
            .to_owned(),
        ai_pace: reader.millis("AI_PACE_MS", Duration::from_millis(40)),
        state_dir: reader.optional("SANDBOX_STATE_DIR").map(PathBuf::from),
        bucket: reader
            .optional("NATS_URL")
            .map(|nats_url| Bucket { nats_url, name }),
        clock: defaults.clock,
        social: social(&mut reader, &defaults.social),
    };
    reader.done(options)
}

fn stripe(reader: &mut EnvReader<'_>, defaults: &stripe::Settings) -> stripe::Settings {
    let secret = reader
        .secret("STRIPE_WEBHOOK_SECRET", "whsec_stillpoint")
        .expose_secret()
        .to_owned();
    let events = reader.list("STRIPE_WEBHOOK_EVENTS", &["*"]);
    let webhook = reader
        .optional("STRIPE_WEBHOOK_URL")
        .map(|url| Webhook { url, secret, events });
    stripe::Settings {
        secret_key: reader
            .secret("STRIPE_SECRET_KEY", &defaults.secret_key)
            .expose_secret()
            .to_owned(),
        publishable_key: reader.text("STRIPE_PUBLISHABLE_KEY", &defaults.publishable_key),
        webhook,
    }
}

fn social(reader: &mut EnvReader<'_>, defaults: &Clients) -> Clients {
    Clients {
        apple: reader.text("APPLE_CLIENT_ID", &defaults.apple),
        google: reader.text("GOOGLE_CLIENT_ID", &defaults.google),
        facebook: reader.text("FACEBOOK_APP_ID", &defaults.facebook),
        facebook_secret: reader
            .secret("FACEBOOK_APP_SECRET", &defaults.facebook_secret)
            .expose_secret()
            .to_owned(),
    }
}

fn paypal(reader: &mut EnvReader<'_>, defaults: &paypal::Settings) -> paypal::Settings {
    paypal::Settings {
        client_id: reader.text("PAYPAL_CLIENT_ID", &defaults.client_id),
        client_secret: reader
            .secret("PAYPAL_CLIENT_SECRET", &defaults.client_secret)
            .expose_secret()
            .to_owned(),
        webhook_url: Some(reader.text("PAYPAL_WEBHOOK_URL", "http://localhost:8080/webhooks/paypal")),
        webhook_id: reader.text("PAYPAL_WEBHOOK_ID", &defaults.webhook_id),
    }
}

fn yookassa(reader: &mut EnvReader<'_>, defaults: &yookassa::Settings) -> yookassa::Settings {
    yookassa::Settings {
        shop_id: reader.text("YOOKASSA_SHOP_ID", &defaults.shop_id),
        secret_key: reader
            .secret("YOOKASSA_SECRET_KEY", &defaults.secret_key)
            .expose_secret()
            .to_owned(),
        webhook_url: Some(reader.text("YOOKASSA_WEBHOOK_URL", "http://localhost:8080/webhooks/yookassa")),
    }
}

fn platron(reader: &mut EnvReader<'_>, defaults: &platron::Settings) -> platron::Settings {
    platron::Settings {
        merchant_id: reader.text("PLATRON_MERCHANT_ID", &defaults.merchant_id),
        secret_key: reader
            .secret("PLATRON_SECRET_KEY", &defaults.secret_key)
            .expose_secret()
            .to_owned(),
        check_url: reader.optional("PLATRON_CHECK_URL"),
        result_url: reader.optional("PLATRON_RESULT_URL"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn production_is_rejected() {
        let faults = read(&Env::from_pairs([("STILLPOINT_ENV", "production")]))
            .err()
            .unwrap();
        assert!(faults.to_string().contains("STILLPOINT_ENV"));
    }

    #[test]
    fn defaults_are_as_documented() {
        let options = read(&Env::from_pairs::<&str, &str>([])).unwrap();
        assert_eq!(options.addr.to_string(), "127.0.0.1:8090");
        assert_eq!(options.stripe.secret_key, "sk_test_stillpoint");
        assert!(options.stripe.webhook.is_none() && options.bucket.is_none() && options.state_dir.is_none());
    }
}

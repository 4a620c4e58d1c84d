//! The accounts at payment providers.

use std::time::Duration;

use kit::config::EnvReader;
use url::Url;

use crate::domain::provider::Provider;
use crate::providers::{ProviderSettings, paypal, platron, stripe, yookassa};

const TIMEOUT: Duration = Duration::from_secs(10);

pub fn read(stripe: stripe::Account, reader: &mut EnvReader<'_>) -> ProviderSettings {
    let named = reader.list("CHECKOUT_PROVIDERS", &["stripe"]);
    for name in &named {
        if Provider::named(name).is_none() {
            reader.fail(
                "CHECKOUT_PROVIDERS",
                format!("{name:?} is none of stripe, paypal, yookassa and platron"),
            );
        }
    }
    let has = |provider: Provider| named.iter().any(|name| name == provider.name());
    ProviderSettings {
        stripe,
        paypal: has(Provider::Paypal).then(|| paypal::Account {
            api_base: base(reader, "PAYPAL_API_BASE", "https://api-m.paypal.com"),
            client_id: reader.text("PAYPAL_CLIENT_ID", "paypal-client-stillpoint"),
            client_secret: reader.rotating_secret("PAYPAL_CLIENT_SECRET", "paypal-secret-stillpoint"),
            webhook_id: reader.text("PAYPAL_WEBHOOK_ID", "9SB12345ST67890PT"),
            timeout: reader.millis("PAYPAL_TIMEOUT_MS", TIMEOUT),
        }),
        yookassa: has(Provider::Yookassa).then(|| yookassa::Account {
            api_base: base(reader, "YOOKASSA_API_BASE", "https://api.yookassa.ru"),
            shop_id: reader.text("YOOKASSA_SHOP_ID", "100500"),
            secret_key: reader.rotating_secret("YOOKASSA_SECRET_KEY", "test_yookassa-stillpoint"),
            timeout: reader.millis("YOOKASSA_TIMEOUT_MS", TIMEOUT),
        }),
        platron: has(Provider::Platron).then(|| {
            reader.require_https("PUBLIC_URL");
            platron::Account {
                api_base: base(reader, "PLATRON_API_BASE", "https://www.platron.ru"),
                merchant_id: reader.text("PLATRON_MERCHANT_ID", "82"),
                secret_key: reader.rotating_secret("PLATRON_SECRET_KEY", "platron-secret-stillpoint"),
                public_url: base(reader, "PUBLIC_URL", "http://localhost:8080"),
                callback_url: reader.optional("PLATRON_CALLBACK_URL"),
                timeout: reader.millis("PLATRON_TIMEOUT_MS", TIMEOUT),
            }
        }),
    }
}

fn base(reader: &mut EnvReader<'_>, name: &'static str, default: &str) -> String {
    let text = reader.text(name, default);
    if let Err(why) = Url::parse(&text) {
        reader.fail(name, why);
    }
    text
}

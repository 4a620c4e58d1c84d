//! PayPal's button: whose script a page may run, and which windows it may open.
use kit::config::EnvReader;
use url::Url;

use super::CspSources;
use super::sign_in::add;

const OWN_SCRIPT: &str = "https://www.paypal.com/sdk/js";
/// As PayPal asks for it: the button, its frame and what both report come from several hosts of each.
const OWN: &[&str] = &["https://*.paypal.com", "https://*.paypalobjects.com"];

/// `PAYPAL_CLIENT_ID` and `PAYPAL_JS_URL`: without our id there the page shows no button and the policy no address.
pub fn allow(reader: &mut EnvReader<'_>, sources: &mut CspSources) {
    let script = reader.text("PAYPAL_JS_URL", OWN_SCRIPT);
    let origin = match Url::parse(&script) {
        Ok(url) => url.origin().ascii_serialization(),
        Err(error) => return reader.fail("PAYPAL_JS_URL", error),
    };
    if reader.optional("PAYPAL_CLIENT_ID").is_none() {
        return;
    }
    let stand_in = [origin.as_str()];
    let places = if script == OWN_SCRIPT { OWN } else { &stand_in };
    for kind in [&mut sources.script, &mut sources.connect, &mut sources.frame] {
        add(kind, places);
    }
}

#[cfg(test)]
mod tests {
    use kit::config::{ConfigErrors, Env};

    use crate::config::Config;

    fn read(pairs: &[(&str, &str)]) -> Result<Config, ConfigErrors> {
        Config::read(&Env::from_pairs(pairs.iter().copied()))
    }

    #[test]
    fn paypal_button_is_allowed_where_configured() {
        let nothing = read(&[]).unwrap().csp;
        assert!(!nothing.script.iter().any(|source| source.contains("paypal")));
        let csp = read(&[("PAYPAL_CLIENT_ID", "us")]).unwrap().csp;
        for sources in [csp.script, csp.connect, csp.frame] {
            assert!(
                sources.contains(&"https://*.paypal.com".to_owned()),
                "{sources:?}"
            );
        }
        assert!(read(&[("PAYPAL_JS_URL", "sdk.js")]).is_err());
    }

    #[test]
    fn a_stand_in_brings_its_own_origin_and_no_other() {
        let csp = read(&[
            ("STRIPE_JS_URL", "http://localhost:8090/stripe/js/stripe.js"),
            ("PAYPAL_CLIENT_ID", "us"),
            ("PAYPAL_JS_URL", "http://localhost:8090/paypal/sdk/js"),
        ])
        .unwrap()
        .csp;
        for sources in [csp.script, csp.connect, csp.frame] {
            assert_eq!(sources, ["http://localhost:8090"]);
        }
    }
}

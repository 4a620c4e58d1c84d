//! Sign-in providers: client ids, and the scripts that pages may run.
use kit::config::EnvReader;
use url::Url;

use super::CspSources;

/// Without our id there the page shows no button and the policy no address.
pub struct SignInProvider {
    client_id: &'static str,
    script_url: &'static str,
    own_script: &'static str,
    /// Besides the script's origin, which a stand-in serves everything from.
    connect: &'static [&'static str],
    frame: &'static [&'static str],
    style: &'static [&'static str],
}

/// Its window speaks to the page; nothing of it is in the page.
pub const APPLE: SignInProvider = SignInProvider {
    client_id: "APPLE_CLIENT_ID",
    script_url: "APPLE_JS_URL",
    own_script: "https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js",
    connect: &["https://appleid.apple.com"],
    frame: &[],
    style: &[],
};
pub const GOOGLE: SignInProvider = SignInProvider {
    client_id: "GOOGLE_CLIENT_ID",
    script_url: "GOOGLE_JS_URL",
    own_script: "https://accounts.google.com/gsi/client",
    connect: &["https://accounts.google.com/gsi/"],
    frame: &["https://accounts.google.com/gsi/"],
    style: &["https://accounts.google.com/gsi/style"],
};
pub const FACEBOOK: SignInProvider = SignInProvider {
    client_id: "FACEBOOK_APP_ID",
    script_url: "FACEBOOK_JS_URL",
    own_script: "https://connect.facebook.net/en_US/sdk.js",
    connect: &["https://graph.facebook.com", "https://www.facebook.com"],
    frame: &["https://www.facebook.com"],
    style: &[],
};

impl SignInProvider {
    pub fn allow(&self, reader: &mut EnvReader<'_>, sources: &mut CspSources) {
        let script = reader.text(self.script_url, self.own_script);
        let origin = match Url::parse(&script) {
            Ok(url) => url.origin().ascii_serialization(),
            Err(error) => return reader.fail(self.script_url, error),
        };
        if reader.optional(self.client_id).is_none() {
            return;
        }
        add(&mut sources.script, &[&origin]);
        if script == self.own_script {
            add(&mut sources.connect, self.connect);
            add(&mut sources.frame, self.frame);
            add(&mut sources.style, self.style);
        } else {
            add(&mut sources.connect, &[&origin]);
            add(&mut sources.frame, &[&origin]);
        }
    }
}

/// Stand-ins for several may share an origin.
pub fn add(sources: &mut Vec<String>, more: &[&str]) {
    for source in more {
        if !sources.iter().any(|known| known == source) {
            sources.push((*source).to_owned());
        }
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
    fn sign_in_providers_are_allowed_where_configured() {
        let nothing = read(&[]).unwrap().csp;
        assert!(!nothing.script.iter().any(|source| source.contains("google")));
        let known = [
            ("APPLE_CLIENT_ID", "us"),
            ("GOOGLE_CLIENT_ID", "us"),
            ("FACEBOOK_APP_ID", "1"),
        ];
        let csp = read(&known).unwrap().csp;
        for origin in [
            "https://appleid.cdn-apple.com",
            "https://accounts.google.com",
            "https://connect.facebook.net",
        ] {
            assert!(csp.script.iter().any(|source| source == origin), "{origin}");
        }
        assert_eq!(csp.style, ["https://accounts.google.com/gsi/style"]);
        assert!(read(&[("APPLE_JS_URL", "apple.js")]).is_err());
    }

    #[test]
    fn stand_ins_of_one_origin_are_named_once() {
        let csp = read(&[
            ("STRIPE_JS_URL", "http://localhost:8090/stripe/js/stripe.js"),
            ("GOOGLE_CLIENT_ID", "us"),
            ("GOOGLE_JS_URL", "http://localhost:8090/google/gsi/client"),
        ])
        .unwrap()
        .csp;
        for sources in [csp.script, csp.connect, csp.frame] {
            assert_eq!(sources, ["http://localhost:8090"]);
        }
    }
}

//! Settings of the gateway. The README's table and this file name the same variables.
mod paypal;
mod security_contact;
mod sign_in;

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use http::Uri;
use kit::config::{ConfigErrors, Env, EnvReader, RotatingSecret};
use url::Url;

use crate::security::limits::ClientRules;
use crate::security::redirects::Redirects;
use crate::security::site::Site;

#[derive(Clone)]
pub struct Config {
    /// `HTTP_ADDR`: where browsers are answered.
    pub http_addr: SocketAddr,
    /// `PUBLIC_URL`: the site's own address; links, cookies and cross-site checks follow it.
    pub site: Site,
    /// `WEB_URL`: the renderer.
    pub web_url: Uri,
    /// `STILLPOINT_ENV`: in production GraphQL introspection is disabled.
    pub production: bool,
    pub tokens: Tokens,
    /// `REDIRECT_HOSTS`: hosts of others that a redirect parameter may name; with `http://` for this machine alone.
    pub redirects: Redirects,
    /// `SECURITY_CONTACT`: where vulnerabilities are reported, as URIs.
    pub security_contacts: Vec<String>,
    pub csp: CspSources,
    pub clients: ClientRules,
    pub server: ServerLimits,
    pub pages: PageSettings,
}

#[derive(Clone)]
pub struct Tokens {
    /// `CONTENT_READ_TOKEN`: who may read published content over GraphQL.
    pub content_read: RotatingSecret,
    /// `OPERATOR_TOKEN`: who may read the figures.
    pub operator: RotatingSecret,
}

/// What pages may load from elsewhere.
#[derive(Clone)]
pub struct CspSources {
    pub script: Vec<String>,
    pub connect: Vec<String>,
    pub frame: Vec<String>,
    pub style: Vec<String>,
    /// Where forms may be sent.
    pub form: Vec<String>,
}

#[derive(Clone)]
pub struct ServerLimits {
    /// `MAX_CONNECTIONS`
    pub max_connections: usize,
    /// `HEADER_TIMEOUT_MS`: also how long an idle connection is kept.
    pub header_timeout: Duration,
    /// `BODY_TIMEOUT_MS`
    pub body_timeout: Duration,
    /// `WRITE_TIMEOUT_MS`: how long a client may take no byte of an answer.
    pub write_timeout: Duration,
    /// `STREAM_KEEP_ALIVE_MS`: interval of keep-alive comments on an idle stream.
    pub keep_alive: Duration,
}

#[derive(Clone)]
pub struct PageSettings {
    /// `PAGE_CACHE_BYTES`: all encodings counted.
    pub cache_bytes: u64,
    /// `GRAPHQL_CACHE_BYTES`: answers to queries, all encodings counted.
    pub answer_bytes: u64,
    /// `RENDER_TIMEOUT_MS`
    pub render_timeout: Duration,
    /// `RENDER_CONCURRENCY`
    pub render_concurrency: usize,
    /// `PAGE_STALE_SECS`: how long past its time a page may be shown while a new one is made.
    pub stale_window: Duration,
    /// `PAGE_MAX_BYTES`: a larger answer of the renderer is refused.
    pub max_bytes: usize,
}

impl Config {
    pub fn read(env: &Env) -> Result<Self, ConfigErrors> {
        let mut reader = env.reader();
        reader.require_https("PUBLIC_URL");
        let site = reader.parse("PUBLIC_URL", Site::default());
        let config = Self {
            http_addr: reader.parse("HTTP_ADDR", SocketAddr::from((Ipv4Addr::LOCALHOST, 8080))),
            security_contacts: security_contact::read(&mut reader, &site),
            site,
            web_url: reader.parse("WEB_URL", Uri::from_static("http://127.0.0.1:3000")),
            production: env.is_production(),
            tokens: Tokens {
                content_read: reader.own_rotating_secret("CONTENT_READ_TOKEN", "read-published"),
                operator: reader.own_rotating_secret("OPERATOR_TOKEN", "operate"),
            },
            redirects: Redirects::read(&mut reader),
            csp: csp_sources(&mut reader),
            clients: client_rules(&mut reader),
            server: server_limits(&mut reader),
            pages: page_settings(&mut reader),
        };
        reader.done(config)
    }
}

/// What pays and what counts may come from elsewhere, and nothing beside.
fn csp_sources(reader: &mut EnvReader<'_>) -> CspSources {
    let mut sources = stripe_sources(reader);
    for provider in [sign_in::APPLE, sign_in::GOOGLE, sign_in::FACEBOOK] {
        provider.allow(reader, &mut sources);
    }
    allow_yookassa(reader, &mut sources);
    paypal::allow(reader, &mut sources);
    // `AUTOLOGIN_URL`: the place outside that signs members in by a token of ours.
    sources.form.extend(origin_of(reader, "AUTOLOGIN_URL"));
    if let Some(origin) = origin_of(reader, "TR_ANALYTICS_SCRIPT_URL") {
        sources.script.push(origin.clone());
        sources.connect.push(origin);
    }
    sources
}

fn origin_of(reader: &mut EnvReader<'_>, name: &'static str) -> Option<String> {
    match Url::parse(&reader.optional(name)?) {
        Ok(url) => Some(url.origin().ascii_serialization()),
        Err(error) => {
            reader.fail(name, error);
            None
        }
    }
}

/// `STRIPE_JS_URL` decides: a stand-in for Stripe serves its script, its API and its frames from one origin.
fn stripe_sources(reader: &mut EnvReader<'_>) -> CspSources {
    let script = reader.text("STRIPE_JS_URL", "https://js.stripe.com/endive/stripe.js");
    let origin = match Url::parse(&script) {
        Ok(url) => url.origin().ascii_serialization(),
        Err(error) => {
            reader.fail("STRIPE_JS_URL", error);
            String::new()
        }
    };
    if origin == "https://js.stripe.com" {
        let own = [origin, "https://*.js.stripe.com".into()];
        return CspSources {
            script: own.to_vec(),
            connect: vec!["https://api.stripe.com".into()],
            frame: [own.as_slice(), &["https://hooks.stripe.com".into()]].concat(),
            style: Vec::new(),
            form: Vec::new(),
        };
    }
    CspSources {
        script: vec![origin.clone()],
        connect: vec![origin.clone()],
        frame: vec![origin],
        style: Vec::new(),
        form: Vec::new(),
    }
}

/// `YOOKASSA_WIDGET_URL`: the form for cards of Russia opens in a frame of the widget's. Without it there is no widget.
fn allow_yookassa(reader: &mut EnvReader<'_>, sources: &mut CspSources) {
    let Some(origin) = origin_of(reader, "YOOKASSA_WIDGET_URL") else {
        return;
    };
    // What its own frame leads to.
    let also: &[&str] = if origin == "https://yookassa.ru" {
        &["https://yoomoney.ru"]
    } else {
        &[]
    };
    for places in [&mut sources.script, &mut sources.connect, &mut sources.frame] {
        sign_in::add(places, &[&origin]);
    }
    sign_in::add(&mut sources.frame, also);
}

fn client_rules(reader: &mut EnvReader<'_>) -> ClientRules {
    let country_header = reader.optional("COUNTRY_HEADER").map(|name| name.parse());
    if let Some(Err(_)) = country_header {
        reader.fail("COUNTRY_HEADER", "is no header name");
    }
    ClientRules {
        trusted_hops: reader.parse("TRUSTED_PROXY_HOPS", 0),
        country_header: country_header.and_then(Result::ok),
        per_second: reader.parse("RATE_PER_SECOND", 50),
        burst: reader.parse("RATE_BURST", 200),
        auth_per_minute: reader.parse("AUTH_RATE_PER_MINUTE", 30),
        ai_per_minute: reader.parse("AI_RATE_PER_MINUTE", 20),
        csp_reports_per_minute: reader.parse("CSP_REPORTS_PER_MINUTE", 30),
        guesses_per_minute: reader.parse("GUESS_RATE_PER_MINUTE", 30),
        max_concurrent: reader.parse("MAX_CONCURRENT_REQUESTS", 512),
    }
}

fn server_limits(reader: &mut EnvReader<'_>) -> ServerLimits {
    ServerLimits {
        max_connections: reader.parse("MAX_CONNECTIONS", 10_000),
        header_timeout: reader.millis("HEADER_TIMEOUT_MS", Duration::from_secs(15)),
        body_timeout: reader.millis("BODY_TIMEOUT_MS", Duration::from_secs(10)),
        write_timeout: reader.millis("WRITE_TIMEOUT_MS", Duration::from_secs(30)),
        keep_alive: reader.millis("STREAM_KEEP_ALIVE_MS", Duration::from_secs(15)),
    }
}

fn page_settings(reader: &mut EnvReader<'_>) -> PageSettings {
    PageSettings {
        cache_bytes: reader.parse("PAGE_CACHE_BYTES", 256 * 1024 * 1024),
        answer_bytes: reader.parse("GRAPHQL_CACHE_BYTES", 64 * 1024 * 1024),
        render_timeout: reader.millis("RENDER_TIMEOUT_MS", Duration::from_secs(5)),
        render_concurrency: reader.parse("RENDER_CONCURRENCY", 32),
        stale_window: reader.secs("PAGE_STALE_SECS", Duration::from_hours(24)),
        max_bytes: reader.parse("PAGE_MAX_BYTES", 16 * 1024 * 1024),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Config, ConfigErrors> {
        Config::read(&Env::from_pairs(pairs.iter().copied()))
    }

    #[test]
    fn nothing_set_is_a_working_development_site() {
        let config = read(&[]).unwrap();
        assert_eq!(
            (config.site.origin(), config.site.authority()),
            ("http://localhost:8080", "localhost:8080")
        );
        assert!(!config.site.is_https() && !config.production);
        assert_eq!(config.csp.connect, ["https://api.stripe.com"]);
    }

    #[test]
    fn all_errors_are_named_at_once() {
        let errors = read(&[
            ("PUBLIC_URL", "https://stillpoint.example/shop"),
            ("HTTP_ADDR", "everywhere"),
            ("COUNTRY_HEADER", "no header"),
            ("STRIPE_JS_URL", "stripe.js"),
        ]);
        let errors = errors.err().unwrap().to_string();
        for name in ["PUBLIC_URL", "HTTP_ADDR", "COUNTRY_HEADER", "STRIPE_JS_URL"] {
            assert!(errors.contains(name), "{name} is missing in {errors}");
        }
    }

    #[test]
    fn production_needs_tokens_of_its_own() {
        let errors = read(&[("STILLPOINT_ENV", "production")])
            .err()
            .unwrap()
            .to_string();
        assert!(
            errors.contains("CONTENT_READ_TOKEN") && errors.contains("OPERATOR_TOKEN"),
            "{errors}"
        );
        assert!(errors.contains("PUBLIC_URL: must be an https"), "{errors}");
        let plain = [
            ("STILLPOINT_ENV", "production"),
            ("REDIRECT_HOSTS", "a.example,http://b.example"),
        ];
        let errors = read(&plain).err().unwrap().to_string();
        assert!(errors.contains("REDIRECT_HOSTS"), "{errors}");
    }

    #[test]
    fn security_contact_is_the_reserved_mailbox_unless_set() {
        let config = read(&[("PUBLIC_URL", "https://stillpoint.example:8443")]).unwrap();
        assert_eq!(config.security_contacts, ["mailto:security@stillpoint.example"]);
        let config = read(&[(
            "SECURITY_CONTACT",
            "https://a.example/report, tel:+1-201-555-0123",
        )])
        .unwrap();
        assert_eq!(
            config.security_contacts,
            ["https://a.example/report", "tel:+1-201-555-0123"]
        );
        for wrong in [
            "security@a.example",
            "http://a.example",
            "mailto:a@b.example\nPolicy: x",
        ] {
            assert!(read(&[("SECURITY_CONTACT", wrong)]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn analytics_script_may_run_and_report_home_where_one_is_set() {
        let config = read(&[("TR_ANALYTICS_SCRIPT_URL", "https://stats.example/tr.js?id=7")]).unwrap();
        for sources in [&config.csp.script, &config.csp.connect] {
            assert!(
                sources.contains(&"https://stats.example".to_owned()),
                "{sources:?}"
            );
        }
        assert!(read(&[("TR_ANALYTICS_SCRIPT_URL", "tr.js")]).is_err());
    }

    #[test]
    fn forms_may_be_sent_to_the_autologin_url_only() {
        let config = read(&[("AUTOLOGIN_URL", "https://app.example/autologin")]).unwrap();
        assert_eq!(config.csp.form, ["https://app.example"]);
        assert!(read(&[]).unwrap().csp.form.is_empty());
        assert!(read(&[("AUTOLOGIN_URL", "app")]).is_err());
    }

    #[test]
    fn widget_of_yookassa_may_run_and_open_its_form_where_it_is_set() {
        let own = "https://yookassa.ru/checkout-widget/v1/checkout-widget.js";
        let csp = read(&[("YOOKASSA_WIDGET_URL", own)]).unwrap().csp;
        for sources in [&csp.script, &csp.connect, &csp.frame] {
            assert!(sources.contains(&"https://yookassa.ru".to_owned()), "{sources:?}");
        }
        assert!(csp.frame.contains(&"https://yoomoney.ru".to_owned()));
        assert!(
            !read(&[])
                .unwrap()
                .csp
                .script
                .iter()
                .any(|source| source.contains("yookassa"))
        );
        assert!(read(&[("YOOKASSA_WIDGET_URL", "widget.js")]).is_err());
    }

    #[test]
    fn stand_in_for_stripe_is_the_only_foreign_source() {
        let config = read(&[("STRIPE_JS_URL", "http://localhost:8090/stripe/js/stripe.js")]).unwrap();
        for sources in [config.csp.script, config.csp.connect, config.csp.frame] {
            assert_eq!(sources, ["http://localhost:8090"]);
        }
    }
}

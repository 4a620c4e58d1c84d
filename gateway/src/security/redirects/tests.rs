//! The known tricks, and what is made of them at random.
use kit::config::Env;
use proptest::prelude::*;

use super::*;

#[test]
fn own_paths_pass() {
    for path in [
        "/",
        "/en",
        "/en/",
        "/en/payment/monthly/",
        "/tr/blog/a%C3%A7ik",
        "/en/offers/TEB40/",
    ] {
        assert!(OwnPath::parse(path).is_some(), "{path}");
    }
}

#[test]
fn ways_out_are_refused() {
    let ways = [
        "",
        "en",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "/./\\evil.example",
        "/.//evil.example",
        "/../evil",
        "/%2e%2e/x",
        "/%2F/evil.example",
        "/%5Cevil.example",
        "/%252f",
        "/a\tb",
        "/a\nb",
        "/\u{0}",
        "https://evil.example/",
        "javascript:alert(1)",
        "/en?x",
        "/en#x",
        "/en/%0d%0aset-cookie",
        "/%",
        "/%+f",
        "/é",
    ];
    for path in ways {
        assert!(OwnPath::parse(path).is_none(), "{path:?}");
    }
}

#[test]
fn query_is_kept_as_it_came() {
    let path = OwnPath::parse("/en").unwrap().with_slash();
    assert_eq!(
        path.location(Some("utm_source=a%20b&x=//y")),
        "/en/?utm_source=a%20b&x=//y"
    );
    assert_eq!(path.location(Some("a\r\nb")), "/en/");
    assert_eq!(path.location(None), "/en/");
}

fn redirects() -> Redirects {
    Redirects::new(["app.partner.example".to_owned(), "soul.example:8443".to_owned()])
}

fn page(wanted: &str) -> Option<String> {
    redirects().resolve(Parameter::Page, wanted)
}

fn elsewhere(wanted: &str) -> Option<String> {
    redirects().resolve(Parameter::External, wanted)
}

#[test]
fn pages_of_the_site_are_led_to_with_their_query() {
    for wanted in [
        "/",
        "/en/payment/annual/",
        "/en/payment/annual/?survey=true&x=//y#top",
        "/tr/a%C3%A7ik/",
    ] {
        assert_eq!(page(wanted).as_deref(), Some(wanted));
    }
    assert_eq!(
        page("/tr/açık/?q=ü v").as_deref(),
        Some("/tr/a%C3%A7%C4%B1k/?q=%C3%BC%20v")
    );
    assert_eq!(page("/en/../tr/").as_deref(), Some("/tr/"));
}

#[test]
fn no_known_trick_leads_off_the_site() {
    for wanted in TRICKS {
        assert_eq!(page(wanted), None, "{wanted:?}");
        assert_eq!(elsewhere(wanted), None, "{wanted:?}");
    }
}

#[test]
fn hosts_we_know_are_led_to_over_https_only() {
    let there = "https://app.partner.example/soul?x=1";
    assert_eq!(elsewhere(there).as_deref(), Some(there));
    assert_eq!(
        elsewhere("HTTPS://APP.Partner.Example/soul/").as_deref(),
        Some("https://app.partner.example/soul")
    );
    assert_eq!(
        elsewhere("https://soul.example:8443/").as_deref(),
        Some("https://soul.example:8443")
    );
    assert_eq!(page(there), None, "a page is one of ours");
    assert_eq!(elsewhere("/en/"), None);
    for wanted in NEAR_MISSES {
        assert_eq!(elsewhere(wanted), None, "{wanted:?}");
    }
}

#[test]
fn no_host_is_allowed_unless_configured() {
    let none = Redirects::default();
    assert_eq!(
        none.resolve(Parameter::External, "https://app.partner.example/"),
        None
    );
    assert_eq!(
        none.resolve(Parameter::Page, &format!("/{}", "a".repeat(LONGEST_BYTES))),
        None
    );
}

const TRICKS: [&str; 40] = [
    "",
    " ",
    "en",
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/./\\evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/en/..//evil.example",
    "/%2e%2e//evil.example",
    "/%2f%2fevil.example",
    "/%2F/evil.example",
    "/%5Cevil.example",
    "/%5c%5cevil.example",
    "/%252f%252fevil.example",
    "/%25252fevil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/\u{0}/evil.example",
    "/%00",
    "/en/%0d%0aset-cookie:a=b",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "blob:https://evil.example/x",
    "http:evil.example",
    "https:evil.example",
    "https:/evil.example",
    "https:///evil.example",
    "https://evil.example/",
    "?/evil.example",
    "/／evil.example/%2e%2e%2f",
];

const NEAR_MISSES: [&str; 16] = [
    "http://app.partner.example/",
    "https://app.partner.example:444/",
    "https://app.partner.example./",
    "https://app.partner.example.evil.example/",
    "https://evil.example/app.partner.example",
    "https://evil.example#app.partner.example",
    "https://evil.example?app.partner.example",
    "https://app.partner.example@evil.example/",
    "https://evil.example@app.partner.example/",
    "https://a:b@app.partner.example/",
    "https://app.partner.example%2eevil.example/",
    "https://app.partner.example%00.evil.example/",
    "https://аpp.partner.example/",
    "https://app。partner.example/",
    "https:\\\\app.partner.example/",
    "//app.partner.example/",
];

/// Texts made of what tricks are made of.
fn trick() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("/"),
        Just("//"),
        Just("\\"),
        Just("%2f"),
        Just("%5c"),
        Just("%252f"),
        Just("%2e"),
        Just("."),
        Just(".."),
        Just("\t"),
        Just("\n"),
        Just("\u{0}"),
        Just("%00"),
        Just("@"),
        Just(":"),
        Just("?"),
        Just("#"),
        Just(" "),
        Just("／"),
        Just("。"),
        Just("https:"),
        Just("JavaScript:"),
        Just("evil.example"),
        Just("app.partner.example"),
        Just("en"),
        Just("ü"),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_page_stays_on_the_site_however_often_it_is_unescaped(wanted in prop_oneof![trick(), "/\\PC{0,24}"]) {
        if let Some(led) = page(&wanted) {
            let base = Url::parse("https://stillpoint.example/en/").unwrap();
            let mut path = led.split(['?', '#']).next().unwrap().to_owned();
            for _ in 0..3 {
                let landed = base.join(&path).unwrap();
                prop_assert_eq!(landed.origin().ascii_serialization(), "https://stillpoint.example");
                path = unescaped(&path);
            }
            prop_assert!(led.bytes().all(|byte| byte.is_ascii_graphic()));
            prop_assert_eq!(page(&led), Some(led.clone()));
        }
    }

    #[test]
    fn elsewhere_is_a_host_on_the_list(wanted in prop_oneof![trick(), trick().prop_map(|rest| format!("https://{rest}"))]) {
        if let Some(led) = elsewhere(&wanted) {
            let landed = Url::parse(&led).unwrap();
            prop_assert_eq!((landed.scheme(), landed.host_str()), ("https", Some("app.partner.example")));
            prop_assert!(landed.port().is_none() && landed.username().is_empty());
        }
    }
}

/// What one more reader would make of the escapes.
fn unescaped(text: &str) -> String {
    let query = format!("x={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(query.as_bytes())
        .next()
        .unwrap()
        .1
        .into_owned()
}

proptest! {
    #[test]
    fn whatever_passes_stays_on_the_site(path in "[/\\\\.%a-z0-9:@?#\t\r\n -]{0,24}|/.{0,16}") {
        if let Some(own) = OwnPath::parse(&path) {
            let base = Url::parse("https://stillpoint.example/en/").unwrap();
            let landed = base.join(&own.with_slash().location(Some("q=1"))).unwrap();
            prop_assert_eq!(landed.host_str(), Some("stillpoint.example"));
            prop_assert_eq!(landed.scheme(), "https");
        }
    }

    #[test]
    fn ordinary_pages_always_pass(segments in proptest::collection::vec("[A-Za-z0-9_-]{1,12}", 1..5)) {
        let path = format!("/{}/", segments.join("/"));
        prop_assert!(OwnPath::parse(&path).is_some());
    }
}

#[test]
fn this_machine_may_be_named_with_http_where_it_is_listed_so() {
    let listed = ["soul.example".to_owned(), "http://LOCALHOST:8090".to_owned()];
    let redirects = Redirects::parse(listed.to_vec()).unwrap();
    let lead = |wanted| redirects.resolve(Parameter::External, wanted);
    assert_eq!(
        lead("http://localhost:8090/outside/partner/?from=x").as_deref(),
        Some("http://localhost:8090/outside/partner/?from=x")
    );
    assert_eq!(
        lead("https://soul.example/").as_deref(),
        Some("https://soul.example")
    );
    for refused in [
        "http://soul.example/",
        "https://localhost:8090/",
        "http://localhost/",
        "http://localhost:8091/",
        "http://ada@localhost:8090/",
        "http://localhost:8090@evil.example/",
        "http:///localhost:8090/",
        "ftp://localhost:8090/",
    ] {
        assert_eq!(lead(refused), None, "{refused}");
    }
}

#[test]
fn only_this_machine_is_listed_with_http() {
    let read = |hosts: &str| {
        let env = Env::from_pairs([("REDIRECT_HOSTS", hosts)]);
        let mut reader = env.reader();
        let redirects = Redirects::read(&mut reader);
        reader.done(redirects)
    };
    for hosts in [
        "soul.example",
        "soul.example, http://localhost:8090",
        "http://127.0.0.1:8090",
    ] {
        assert!(read(hosts).is_ok(), "{hosts}");
    }
    for hosts in [
        "http://soul.example",
        "http://localhost.soul.example",
        "http://",
        "ftp://localhost",
    ] {
        let errors = read(hosts).err().unwrap().to_string();
        assert!(errors.contains("REDIRECT_HOSTS"), "{hosts}: {errors}");
    }
}

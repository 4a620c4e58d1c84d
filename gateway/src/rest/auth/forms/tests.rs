//! Every `Referer` leads to a page of this site.
use http::Method;
use kit::error::ErrorCode;
use proptest::prelude::*;

use super::*;

const ORIGIN: &str = "https://stillpoint.example";

fn from(referer: &str) -> Option<FormPage> {
    let value = HeaderValue::from_bytes(referer.as_bytes()).ok()?;
    FormPage::of(&HeaderMap::from_iter([(REFERER, value)]), ORIGIN)
}

const NO_PLAN: User = User {
    coaching: false,
    therapy: false,
};
const COACHING: User = User {
    coaching: true,
    ..NO_PLAN
};
const THERAPY: User = User {
    therapy: true,
    ..NO_PLAN
};
const COACHING_AND_THERAPY: User = User {
    coaching: true,
    therapy: true,
};

fn leads(query: &str, call: FormKind, user: User, decided: Option<&str>) -> String {
    let page = from(&format!("{ORIGIN}/tr/signin/{query}")).unwrap();
    let signed_in = SignedIn {
        user,
        redirect_page: decided.map(ToOwned::to_owned),
    };
    next_page(call, &page, &signed_in).unwrap()
}

#[test]
fn members_are_led_where_the_page_would_lead_them() {
    let to = |query, user| leads(query, FormKind::SignIn, user, None);
    assert_eq!(to("", NO_PLAN), "/tr/");
    assert_eq!(to("", THERAPY), "/tr/success/counseling-welcome/");
    assert_eq!(to("", COACHING_AND_THERAPY), "/tr/");
    assert_eq!(to("?redirectPage=regular", COACHING_AND_THERAPY), "/tr/coach/");
    assert_eq!(
        to("?redirectPage=regular", THERAPY),
        "/tr/success/counseling-welcome/"
    );
    assert_eq!(
        to("?redirectPage=regular", NO_PLAN),
        "/tr/autosignin/?redirectPage=regular"
    );
    assert_eq!(
        to("?redirectPage=redeemCode&code=A%26B", COACHING),
        "/tr/autosignin/?redirectPage=redeemCode&code=A%26B"
    );
    assert_eq!(leads("", FormKind::SignUp, NO_PLAN, None), "/tr/success-page/");
}

#[test]
fn page_that_was_decided_gets_the_rest_of_the_query() {
    assert_eq!(
        leads(
            "?redirectPage=/en/x/&orderid=7&coupon=A&error=R100&token=t",
            FormKind::SignUp,
            THERAPY,
            Some("/en/payment/annual/?coupon=B#top")
        ),
        "/en/payment/annual/?coupon=B&orderid=7#top"
    );
}

#[test]
fn page_gets_the_result_of_its_form_once() {
    let page = from(&format!(
        "{ORIGIN}/en/signin?redirectPage=%2Fen%2Fx%2F&error=R100&token=t"
    ))
    .unwrap();
    assert_eq!(
        page.with_result("error", "INVALID_CREDENTIALS"),
        "/en/signin/?redirectPage=%2Fen%2Fx%2F&token=t&error=INVALID_CREDENTIALS#INVALID_CREDENTIALS"
    );
    assert_eq!(
        page.with_result("error", "LINK_EXPIRED"),
        "/en/signin/?redirectPage=%2Fen%2Fx%2F&error=LINK_EXPIRED#LINK_EXPIRED"
    );
}

#[test]
fn error_codes_contain_no_input() {
    let code_of = |code, kind| error_code(&Problem::new(kind, code, "ada@example.org is not right"));
    assert_eq!(code_of(ErrorCode::R100, Kind::Conflict), "R100");
    assert_eq!(
        code_of(ErrorCode::RateLimited, Kind::TooMany),
        "TOO_MANY_ATTEMPTS"
    );
    assert_eq!(code_of(ErrorCode::Unavailable, Kind::Unavailable), "FAILED");
    let common = Problem::new(Kind::Invalid, ErrorCode::ValidationFailed, "no").field(
        "password",
        ErrorCode::TooCommon,
        "no",
    );
    assert_eq!(error_code(&common), "PASSWORD_TOO_COMMON");
    let breached = Problem::new(Kind::Invalid, ErrorCode::ValidationFailed, "no").field(
        "password",
        ErrorCode::PasswordBreached,
        "no",
    );
    assert_eq!(error_code(&breached), "PASSWORD_BREACHED");
}

#[test]
fn page_of_another_site_is_none() {
    for referer in [
        "https://evil.example/en/signin/",
        "https://stillpoint.example.evil.example/en/signin/",
        "https://stillpoint.example@evil.example/en/",
        "https://stillpoint.example",
        "https://stillpoint.example//evil.example/",
        "https://stillpoint.example/\\evil.example/",
        "https://stillpoint.example/xx/",
        "https://stillpoint.example/graphql",
    ] {
        assert!(from(referer).is_none(), "{referer}");
    }
    let german = HeaderMap::from_iter([(
        http::header::ACCEPT_LANGUAGE,
        HeaderValue::from_static("de-AT,en;q=0.5"),
    )]);
    let page = FormPage::usual(&german, "signin").unwrap();
    assert_eq!(page.with_result("error", "R100"), "/de/signin/?error=R100#R100");
}

#[test]
fn only_these_calls_take_forms() {
    assert!(FormKind::of("/api/auth/login").is_some());
    for path in ["/api/profile", "/api/auth/login/", "/api/auth/logout", "/en/"] {
        assert!(FormKind::of(path).is_none(), "{} {path}", Method::POST);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_address_leads_off_the_site(
        tail in "[/\\\\.%a-z0-9:@?#&= -]{0,32}|/en/[ -~]{0,32}",
        decided in proptest::option::of("/en/[a-z/?&=#-]{0,16}"),
    ) {
        let Some(page) = from(&format!("{ORIGIN}{tail}")) else { return Ok(()) };
        let signed_in = SignedIn { user: NO_PLAN, redirect_page: decided };
        let places = [Some(page.with_result("error", "FAILED")), next_page(FormKind::SignIn, &page, &signed_in)];
        for place in places.into_iter().flatten() {
            let landed = Url::parse(ORIGIN).unwrap().join(&place).unwrap();
            prop_assert_eq!(landed.origin().ascii_serialization(), ORIGIN);
            prop_assert!(HeaderValue::try_from(&place).is_ok());
        }
    }
}

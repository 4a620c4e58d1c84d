use serde_json::{Value, json};

use super::*;

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp_secs(1_000_000).unwrap()
}

fn expected(provider: Provider) -> Expected {
    Expected {
        provider,
        issuer: "https://accounts.example".to_owned(),
        client_id: "us".to_owned(),
    }
}

fn claims(changed: &[(&str, Value)]) -> IdClaims {
    let mut claims = json!({
        "iss": "https://accounts.example", "aud": "us", "sub": "117", "iat": 1_000_000, "exp": 1_003_600,
        "nonce": "n", "email": "Ada@Example.com", "email_verified": true, "name": "Ada",
    });
    for (name, value) in changed {
        claims[*name] = value.clone();
    }
    serde_json::from_value(claims).unwrap()
}

fn check(changed: &[(&str, Value)]) -> Result<Assertion, Flaw> {
    expected(Provider::Google).check(claims(changed), now())
}

fn assertion(provider: Provider) -> Assertion {
    expected(provider).check(claims(&[]), now()).unwrap()
}

fn attempt() -> SocialSignIn {
    SocialSignIn {
        provider: Provider::Google,
        token: String::new(),
        browser: String::new(),
        claimed_email: "ada@example.com".to_owned(),
        claimed_id: "117".to_owned(),
        name: None,
        lang: None,
        country: None,
        existing_only: false,
        order_id: String::new(),
        idempotency_key: None,
        caller: Caller::default(),
    }
}

#[test]
fn a_token_that_is_meant_for_us_is_believed() {
    let told = check(&[]).unwrap();
    assert_eq!((told.subject.as_str(), told.nonce.as_deref()), ("117", Some("n")));
    assert_eq!(told.proven_email().unwrap().as_str(), "ada@example.com");
    check(&[("iss", json!("accounts.example"))]).unwrap();
    check(&[("aud", json!(["us"]))]).unwrap();
    check(&[("aud", json!(["us", "them"])), ("azp", json!("us"))]).unwrap();
}

#[test]
fn what_is_wrong_is_named() {
    let cases = [
        ("iss", json!("https://accounts.example.evil"), Flaw::Issuer),
        ("aud", json!("them"), Flaw::Audience),
        ("aud", json!(["us", "them"]), Flaw::Audience),
        ("azp", json!("them"), Flaw::Audience),
        ("exp", json!(999_940), Flaw::Expired),
        ("iat", json!(900_000), Flaw::Expired),
        ("iat", json!(1_000_061), Flaw::NotYet),
        ("nbf", json!(1_000_061), Flaw::NotYet),
        ("nbf", json!(i64::MAX), Flaw::Malformed),
        ("exp", json!(i64::MAX), Flaw::Malformed),
        ("sub", json!(""), Flaw::Subject),
        ("sub", json!("x".repeat(256)), Flaw::Subject),
    ];
    for (name, value, flaw) in cases {
        assert_eq!(check(&[(name, value.clone())]), Err(flaw), "{name} {value}");
    }
}

#[test]
fn a_token_is_good_from_its_nbf_on() {
    check(&[("nbf", json!(1_000_060))]).unwrap();
    check(&[("nbf", json!(0))]).unwrap();
}

#[test]
fn apple_writes_no_issuer_without_its_scheme() {
    let told = expected(Provider::Apple).check(claims(&[("iss", json!("accounts.example"))]), now());
    assert_eq!(told, Err(Flaw::Issuer));
}

#[test]
fn verified_is_only_what_says_so() {
    for (told, is_verified) in [
        (json!(true), true),
        (json!("true"), true),
        (json!(false), false),
        (json!("false"), false),
        (json!("yes"), false),
        (json!(null), false),
    ] {
        let assertion = check(&[("email_verified", told.clone())]).unwrap();
        assert_eq!(assertion.is_email_verified, is_verified, "{told}");
    }
    let without = check(&[("email", json!("no address"))]).unwrap();
    assert_eq!(without.email, None);
}

#[test]
fn an_address_that_is_not_verified_opens_no_account_by_itself() {
    let decide = |provider, is_email_verified, is_known, address_is_taken| {
        Assertion {
            is_email_verified,
            ..assertion(provider)
        }
        .entrance(is_known, address_is_taken)
    };
    for provider in Provider::ALL {
        assert_eq!(decide(provider, false, true, true), Ok(Entrance::Member));
        assert_eq!(decide(provider, true, false, false), Ok(Entrance::Newcomer));
        assert_eq!(decide(provider, true, false, true), Ok(Entrance::Claimant));
    }
    for provider in [Provider::Apple, Provider::Google] {
        assert_eq!(decide(provider, false, false, true), Err(Closed::EmailUnverified));
    }
    assert_eq!(
        decide(Provider::Facebook, false, false, true),
        Ok(Entrance::Claimant),
        "Facebook never says whether it has verified an address: the account's password decides"
    );
    assert_eq!(
        decide(Provider::Google, false, false, false),
        Err(Closed::EmailUnverified)
    );
    assert_eq!(
        decide(Provider::Facebook, false, false, false),
        Ok(Entrance::Newcomer)
    );
    let nameless = Assertion {
        email: None,
        ..assertion(Provider::Facebook)
    };
    assert_eq!(nameless.entrance(false, false), Err(Closed::EmailMissing));
}

#[test]
fn the_browser_may_say_what_the_token_says_or_nothing() {
    let told = assertion(Provider::Google);
    let claims = |email: &str, id: &str| SocialSignIn {
        claimed_email: email.to_owned(),
        claimed_id: id.to_owned(),
        ..attempt()
    };
    for (email, id, agrees) in [
        ("ADA@example.com", "117", true),
        ("", "", true),
        ("eve@example.com", "117", false),
        ("ada@example.com", "118", false),
    ] {
        assert_eq!(told.agrees_with(&claims(email, id)), agrees, "{email} {id}");
    }
}

#[test]
fn only_apples_name_comes_from_the_browser() {
    let named = SocialSignIn {
        name: Some(" Eve ".to_owned()),
        ..attempt()
    };
    let name = |provider| assertion(provider).full_name(&named);
    assert_eq!(name(Provider::Apple).as_deref(), Some("Eve"));
    assert_eq!(name(Provider::Google).as_deref(), Some("Ada"));
    let unfit = SocialSignIn {
        name: Some("x".repeat(101)),
        ..attempt()
    };
    assert_eq!(assertion(Provider::Apple).full_name(&unfit), None);
}

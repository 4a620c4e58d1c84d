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

fn check(changed: &[(&str, Value)]) -> Result<Assertion, TokenError> {
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
    let result = check(&[]).unwrap();
    assert_eq!(
        (result.subject.as_str(), result.nonce.as_deref()),
        ("117", Some("n"))
    );
    assert_eq!(result.proven_email().unwrap().as_str(), "ada@example.com");
    check(&[("iss", json!("accounts.example"))]).unwrap();
    check(&[("aud", json!(["us"]))]).unwrap();
    check(&[("aud", json!(["us", "them"])), ("azp", json!("us"))]).unwrap();
}

#[test]
fn what_is_wrong_is_named() {
    let cases = [
        ("iss", json!("https://accounts.example.evil"), TokenError::Issuer),
        ("aud", json!("them"), TokenError::Audience),
        ("aud", json!(["us", "them"]), TokenError::Audience),
        ("azp", json!("them"), TokenError::Audience),
        ("exp", json!(999_940), TokenError::Expired),
        ("iat", json!(900_000), TokenError::Expired),
        ("iat", json!(1_000_061), TokenError::NotYet),
        ("nbf", json!(1_000_061), TokenError::NotYet),
        ("nbf", json!(i64::MAX), TokenError::Malformed),
        ("exp", json!(i64::MAX), TokenError::Malformed),
        ("sub", json!(""), TokenError::Subject),
        ("sub", json!("x".repeat(256)), TokenError::Subject),
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
    let payload = expected(Provider::Apple).check(claims(&[("iss", json!("accounts.example"))]), now());
    assert_eq!(payload, Err(TokenError::Issuer));
}

#[test]
fn verified_is_only_what_says_so() {
    for (claim, is_verified) in [
        (json!(true), true),
        (json!("true"), true),
        (json!(false), false),
        (json!("false"), false),
        (json!("yes"), false),
        (json!(null), false),
    ] {
        let assertion = check(&[("email_verified", claim.clone())]).unwrap();
        assert_eq!(assertion.is_email_verified, is_verified, "{claim}");
    }
    let without = check(&[("email", json!("no address"))]).unwrap();
    assert_eq!(without.email, None);
}

#[test]
fn an_address_that_is_not_verified_opens_no_account_by_itself() {
    let decide = |provider, is_email_verified, existing| {
        Assertion {
            is_email_verified,
            ..assertion(provider)
        }
        .link_decision(existing)
    };
    for provider in Provider::ALL {
        assert_eq!(
            decide(provider, false, ExistingAccount::WithIdentity),
            Ok(LinkDecision::Member)
        );
        assert_eq!(
            decide(provider, true, ExistingAccount::None),
            Ok(LinkDecision::NewUser)
        );
        assert_eq!(
            decide(provider, true, ExistingAccount::WithAddress),
            Ok(LinkDecision::LinkRequired)
        );
    }
    for provider in [Provider::Apple, Provider::Google] {
        assert_eq!(
            decide(provider, false, ExistingAccount::WithAddress),
            Err(SocialRejection::EmailUnverified)
        );
    }
    assert_eq!(
        decide(Provider::Facebook, false, ExistingAccount::WithAddress),
        Ok(LinkDecision::LinkRequired),
        "Facebook never says whether it has verified an address: the account's password decides"
    );
    assert_eq!(
        decide(Provider::Google, false, ExistingAccount::None),
        Err(SocialRejection::EmailUnverified)
    );
    assert_eq!(
        decide(Provider::Facebook, false, ExistingAccount::None),
        Ok(LinkDecision::NewUser)
    );
    let nameless = Assertion {
        email: None,
        ..assertion(Provider::Facebook)
    };
    assert_eq!(
        nameless.link_decision(ExistingAccount::None),
        Err(SocialRejection::EmailMissing)
    );
}

#[test]
fn the_browser_may_say_what_the_token_says_or_nothing() {
    let notification = assertion(Provider::Google);
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
        assert_eq!(
            notification.matches_claims(&claims(email, id)),
            agrees,
            "{email} {id}"
        );
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

//! Apple, Google and Facebook: what their scripts hand to a page, and what their servers say of it.
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use sandbox::{
    Action, Fault,
    social::{Case, Person, PersonRef, Provider, SignIn},
};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::Fixture;

fn asked(provider: Provider, person: &str, case: Case) -> SignIn {
    let client_id = match provider {
        Provider::Apple => "example.stillpoint.web",
        Provider::Google => "stillpoint.apps.googleusercontent.com",
        Provider::Facebook => "100200300400500",
    };
    SignIn {
        provider,
        client_id: client_id.into(),
        nonce: Some("n-1".into()),
        state: Some("s-1".into()),
        person: PersonRef::Listed(person.into()),
        case,
    }
}

impl Fixture {
    fn signed_in(&self, provider: Provider, person: &str, case: Case) -> Value {
        let now = self.sandbox.now().timestamp();
        self.sandbox
            .social()
            .sign_in(asked(provider, person, case), now)
            .unwrap()
    }

    fn google(&self, case: Case) -> String {
        let answer = self.signed_in(Provider::Google, "ada", case);
        answer["credential"].as_str().unwrap().to_owned()
    }

    async fn keys(&self, path: &str) -> Vec<Value> {
        let keys: Value = self.get(path).await.json().await.unwrap();
        keys["keys"].as_array().unwrap().clone()
    }

    async fn get(&self, path: &str) -> reqwest::Response {
        reqwest::get(format!("{}{path}", self.sandbox.base()))
            .await
            .unwrap()
    }

    async fn graph(&self, path: &str, bearer: &str) -> (u16, Value) {
        let request = reqwest::Client::new().get(format!("{}/facebook/v24.0/{path}", self.sandbox.base()));
        let response = request.bearer_auth(bearer).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }
}

fn part(token: &str, index: usize) -> Value {
    let text = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).unwrap()).unwrap()
}

/// As a server checks it, with the key the token names.
fn is_signed(token: &str, keys: &[Value]) -> bool {
    let named = part(token, 0)["kid"].clone();
    let Some(key) = keys.iter().find(|key| key["kid"] == named) else {
        return false;
    };
    let bytes = |name: &str| URL_SAFE_NO_PAD.decode(key[name].as_str().unwrap()).unwrap();
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let (n, e) = (bytes("n"), bytes("e"));
    RsaPublicKeyComponents { n: &n, e: &e }
        .verify(
            &RSA_PKCS1_2048_8192_SHA256,
            signed.as_bytes(),
            &URL_SAFE_NO_PAD.decode(signature).unwrap(),
        )
        .is_ok()
}

#[tokio::test]
async fn an_id_token_has_subject_audience_and_a_published_key() {
    let fixture = Fixture::start().await;
    let token = fixture.google(Case::Valid);
    assert!(is_signed(&token, &fixture.keys("/google/oauth2/v3/certs").await));
    let claims = part(&token, 1);
    assert_eq!(claims["iss"], fixture.sandbox.social().issuer(Provider::Google));
    for (claim, value) in [
        ("aud", json!("stillpoint.apps.googleusercontent.com")),
        ("nonce", json!("n-1")),
        ("email", json!("ada.lovelace@example.com")),
        ("email_verified", json!(true)),
        ("given_name", json!("Ada")),
        ("name", json!("Ada Lovelace")),
    ] {
        assert_eq!(claims[claim], value, "{claim}");
    }
    let lives = claims["exp"].as_i64().unwrap() - fixture.sandbox.now().timestamp();
    assert_eq!(lives, 3_600);
}

#[tokio::test]
async fn apple_sends_the_name_once_and_verified_as_text() {
    let fixture = Fixture::start().await;
    let first = fixture.signed_in(Provider::Apple, "zoe", Case::Valid);
    assert_eq!(
        first["user"]["name"],
        json!({"firstName": "Zoë", "lastName": "Yılmaz"})
    );
    assert_eq!(first["authorization"]["state"], "s-1");
    let second = fixture.signed_in(Provider::Apple, "zoe", Case::Valid);
    assert_eq!(second["user"], Value::Null);
    let token = second["authorization"]["id_token"].as_str().unwrap();
    assert!(is_signed(token, &fixture.keys("/apple/auth/keys").await));
    assert_eq!(part(token, 1)["email_verified"], "true");
    fixture.sandbox.social().reset();
    assert!(fixture.signed_in(Provider::Apple, "zoe", Case::Valid)["user"].is_object());
}

#[tokio::test]
async fn a_rotated_key_signs_and_the_former_stays_public() {
    let fixture = Fixture::start().await;
    let before = fixture.google(Case::Valid);
    let known = fixture.keys("/google/oauth2/v3/certs").await;
    let after = fixture.google(Case::RotatedKey);
    assert!(!is_signed(&after, &known));
    let fresh = fixture.keys("/google/oauth2/v3/certs").await;
    assert!(is_signed(&after, &fresh) && is_signed(&before, &fresh));
}

#[tokio::test]
async fn attacks_are_what_their_names_say() {
    let fixture = Fixture::start().await;
    let valid = fixture.google(Case::Valid);
    assert_eq!(fixture.google(Case::Replayed), valid);
    let keys = fixture.keys("/google/oauth2/v3/certs").await;
    let claim = |case, name: &str| part(&fixture.google(case), 1)[name].clone();
    assert_eq!(claim(Case::OtherAudience, "aud"), "another.app");
    assert_eq!(claim(Case::OtherIssuer, "iss"), "https://issuer.example");
    assert_eq!(claim(Case::OtherNonce, "nonce"), "nonce-of-another-browser");
    assert_eq!(claim(Case::NoNonce, "nonce"), Value::Null);
    assert_eq!(claim(Case::UnverifiedEmail, "email_verified"), false);
    assert_eq!(claim(Case::NoEmail, "email"), Value::Null);
    let now = fixture.sandbox.now().timestamp();
    assert!(claim(Case::Expired, "exp").as_i64().unwrap() < now);
    assert!(claim(Case::NotYet, "iat").as_i64().unwrap() > now);
    for case in [Case::UnknownKey, Case::Forged, Case::AlgNone, Case::Hs256] {
        assert!(!is_signed(&fixture.google(case), &keys), "{case:?}");
    }
    assert_eq!(part(&fixture.google(Case::AlgNone), 0)["alg"], "none");
}

#[tokio::test]
async fn a_next_case_applies_once() {
    let fixture = Fixture::start().await;
    let body = json!({"provider": "google", "case": "expired"});
    let armed = reqwest::Client::new()
        .post(format!("{}/sandbox/social/next-case", fixture.sandbox.base()))
        .json(&body)
        .send()
        .await
        .unwrap();
    assert_eq!(armed.status().as_u16(), 204);
    let expiry = |token: &str| part(token, 1)["exp"].as_i64().unwrap();
    let now = fixture.sandbox.now().timestamp();
    assert!(expiry(&fixture.google(Case::Valid)) < now);
    assert!(expiry(&fixture.google(Case::Valid)) > now);
}

#[tokio::test]
async fn facebook_answers_about_its_tokens() {
    let fixture = Fixture::start().await;
    let answer = fixture.signed_in(Provider::Facebook, "ada", Case::Valid);
    let token = answer["authResponse"]["accessToken"].as_str().unwrap();
    let own = "100200300400500|facebook-app-secret";
    let (_, about) = fixture
        .graph(&format!("debug_token?input_token={token}"), own)
        .await;
    assert_eq!(
        (
            &about["data"]["is_valid"],
            &about["data"]["app_id"],
            &about["data"]["user_id"]
        ),
        (
            &json!(true),
            &json!("100200300400500"),
            &answer["authResponse"]["userID"]
        )
    );
    let (status, refused) = fixture
        .graph(
            &format!("debug_token?input_token={token}"),
            "100200300400500|wrong",
        )
        .await;
    assert_eq!((status, &refused["error"]["code"]), (400, &json!(190)));

    let keyed = Hmac::<Sha256>::new_from_slice(b"facebook-app-secret").unwrap();
    let proof = hex::encode(keyed.chain_update(token).finalize().into_bytes());
    let (_, me) = fixture
        .graph(&format!("me?fields=id,name,email&appsecret_proof={proof}"), token)
        .await;
    assert_eq!(
        (&me["name"], &me["email"]),
        (&json!("Ada Lovelace"), &json!("ada.lovelace@example.com"))
    );
    for wrong in ["me?fields=id", "me?fields=id&appsecret_proof=00"] {
        assert_eq!(fixture.graph(wrong, token).await.0, 400, "{wrong}");
    }

    for (case, app) in [
        (Case::Expired, Value::from("100200300400500")),
        (Case::Forged, Value::Null),
    ] {
        let answer = fixture.signed_in(Provider::Facebook, "ada", case);
        let token = answer["authResponse"]["accessToken"].as_str().unwrap();
        let (_, about) = fixture
            .graph(&format!("debug_token?input_token={token}"), own)
            .await;
        assert_eq!(
            (&about["data"]["is_valid"], &about["data"]["app_id"]),
            (&json!(false), &app)
        );
    }
    let log = serde_json::to_string(&fixture.sandbox.requests()).unwrap();
    assert!(log.contains("debug_token") && !log.contains(token));
}

#[tokio::test]
async fn unsupported_sign_ins_are_rejected() {
    let fixture = Fixture::start().await;
    let social = fixture.sandbox.social();
    let refused = |asked| social.sign_in(asked, 0).unwrap_err().to_string();
    let unknown_client = SignIn {
        client_id: "another.client".into(),
        ..asked(Provider::Apple, "ada", Case::Valid)
    };
    assert!(refused(unknown_client).contains("invalid_client"));
    assert!(refused(asked(Provider::Apple, "unknown", Case::Valid)).contains("no such person"));
    refused(asked(Provider::Facebook, "ada", Case::Hs256));
    refused(asked(Provider::Google, "ada", Case::Replayed));
    let other = SignIn {
        person: PersonRef::Other(Person::new("Edith", "Clarke", "edith@example.com")),
        ..asked(Provider::Google, "", Case::Valid)
    };
    social.sign_in(other, 0).unwrap();
}

#[tokio::test]
async fn faults_apply_to_the_keys() {
    let fixture = Fixture::start().await;
    let down = Action::Error {
        status: 503,
        body: None,
        stored: None,
    };
    fixture
        .sandbox
        .faults()
        .add(Fault::on("GET", "/apple/auth/keys", down));
    assert_eq!(fixture.get("/apple/auth/keys").await.status().as_u16(), 503);
    assert_eq!(fixture.get("/apple/auth/keys").await.status().as_u16(), 200);
}

#[tokio::test]
async fn scripts_and_windows_are_served_where_the_real_ones_define_their_globals() {
    let fixture = Fixture::start().await;
    for (path, global) in [
        ("/apple/appleid.auth.js", "window.AppleID = "),
        ("/google/gsi/client", "window.google.accounts = "),
        ("/facebook/en_US/sdk.js", "window.FB = "),
        ("/sandbox/social/dialog.js", "/sandbox/social/sign-ins"),
        ("/apple/auth/authorize?client_id=c", "dialog.js"),
        ("/google/gsi/select", "dialog.js"),
        ("/facebook/v24.0/dialog/oauth", "dialog.js"),
    ] {
        let response = fixture.get(path).await;
        assert_eq!(response.status().as_u16(), 200, "{path}");
        assert!(
            response.headers().contains_key("content-security-policy"),
            "{path}"
        );
        assert!(response.text().await.unwrap().contains(global), "{path}");
    }
}

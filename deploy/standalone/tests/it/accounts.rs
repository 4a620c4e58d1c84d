//! The specified behaviour of accounts, from form to response.

mod recovery;
mod stuffing;

use std::time::Duration;

use chrono::TimeDelta;
use kit::bus::CloudEvent;
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::stack::{Browser, PASSWORD, Stack, body_of, status_and_code};

const EMAIL: &str = "ada@example.com";

/// The invalid fields of a response, in its order.
async fn errors(request: RequestBuilder) -> Vec<String> {
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 422);
    let body = body_of(response).await;
    assert_eq!(body["code"], "VALIDATION_FAILED");
    let errors = body["errors"].as_array().unwrap().iter();
    errors
        .map(|error| {
            assert!(!error["message"].as_str().unwrap().is_empty());
            error["field"].as_str().unwrap().to_owned()
        })
        .collect()
}

async fn ok(request: RequestBuilder) -> Response {
    let response = request.send().await.unwrap();
    assert!(response.status().is_success(), "{}", response.status());
    response
}

async fn user(stack: &Stack, browser: &Browser) -> Value {
    let check = stack.get("/api/auth/session").header("cookie", &browser.session);
    body_of(ok(check).await).await["user"].clone()
}

#[tokio::test]
async fn sign_up_reports_each_invalid_field() {
    let stack = Stack::start(&[]).await;
    let sign_up = |name: &str, email: &str, password: &str| {
        let form = json!({"name": name, "email": email, "password": password});
        stack.post("/api/auth/register", &form)
    };
    assert_eq!(errors(sign_up("", "", "")).await, ["name", "email", "password"]);
    for email in ["a@", "@example.com", "a b@example.com", "example.com"] {
        assert_eq!(
            errors(sign_up("Ada", email, PASSWORD)).await,
            ["email"],
            "{email}"
        );
    }
    assert_eq!(errors(sign_up("Ada", EMAIL, "kq7#z")).await, ["password"]);
    assert_eq!(errors(sign_up("Ada", EMAIL, "123456")).await, ["password"]);
    assert_eq!(ok(sign_up("Ada", EMAIL, "kq7#zv")).await.status(), 201);
}

#[tokio::test]
async fn sign_up_needs_three_fields_and_sign_in_two() {
    let stack = Stack::start(&[]).await;
    let registered = stack.register(EMAIL).await;
    let signed_in = stack.login("  ADA@Example.com ", PASSWORD).send().await.unwrap();
    assert_eq!(signed_in.status(), 200);
    let cookie = signed_in.headers()["set-cookie"].to_str().unwrap();
    assert!(
        cookie.starts_with("stillpoint_session=") && cookie.contains("HttpOnly"),
        "{cookie}"
    );
    let session = cookie.split(';').next().unwrap().to_owned();
    assert_ne!(session, registered.session, "a session of its own");
    let body = body_of(signed_in).await;
    assert!(
        !body.to_string().contains(session.split_once('=').unwrap().1),
        "scripts would read it"
    );
    assert_eq!(
        (
            &body["user"]["fullName"],
            &body["user"]["firstName"],
            &body["user"]["email"]
        ),
        (&json!("Ada Lovelace"), &json!("Ada"), &json!(EMAIL))
    );
    assert_eq!(errors(stack.login("", "")).await, ["email", "password"]);
}

#[tokio::test]
async fn placeholder_password_of_the_short_form_is_rejected() {
    let stack = Stack::start(&[]).await;
    let form = json!({"email": EMAIL, "lang": "tr", "name": "User", "password": "placeholder-1"});
    let signed_up = body_of(ok(stack.post("/api/auth/email-signup", &form)).await).await;
    assert_eq!(signed_up["user"]["fullName"], "User");
    let refused = status_and_code(stack.login(EMAIL, "placeholder-1")).await;
    assert_eq!(refused, (401, "INVALID_CREDENTIALS".into()));
}

#[tokio::test]
async fn profile_update_changes_the_password() {
    let stack = Stack::start(&[]).await;
    let (here, elsewhere) = (stack.register(EMAIL).await, stack.sign_in(EMAIL).await);
    let profile = stack.get("/api/profile").header("cookie", &here.session);
    let profile = body_of(ok(profile).await).await;
    assert_eq!(
        (&profile["fullname"], &profile["email"]),
        (&json!("Ada Lovelace"), &json!(EMAIL))
    );

    let change = |form: &Value| {
        let request = stack.request("PUT", "/api/profile").json(form);
        request.header("cookie", &here.session)
    };
    assert_eq!(
        errors(change(&json!({}))).await,
        ["fullname", "email", "password"]
    );
    let too_short = json!({"fullname": "Ada King", "email": EMAIL, "password": "kq7#z"});
    assert_eq!(errors(change(&too_short)).await, ["password"]);

    let form =
        json!({"fullname": "Ada King", "email": "king@example.com", "password": "another quiet place"});
    let changed = body_of(ok(change(&form)).await).await;
    assert_eq!(changed["fullname"], "Ada King");
    assert_eq!(changed["pendingEmail"], "king@example.com");
    assert_eq!(
        user(&stack, &here).await["email"],
        EMAIL,
        "until the link is used"
    );
    assert_eq!(user(&stack, &elsewhere).await, Value::Null, "other sessions end");
    assert_eq!(status_and_code(stack.login(EMAIL, PASSWORD)).await.0, 401);
    assert_eq!(
        status_and_code(stack.login(EMAIL, "another quiet place")).await.0,
        200
    );
}

#[tokio::test]
async fn handoff_token_is_single_use_and_expires() {
    let stack = Stack::start(&[]).await;
    let member = stack.register(EMAIL).await;
    let user_id = user(&stack, &member).await["user_id"].clone();
    let issue = async || {
        let request = stack.post("/api/auth/handoff-tokens", &json!({"purpose": "autologin"}));
        let answer = ok(request.header("cookie", &member.session)).await;
        body_of(answer).await["token"].clone()
    };
    let validate = async |token: &Value| {
        let answer = ok(stack.post("/validate-token", &json!({"token": token}))).await;
        let signs_in = answer.headers().contains_key("set-cookie");
        (signs_in, body_of(answer).await)
    };

    let token = issue().await;
    let (signs_in, accepted) = validate(&token).await;
    assert!(signs_in);
    assert_eq!(
        accepted,
        json!({
            "data": accepted["data"], "error": null, "error_code": null, "already_signed_in": false, "redirectPage": null,
        })
    );
    assert_eq!(accepted["data"]["user_id"], user_id);

    let late = issue().await;
    stack.host.clock().advance(TimeDelta::minutes(5));
    for (token, code) in [(&token, "2"), (&late, "2"), (&json!("made up"), "1")] {
        let (signs_in, refused) = validate(token).await;
        assert!(!signs_in);
        assert_eq!(
            (&refused["data"], &refused["error_code"]),
            (&Value::Null, &json!(code))
        );
    }
}

#[tokio::test]
async fn paid_product_grants_the_coaching_or_therapy_role() {
    let stack = Stack::start(&[]).await;
    for (email, opens, coaching, therapy) in [
        ("visitor@example.com", "premium", false, false),
        ("coached@example.com", "coaching", true, false),
        ("treated@example.com", "therapy", false, true),
    ] {
        let member = stack.register(email).await;
        let user_id = user(&stack, &member).await["user_id"]
            .as_str()
            .unwrap()
            .to_owned();
        paid(&stack, &user_id, opens).await;
        let flags = json!([coaching, therapy]);
        let known = async || {
            let user = user(&stack, &member).await;
            json!([user["isCoachingUser"], user["isTherapyUser"]])
        };
        // The same event grants a day of premium.
        for _ in 0..200 {
            if !premium(&stack, &member).await.is_null() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(known().await, flags, "{opens}");

        let details = stack
            .get("/api/users/details?locale=tr")
            .header("cookie", &member.session);
        let details = body_of(ok(details).await).await;
        assert_eq!(details["userID"], details["user_id"]);
        assert_eq!(json!([details["coachingready"], details["istherapyuser"]]), flags);
        assert_eq!(
            json!([details["isCoachingUser"], details["isTherapyUser"]]),
            flags
        );
    }
}

/// End of the temporary premium, once checkout's payment event is applied.
async fn premium(stack: &Stack, member: &Browser) -> Value {
    let path = "/users/temporary-premium?subscriptionType=soul";
    let request = stack.get(path).header("cookie", &member.session);
    body_of(ok(request).await).await["until"].clone()
}

async fn paid(stack: &Stack, user_id: &str, opens: &str) {
    let subscription_id = format!("sub_{user_id}");
    let data = json!({"userId": user_id, "product": "a-product", "subscriptionId": subscription_id, "opens": [opens]});
    let subject = "stillpoint.checkout.subscription.activated";
    let event = CloudEvent::new(format!("e-{user_id}"), subject, stack.host.clock().now(), data);
    // The stream is created in the background.
    for _ in 0..100 {
        if stack.host.context().bus.publish(&event).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the stream takes no events");
}

#[test]
fn no_endpoint_is_for_administrators() {
    let document = serde_json::to_string(&gateway::openapi()).unwrap().to_lowercase();
    for word in ["/admin", "isadmin", "is_admin", "\"role", "superuser"] {
        assert!(!document.contains(word), "{word}");
    }
}

use super::*;

const BODY: &str = r#"{"id":"evt_1","type":"customer.subscription.updated","data":{"object":{"object":"subscription","id":"sub_1"}}}"#;

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn sign(secret: &str, at: DateTime<Utc>, body: &str) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let signed = mac.chain_update(format!("{}.{body}", at.timestamp())).finalize();
    hex::encode(signed.into_bytes())
}

fn header(secret: &str, at: DateTime<Utc>) -> String {
    format!("t={},v1={}", at.timestamp(), sign(secret, at, BODY))
}

fn read(header: &str, body: &str) -> Result<WebhookEvent, WebhookError> {
    let webhooks = StripeWebhooks::new(RotatingSecret::fixed(&"whsec_new,whsec_old".into()));
    webhooks.read(body.as_bytes(), header, noon())
}

fn check_subject(object: &str, expected: &WebhookObject) {
    check_subject_of("any", object, expected);
}

fn check_subject_of(kind: &str, object: &str, expected: &WebhookObject) {
    let body = format!(r#"{{"id":"evt_1","type":"{kind}","data":{{"object":{object}}}}}"#);
    let at = noon();
    let header = format!("t={},v1={}", at.timestamp(), sign("whsec_new", at, &body));
    assert_eq!(read(&header, &body).unwrap().object, *expected);
}

#[test]
fn any_of_our_secrets_and_any_of_the_signatures_will_do() {
    assert!(read(&header("whsec_new", noon()), BODY).is_ok());
    assert!(read(&header("whsec_old", noon()), BODY).is_ok());
    let rolling = format!(
        "t={},v1=00ff,v1={}",
        noon().timestamp(),
        sign("whsec_old", noon(), BODY)
    );
    assert!(read(&rolling, BODY).is_ok());
}

#[test]
fn forged_signature_is_refused() {
    let genuine = header("whsec_new", noon());
    let later = genuine.replacen(
        &noon().timestamp().to_string(),
        &(noon().timestamp() + 1).to_string(),
        1,
    );
    for forged in [
        "",
        "t=1",
        "v1=00",
        "nonsense",
        &header("whsec_other", noon()),
        &later,
    ] {
        assert_eq!(read(forged, BODY), Err(WebhookError::Forged), "{forged}");
    }
    assert_eq!(
        read(&genuine, &BODY.replace("sub_1", "sub_2")),
        Err(WebhookError::Forged)
    );
}

#[test]
fn signature_ages_within_five_minutes_either_way() {
    let aged = |seconds: i64| read(&header("whsec_new", noon() + TimeDelta::seconds(seconds)), BODY);
    assert!(aged(-300).is_ok());
    assert!(aged(300).is_ok());
    assert_eq!(aged(-301), Err(WebhookError::TooOld));
    assert_eq!(aged(301), Err(WebhookError::TooOld));
}

#[test]
fn genuine_nonsense_is_unreadable() {
    let header = format!("t={},v1={}", noon().timestamp(), sign("whsec_new", noon(), "[]"));
    assert_eq!(read(&header, "[]"), Err(WebhookError::Unreadable));
}

#[test]
fn invoice_names_its_subscription_in_either_place() {
    let expected = WebhookObject::Subscription("sub_1".into());
    check_subject(
        r#"{"object":"invoice","parent":{"subscription_details":{"subscription":"sub_1"}}}"#,
        &expected,
    );
    check_subject(r#"{"object":"invoice","subscription":"sub_1"}"#, &expected);
    check_subject(r#"{"object":"invoice","subscription":{"id":"sub_1"}}"#, &expected);
}

#[test]
fn charge_and_intent_lead_to_the_intent() {
    let expected = WebhookObject::PaymentIntent("pi_1".into());
    check_subject(r#"{"object":"payment_intent","id":"pi_1"}"#, &expected);
    check_subject(
        r#"{"object":"charge","id":"ch_1","payment_intent":"pi_1"}"#,
        &expected,
    );
}

#[test]
fn refunds_lead_to_the_intent_they_are_of() {
    let expected = WebhookObject::RefundsOf("pi_1".into());
    let refund = r#"{"object":"refund","id":"re_1","payment_intent":"pi_1"}"#;
    for kind in [
        "refund.created",
        "refund.updated",
        "refund.failed",
        "charge.refund.updated",
    ] {
        check_subject_of(kind, refund, &expected);
    }
    let dispute = r#"{"object":"dispute","id":"du_1","charge":"ch_1","payment_intent":"pi_1"}"#;
    check_subject_of("charge.dispute.created", dispute, &expected);
    let charge = r#"{"object":"charge","id":"ch_1","payment_intent":{"id":"pi_1"}}"#;
    check_subject_of("charge.refunded", charge, &expected);
    check_subject_of(
        "charge.updated",
        charge,
        &WebhookObject::PaymentIntent("pi_1".into()),
    );
}

#[test]
fn other_objects_are_nothing_of_ours() {
    check_subject(r#"{"object":"coupon","id":"c_1"}"#, &WebhookObject::Other);
    check_subject(r"{}", &WebhookObject::Other);
}

/// Replaces the file as Kubernetes does: a reader sees the old content or the new one.
fn replace(file: &std::path::Path, content: &str) {
    let new = file.with_extension("new");
    std::fs::write(&new, content).unwrap();
    std::fs::rename(&new, file).unwrap();
}

#[test]
fn no_webhook_is_refused_while_the_secret_is_replaced() {
    let file = std::env::temp_dir().join(format!("webhook-secret-{}", std::process::id()));
    replace(&file, "whsec_old\n");
    let env = kit::config::Env::from_pairs([("STRIPE_WEBHOOK_SECRET_FILE", file.display().to_string())]);
    let mut reader = env.reader();
    let webhooks = StripeWebhooks::new(reader.rotating_secret("STRIPE_WEBHOOK_SECRET", "dev"));
    let accepts = |secret: &str| {
        webhooks
            .read(BODY.as_bytes(), &header(secret, noon()), noon())
            .is_ok()
    };
    assert!(accepts("whsec_old") && !accepts("whsec_new"));

    // Stripe signs with either while both are valid, as we list them.
    let is_rotated = std::sync::atomic::AtomicBool::new(false);
    replace(&file, "whsec_old,whsec_new\n");
    std::thread::scope(|scope| {
        for secret in ["whsec_old", "whsec_new"] {
            let (accepts, is_rotated) = (&accepts, &is_rotated);
            scope.spawn(move || {
                while !is_rotated.load(std::sync::atomic::Ordering::Relaxed) {
                    assert!(accepts(secret), "{secret}");
                }
            });
        }
        for _ in 0..200 {
            replace(&file, "whsec_new,whsec_old\n");
            replace(&file, "whsec_old,whsec_new\n");
        }
        is_rotated.store(true, std::sync::atomic::Ordering::Relaxed);
    });

    replace(&file, "whsec_new\n");
    assert!(accepts("whsec_new") && !accepts("whsec_old"));
    std::fs::remove_file(&file).unwrap();
}

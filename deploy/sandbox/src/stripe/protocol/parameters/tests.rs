use super::*;
use crate::stripe::{protocol::form, provider::API_VERSION};

fn error_of(method: &str, path: &str, encoded: &str) -> (String, String) {
    let segments: Vec<&str> = path.split('/').collect();
    let fields = form::parse(encoded.as_bytes()).unwrap();
    let Err(error) = check(method, &segments, &fields) else {
        return (String::new(), String::new());
    };
    let body = error.body();
    let field = |name: &str| body["error"][name].as_str().unwrap_or("invalid").to_owned();
    (field("code"), field("param"))
}

fn refused(method: &str, path: &str, encoded: &str, code: &str, param: &str) {
    let expected = (code.to_owned(), param.to_owned());
    assert_eq!(
        error_of(method, path, encoded),
        expected,
        "{method} {path} {encoded}"
    );
}

fn accepted(method: &str, path: &str, encoded: &str) {
    refused(method, path, encoded, "", "");
}

#[test]
fn table_has_the_supported_api_version() {
    let table: Value = serde_json::from_str(TABLE).unwrap();
    assert_eq!(table["api_version"], API_VERSION);
    let calls: usize = CALLS.0.values().map(Vec::len).sum();
    assert!(calls > 80, "{calls}");
}

/// Parameters that older examples still send.
#[test]
fn parameters_of_older_versions_are_gone() {
    for (method, path, gone) in [
        ("POST", "subscriptions", "coupon"),
        ("POST", "subscriptions", "promotion_code"),
        ("POST", "subscriptions/sub_1", "coupon"),
        ("POST", "subscriptions/sub_1", "promotion_code"),
        ("POST", "subscriptions", "prorate"),
        ("POST", "customers", "coupon"),
        ("POST", "promotion_codes", "coupon"),
        ("POST", "invoices/create_preview", "subscription_items[0][price]"),
        ("POST", "payment_intents", "source"),
        ("POST", "payment_intents/pi_1/confirm", "save_payment_method"),
        ("POST", "setup_intents/seti_1/confirm", "off_session"),
    ] {
        let call = CALLS.find(method, &path.split('/').collect::<Vec<_>>());
        let name = gone.split('[').next().unwrap_or_default();
        assert!(!call.unwrap().0.contains_key(name), "{method} {path} has {name}");
    }
    let encoded = "customer=cus_1&items[0][price]=price_1&coupon=SPRING";
    refused("POST", "subscriptions", encoded, "parameter_unknown", "coupon");
    accepted(
        "POST",
        "subscriptions",
        "customer=cus_1&discounts[0][coupon]=SPRING",
    );
}

#[test]
fn what_is_unknown_is_named_down_to_its_last_part() {
    let encoded = "customer=cus_1&items[0][price_data][recurring][colour]=red";
    let path = "items[0][price_data][recurring][colour]";
    refused("POST", "subscriptions", encoded, "parameter_unknown", path);
    refused("GET", "prices", "lookup_key=a", "parameter_unknown", "lookup_key");
    refused(
        "DELETE",
        "customers/cus_1",
        "force=1",
        "parameter_unknown",
        "force",
    );
}

#[test]
fn values_have_the_kind_that_stripe_expects() {
    let refund = |encoded: &str, code: &str, param: &str| refused("POST", "refunds", encoded, code, param);
    refund("amount=ten", "parameter_invalid_integer", "amount");
    refund("reason=whim", "invalid", "reason");
    refund("metadata=x", "invalid", "metadata");
    refund("metadata[a][b]=x", "invalid", "metadata[a]");
    accepted(
        "POST",
        "refunds",
        "amount=10&reason=duplicate&metadata[a]=x&expand[]=charge",
    );
    let subscription =
        |encoded: &str, param: &str| refused("POST", "subscriptions", encoded, "invalid", param);
    subscription("off_session=perhaps", "off_session");
    subscription("items=price_1", "items");
    subscription("customer[id]=cus_1", "customer");
    accepted("POST", "subscriptions", "trial_end=now&metadata=");
    refused(
        "POST",
        "subscriptions",
        "trial_end=later",
        "parameter_invalid_integer",
        "trial_end",
    );
    accepted("GET", "events", "created[gte]=1&limit=3");
    refused(
        "GET",
        "events",
        "created[since]=1",
        "parameter_unknown",
        "created[since]",
    );
}

#[test]
fn what_must_be_sent_is_asked_for() {
    refused("POST", "prices", "unit_amount=5", "parameter_missing", "currency");
    let encoded = "currency=usd&recurring[interval_count]=1";
    refused(
        "POST",
        "prices",
        encoded,
        "parameter_missing",
        "recurring[interval]",
    );
}

#[test]
fn a_word_in_the_address_goes_before_an_id() {
    accepted(
        "POST",
        "invoices/create_preview",
        "subscription_details[cancel_now]=true",
    );
    refused(
        "POST",
        "invoices/in_1",
        "subscription_details[cancel_now]=true",
        "parameter_unknown",
        "subscription_details[cancel_now]",
    );
}

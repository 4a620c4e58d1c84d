use chrono::TimeDelta;
use sandbox::{Action, DeliveryState, Fault, platron::BuyerAction};
use serde_json::json;

use super::merchant::{Fields, Merchant, SECRET, is_signed, read};
use crate::support::{deliveries_done, send};

const PAY: BuyerAction = BuyerAction::Pay { after_secs: 0 };

fn error(answer: &Fields) -> (&str, &str) {
    (&answer["pg_status"], &answer["pg_error_code"])
}

#[tokio::test]
async fn check_result_and_return_url_are_called_in_order() {
    let merchant = Merchant::open().await;
    let payment = merchant.init(&[]).await;
    assert!(payment["pg_redirect_url"].contains("/platron/payment_params.php?customer="));
    assert_eq!(
        merchant.status(&payment).await["pg_transaction_status"],
        "partial"
    );
    merchant.act(&payment, PAY);
    let check = &merchant.received("check", 1).await[0];
    assert_eq!(
        (check["pg_amount"].as_str(), check["user_id"].as_str()),
        ("100.00", "usr_1")
    );
    let result = &merchant.received("result", 1).await[0];
    assert_eq!(
        (result["pg_result"].as_str(), result["pg_captured"].as_str()),
        ("1", "1")
    );
    assert!(is_signed("result", result));
    let back = merchant.redirect(&payment).await;
    let fields: Fields = back.query_pairs().into_owned().collect();
    assert!(is_signed("success", &fields), "{back}");
    assert_eq!(fields["campaign"], "ru");
    assert_eq!(fields["pg_captured"], "1");
    let status = merchant.status(&payment).await;
    assert_eq!(
        (
            status["pg_transaction_status"].as_str(),
            status["pg_order_id"].as_str()
        ),
        ("ok", "ord_1")
    );
}

#[tokio::test]
async fn failed_payment_returns_its_reason_to_the_buyer() {
    let merchant = Merchant::open().await;
    let payment = merchant.init(&[]).await;
    merchant.act(&payment, BuyerAction::Fail { code: 420 });
    let result = &merchant.received("result", 1).await[0];
    assert_eq!(
        (result["pg_result"].as_str(), result["pg_failure_code"].as_str()),
        ("0", "420")
    );
    let back = merchant.redirect(&payment).await;
    let fields: Fields = back.query_pairs().into_owned().collect();
    assert_eq!(
        (back.path(), fields["pg_failure_code"].as_str()),
        ("/failure", "420")
    );
    assert!(is_signed("failure", &fields) && !fields.contains_key("pg_captured"));

    let cancelled = merchant.init(&[]).await;
    merchant.act(&cancelled, BuyerAction::Cancel);
    assert_eq!(
        merchant.wait_for_status(&cancelled, "failed").await["pg_failure_code"],
        "400"
    );
    let forgotten = merchant.init(&[("pg_lifetime", "300")]).await;
    merchant.sandbox.advance(TimeDelta::seconds(301)).await.unwrap();
    assert_eq!(merchant.status(&forgotten).await["pg_failure_code"], "360");
}

#[tokio::test]
async fn a_merchant_may_refuse_before_and_after_the_payment() {
    let merchant = Merchant::open().await;
    merchant.respond_with("rejected", SECRET);
    let refused = merchant.init(&[]).await;
    merchant.act(&refused, PAY);
    merchant.wait_for_status(&refused, "failed").await;
    assert_eq!(merchant.page(&refused)["merchant_message"], "Sold out");

    merchant.respond_with("ok", SECRET);
    let paid = merchant.init(&[]).await;
    merchant.sandbox.faults().add(Fault::on_event(
        "platron.result",
        Action::HoldWebhook { for_secs: Some(60) },
    ));
    merchant.act(&paid, PAY);
    merchant.wait_for_status(&paid, "ok").await;
    merchant.respond_with("rejected", SECRET);
    merchant.sandbox.advance(TimeDelta::seconds(61)).await.unwrap();
    merchant.wait_for_status(&paid, "revoked").await;
}

#[tokio::test]
async fn an_invalid_check_response_leaves_the_payment_open() {
    let merchant = Merchant::open().await;
    merchant.respond_with("ok", "another secret");
    let payment = merchant.init(&[]).await;
    merchant.act(&payment, PAY);
    merchant.received("check", 1).await;
    merchant.wait_for_status(&payment, "partial").await;
    assert_eq!(
        merchant.page(&payment)["merchant_message"],
        "The shop did not answer. Try again."
    );
    merchant.respond_with("ok", SECRET);
    merchant.act(&payment, PAY);
    merchant.wait_for_status(&payment, "ok").await;
}

#[tokio::test]
async fn an_unacknowledged_result_is_retried_for_two_hours() {
    let merchant = Merchant::open().await;
    let payment = merchant.init(&[]).await;
    merchant.sandbox.faults().add(Fault::on_event(
        "platron.result",
        Action::HoldWebhook { for_secs: Some(60) },
    ));
    merchant.act(&payment, PAY);
    merchant.wait_for_status(&payment, "ok").await;
    merchant.respond_with("error", SECRET);
    merchant.sandbox.advance(TimeDelta::seconds(61)).await.unwrap();
    for tries in 1..=5 {
        merchant.received("result", tries).await;
        deliveries_done(&merchant.sandbox).await;
        assert_eq!(
            merchant.redirect(&payment).await.path(),
            "/success",
            "the buyer does not wait"
        );
        merchant.sandbox.advance(TimeDelta::minutes(31)).await.unwrap();
    }
    deliveries_done(&merchant.sandbox).await;
    assert_eq!(merchant.received("result", 5).await.len(), 5);
    assert_eq!(merchant.status(&payment).await["pg_transaction_status"], "ok");
}

#[tokio::test]
async fn a_bank_may_take_its_time() {
    let merchant = Merchant::open().await;
    let payment = merchant.init(&[]).await;
    merchant.act(&payment, BuyerAction::Pay { after_secs: 600 });
    merchant.received("check", 1).await;
    while merchant.sandbox.webhooks()[0].state != DeliveryState::Delivered {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(
        merchant.status(&payment).await["pg_transaction_status"],
        "pending"
    );
    assert_eq!(merchant.page(&payment)["is_at_bank"], true);
    merchant.sandbox.advance(TimeDelta::seconds(601)).await.unwrap();
    merchant.wait_for_status(&payment, "ok").await;
}

#[tokio::test]
async fn a_payment_is_paid_back_in_parts_and_never_more_than_it_was() {
    let merchant = Merchant::open().await;
    let payment = merchant.init(&[]).await;
    let id = payment["pg_payment_id"].as_str();
    let back = |amount| [("pg_payment_id", id), ("pg_refund_amount", amount)];
    assert_eq!(
        error(&merchant.ask("revoke.php", &back("1.00")).await),
        ("error", "490")
    );
    merchant.act(&payment, PAY);
    merchant.wait_for_status(&payment, "ok").await;
    assert_eq!(
        merchant.ask("revoke.php", &back("40.00")).await["pg_status"],
        "ok"
    );
    assert_eq!(
        error(&merchant.ask("revoke.php", &back("60.01")).await),
        ("error", "200")
    );
    assert_eq!(
        merchant.ask("revoke.php", &[("pg_payment_id", id)]).await["pg_status"],
        "ok"
    );
    assert_eq!(
        error(&merchant.ask("revoke.php", &[("pg_payment_id", id)]).await),
        ("error", "490")
    );
    let status = merchant.status(&payment).await;
    assert_eq!(
        (
            status["pg_transaction_status"].as_str(),
            status["pg_refund_amount"].as_str()
        ),
        ("revoked", "100.00")
    );
    let calls = merchant.received("refund", 2).await;
    let amounts: Vec<_> = calls
        .iter()
        .map(|call| call["pg_refund_amount"].as_str())
        .collect();
    assert_eq!(amounts, ["40.00", "60.00"]);
}

#[tokio::test]
async fn a_recurring_profile_pays_again_until_it_expires() {
    let merchant = Merchant::open().await;
    let first = merchant
        .init(&[("pg_recurring_start", "1"), ("pg_recurring_lifetime", "2")])
        .await;
    merchant.act(&first, PAY);
    let profile = merchant.received("result", 1).await[0]["pg_recurring_profile_id"].clone();
    let result = format!("{}/result", merchant.url);
    let again = [
        ("pg_recurring_profile", profile.as_str()),
        ("pg_order_id", "ord_2"),
        ("pg_result_url", &result),
        ("pg_amount", "120.00"),
    ];
    let second = merchant.ask("make_recurring_payment.php", &again).await;
    assert_eq!(
        (second["pg_status"].as_str(), second["pg_amount"].as_str()),
        ("ok", "120.00")
    );
    let calls = merchant.received("result", 2).await;
    assert_eq!(
        (calls[1]["pg_order_id"].as_str(), calls[1]["pg_result"].as_str()),
        ("ord_2", "1")
    );
    merchant
        .sandbox
        .platron()
        .set_decline(&profile, Some(470))
        .unwrap();
    let refused = merchant.ask("make_recurring_payment.php", &again).await;
    assert_eq!(merchant.status(&refused).await["pg_failure_code"], "470");
    merchant.sandbox.advance(TimeDelta::days(62)).await.unwrap();
    assert_eq!(
        error(&merchant.ask("make_recurring_payment.php", &again).await),
        ("error", "365")
    );
}

#[tokio::test]
async fn a_lost_answer_is_found_again_by_the_order() {
    let merchant = Merchant::open().await;
    merchant.sandbox.faults().add(Fault::on(
        "POST",
        "/platron/init_payment.php",
        Action::DropAfterCommit {},
    ));
    let ask = [
        ("pg_amount", "100.00"),
        ("pg_description", "Stillpoint"),
        ("pg_order_id", "ord_9"),
    ];
    assert!(merchant.request("init_payment.php", &ask).send().await.is_err());
    let found = merchant.ask("get_status.php", &[("pg_order_id", "ord_9")]).await;
    assert_eq!(found["pg_transaction_status"], "partial");
    let again = merchant.ask("init_payment.php", &ask).await;
    assert_ne!(
        again["pg_payment_id"], found["pg_payment_id"],
        "a repeated call is another payment"
    );
    assert_eq!(
        merchant
            .ask("cancel.php", &[("pg_payment_id", &found["pg_payment_id"])])
            .await["pg_status"],
        "ok"
    );
    assert_eq!(merchant.status(&found).await["pg_transaction_status"], "failed");
    assert_eq!(
        error(
            &merchant
                .ask("cancel.php", &[("pg_payment_id", &found["pg_payment_id"])])
                .await
        ),
        ("error", "490")
    );
}

#[tokio::test]
async fn what_is_not_signed_or_not_whole_is_refused_by_its_code() {
    let merchant = Merchant::open().await;
    let base = merchant.sandbox.platron_base();
    let post = async |form: &[(&str, &str)]| {
        let sent = reqwest::Client::new()
            .post(format!("{base}/init_payment.php"))
            .form(form)
            .send();
        read(&sent.await.unwrap().text().await.unwrap())
    };
    assert_eq!(
        error(&post(&[("pg_merchant_id", "82"), ("pg_salt", "x"), ("pg_sig", "0")]).await),
        ("error", "100")
    );
    assert_eq!(error(&post(&[("pg_merchant_id", "83")]).await), ("error", "101"));
    for wrong in [
        ("pg_amount", "0"),
        ("pg_amount", "1,00"),
        ("pg_currency", "XXQ"),
        ("pg_result_url", "nowhere"),
    ] {
        let given: Vec<_> = [("pg_amount", "1.00"), ("pg_description", "x")]
            .into_iter()
            .filter(|(name, _)| *name != wrong.0)
            .chain([wrong])
            .collect();
        let answer = merchant.ask("init_payment.php", &given).await;
        assert_eq!(error(&answer), ("error", "200"), "{wrong:?}");
        assert!(answer["pg_error_description"].contains(wrong.0));
    }
    assert_eq!(
        error(&merchant.ask("get_status.php", &[("pg_payment_id", "1")]).await),
        ("error", "340")
    );
    assert_eq!(error(&merchant.ask("no_script.php", &[]).await), ("error", "600"));
}

#[tokio::test]
async fn the_payment_page_accepts_actions() {
    let merchant = Merchant::open().await;
    let payment = merchant.init(&[]).await;
    let page: url::Url = payment["pg_redirect_url"].parse().unwrap();
    let customer = page.query_pairs().next().unwrap().1.into_owned();
    let base = merchant.sandbox.base();
    for (path, kind) in [
        (
            format!("/platron/payment_params.php?customer={customer}"),
            "text/html",
        ),
        ("/sandbox/platron/payment.js".into(), "text/javascript"),
    ] {
        let response = reqwest::get(format!("{base}{path}")).await.unwrap();
        assert!(
            response.headers()["content-type"]
                .to_str()
                .unwrap()
                .starts_with(kind),
            "{path}"
        );
    }
    let door = format!("{base}/sandbox/platron/payments/{customer}");
    let act = |action| send(reqwest::Client::new().post(&door).json(&action));
    assert_eq!(
        act(json!({ "pay": { "after_secs": 0 } })).await.unwrap().status,
        200
    );
    merchant.wait_for_status(&payment, "ok").await;
    assert_eq!(act(json!("cancel")).await.unwrap().status, 409);
}

use chrono::TimeDelta;
use sandbox::{Action, Fault, outbox::State, platron::Deed};
use serde_json::json;

use super::shop::{Fields, SECRET, Shop, is_signed, read};
use crate::support::{send, settled};

const PAY: Deed = Deed::Pay { after_secs: 0 };

fn error(answer: &Fields) -> (&str, &str) {
    (&answer["pg_status"], &answer["pg_error_code"])
}

#[tokio::test]
async fn the_merchant_is_asked_told_and_gets_its_buyer_back() {
    let shop = Shop::open().await;
    let payment = shop.init(&[]).await;
    assert!(payment["pg_redirect_url"].contains("/platron/payment_params.php?customer="));
    assert_eq!(shop.status(&payment).await["pg_transaction_status"], "partial");
    shop.act(&payment, PAY);
    let check = &shop.heard("check", 1).await[0];
    assert_eq!(
        (check["pg_amount"].as_str(), check["user_id"].as_str()),
        ("100.00", "usr_1")
    );
    let result = &shop.heard("result", 1).await[0];
    assert_eq!(
        (result["pg_result"].as_str(), result["pg_captured"].as_str()),
        ("1", "1")
    );
    assert!(is_signed("result", result));
    let back = shop.redirect(&payment).await;
    let fields: Fields = back.query_pairs().into_owned().collect();
    assert!(is_signed("success", &fields), "{back}");
    assert_eq!(fields["campaign"], "ru");
    assert_eq!(fields["pg_captured"], "1");
    let status = shop.status(&payment).await;
    assert_eq!(
        (
            status["pg_transaction_status"].as_str(),
            status["pg_order_id"].as_str()
        ),
        ("ok", "ord_1")
    );
}

#[tokio::test]
async fn a_payment_fails_for_a_reason_and_the_buyer_hears_of_it() {
    let shop = Shop::open().await;
    let payment = shop.init(&[]).await;
    shop.act(&payment, Deed::Fail { code: 420 });
    let result = &shop.heard("result", 1).await[0];
    assert_eq!(
        (result["pg_result"].as_str(), result["pg_failure_code"].as_str()),
        ("0", "420")
    );
    let back = shop.redirect(&payment).await;
    let fields: Fields = back.query_pairs().into_owned().collect();
    assert_eq!(
        (back.path(), fields["pg_failure_code"].as_str()),
        ("/failure", "420")
    );
    assert!(is_signed("failure", &fields) && !fields.contains_key("pg_captured"));

    let cancelled = shop.init(&[]).await;
    shop.act(&cancelled, Deed::Cancel);
    assert_eq!(
        shop.wait_for_status(&cancelled, "failed").await["pg_failure_code"],
        "400"
    );
    let forgotten = shop.init(&[("pg_lifetime", "300")]).await;
    shop.sandbox.advance(TimeDelta::seconds(301)).await.unwrap();
    assert_eq!(shop.status(&forgotten).await["pg_failure_code"], "360");
}

#[tokio::test]
async fn a_merchant_may_refuse_before_and_after_the_payment() {
    let shop = Shop::open().await;
    shop.says("rejected", SECRET);
    let refused = shop.init(&[]).await;
    shop.act(&refused, PAY);
    shop.wait_for_status(&refused, "failed").await;
    assert_eq!(shop.page(&refused)["objection"], "Sold out");

    shop.says("ok", SECRET);
    let paid = shop.init(&[]).await;
    shop.sandbox.faults().add(Fault::on_event(
        "platron.result",
        Action::HoldWebhook { for_secs: Some(60) },
    ));
    shop.act(&paid, PAY);
    shop.wait_for_status(&paid, "ok").await;
    shop.says("rejected", SECRET);
    shop.sandbox.advance(TimeDelta::seconds(61)).await.unwrap();
    shop.wait_for_status(&paid, "revoked").await;
}

#[tokio::test]
async fn nobody_pays_while_the_merchant_does_not_answer_as_agreed() {
    let shop = Shop::open().await;
    shop.says("ok", "another secret");
    let payment = shop.init(&[]).await;
    shop.act(&payment, PAY);
    shop.heard("check", 1).await;
    shop.wait_for_status(&payment, "partial").await;
    assert_eq!(
        shop.page(&payment)["objection"],
        "The shop did not answer. Try again."
    );
    shop.says("ok", SECRET);
    shop.act(&payment, PAY);
    shop.wait_for_status(&payment, "ok").await;
}

#[tokio::test]
async fn a_result_that_nobody_takes_is_told_for_two_hours() {
    let shop = Shop::open().await;
    let payment = shop.init(&[]).await;
    shop.sandbox.faults().add(Fault::on_event(
        "platron.result",
        Action::HoldWebhook { for_secs: Some(60) },
    ));
    shop.act(&payment, PAY);
    shop.wait_for_status(&payment, "ok").await;
    shop.says("error", SECRET);
    shop.sandbox.advance(TimeDelta::seconds(61)).await.unwrap();
    for tries in 1..=5 {
        shop.heard("result", tries).await;
        settled(&shop.sandbox).await;
        assert_eq!(
            shop.redirect(&payment).await.path(),
            "/success",
            "the buyer does not wait"
        );
        shop.sandbox.advance(TimeDelta::minutes(31)).await.unwrap();
    }
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(shop.heard("result", 5).await.len(), 5);
    assert_eq!(shop.status(&payment).await["pg_transaction_status"], "ok");
}

#[tokio::test]
async fn a_bank_may_take_its_time() {
    let shop = Shop::open().await;
    let payment = shop.init(&[]).await;
    shop.act(&payment, Deed::Pay { after_secs: 600 });
    shop.heard("check", 1).await;
    while shop.sandbox.webhooks()[0].state != State::Delivered {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(shop.status(&payment).await["pg_transaction_status"], "pending");
    assert_eq!(shop.page(&payment)["is_with_bank"], true);
    shop.sandbox.advance(TimeDelta::seconds(601)).await.unwrap();
    shop.wait_for_status(&payment, "ok").await;
}

#[tokio::test]
async fn a_payment_is_paid_back_in_parts_and_never_more_than_it_was() {
    let shop = Shop::open().await;
    let payment = shop.init(&[]).await;
    let id = payment["pg_payment_id"].as_str();
    let back = |amount| [("pg_payment_id", id), ("pg_refund_amount", amount)];
    assert_eq!(
        error(&shop.ask("revoke.php", &back("1.00")).await),
        ("error", "490")
    );
    shop.act(&payment, PAY);
    shop.wait_for_status(&payment, "ok").await;
    assert_eq!(shop.ask("revoke.php", &back("40.00")).await["pg_status"], "ok");
    assert_eq!(
        error(&shop.ask("revoke.php", &back("60.01")).await),
        ("error", "200")
    );
    assert_eq!(
        shop.ask("revoke.php", &[("pg_payment_id", id)]).await["pg_status"],
        "ok"
    );
    assert_eq!(
        error(&shop.ask("revoke.php", &[("pg_payment_id", id)]).await),
        ("error", "490")
    );
    let status = shop.status(&payment).await;
    assert_eq!(
        (
            status["pg_transaction_status"].as_str(),
            status["pg_refund_amount"].as_str()
        ),
        ("revoked", "100.00")
    );
    let told = shop.heard("refund", 2).await;
    let amounts: Vec<_> = told
        .iter()
        .map(|call| call["pg_refund_amount"].as_str())
        .collect();
    assert_eq!(amounts, ["40.00", "60.00"]);
}

#[tokio::test]
async fn a_recurring_profile_pays_again_until_it_expires() {
    let shop = Shop::open().await;
    let first = shop
        .init(&[("pg_recurring_start", "1"), ("pg_recurring_lifetime", "2")])
        .await;
    shop.act(&first, PAY);
    let profile = shop.heard("result", 1).await[0]["pg_recurring_profile_id"].clone();
    let result = format!("{}/result", shop.url);
    let again = [
        ("pg_recurring_profile", profile.as_str()),
        ("pg_order_id", "ord_2"),
        ("pg_result_url", &result),
        ("pg_amount", "120.00"),
    ];
    let second = shop.ask("make_recurring_payment.php", &again).await;
    assert_eq!(
        (second["pg_status"].as_str(), second["pg_amount"].as_str()),
        ("ok", "120.00")
    );
    let told = shop.heard("result", 2).await;
    assert_eq!(
        (told[1]["pg_order_id"].as_str(), told[1]["pg_result"].as_str()),
        ("ord_2", "1")
    );
    shop.sandbox.platron().set_refusal(&profile, Some(470)).unwrap();
    let refused = shop.ask("make_recurring_payment.php", &again).await;
    assert_eq!(shop.status(&refused).await["pg_failure_code"], "470");
    shop.sandbox.advance(TimeDelta::days(62)).await.unwrap();
    assert_eq!(
        error(&shop.ask("make_recurring_payment.php", &again).await),
        ("error", "365")
    );
}

#[tokio::test]
async fn a_lost_answer_is_found_again_by_the_order() {
    let shop = Shop::open().await;
    shop.sandbox.faults().add(Fault::on(
        "POST",
        "/platron/init_payment.php",
        Action::DropAfterCommit {},
    ));
    let ask = [
        ("pg_amount", "100.00"),
        ("pg_description", "Stillpoint"),
        ("pg_order_id", "ord_9"),
    ];
    assert!(shop.request("init_payment.php", &ask).send().await.is_err());
    let found = shop.ask("get_status.php", &[("pg_order_id", "ord_9")]).await;
    assert_eq!(found["pg_transaction_status"], "partial");
    let again = shop.ask("init_payment.php", &ask).await;
    assert_ne!(
        again["pg_payment_id"], found["pg_payment_id"],
        "a repeated call is another payment"
    );
    assert_eq!(
        shop.ask("cancel.php", &[("pg_payment_id", &found["pg_payment_id"])])
            .await["pg_status"],
        "ok"
    );
    assert_eq!(shop.status(&found).await["pg_transaction_status"], "failed");
    assert_eq!(
        error(
            &shop
                .ask("cancel.php", &[("pg_payment_id", &found["pg_payment_id"])])
                .await
        ),
        ("error", "490")
    );
}

#[tokio::test]
async fn what_is_not_signed_or_not_whole_is_refused_by_its_code() {
    let shop = Shop::open().await;
    let base = shop.sandbox.platron_base();
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
        let answer = shop.ask("init_payment.php", &given).await;
        assert_eq!(error(&answer), ("error", "200"), "{wrong:?}");
        assert!(answer["pg_error_description"].contains(wrong.0));
    }
    assert_eq!(
        error(&shop.ask("get_status.php", &[("pg_payment_id", "1")]).await),
        ("error", "340")
    );
    assert_eq!(error(&shop.ask("no_script.php", &[]).await), ("error", "600"));
}

#[tokio::test]
async fn the_page_is_served_and_takes_what_somebody_does() {
    let shop = Shop::open().await;
    let payment = shop.init(&[]).await;
    let page: url::Url = payment["pg_redirect_url"].parse().unwrap();
    let customer = page.query_pairs().next().unwrap().1.into_owned();
    let base = shop.sandbox.base();
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
    let act = |deed| send(reqwest::Client::new().post(&door).json(&deed));
    assert_eq!(
        act(json!({ "pay": { "after_secs": 0 } })).await.unwrap().status,
        200
    );
    shop.wait_for_status(&payment, "ok").await;
    assert_eq!(act(json!("cancel")).await.unwrap().status, 409);
}

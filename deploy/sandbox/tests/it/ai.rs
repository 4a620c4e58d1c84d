use std::time::{Duration, Instant};

use reqwest::Response;
use sandbox::{Action, Fault};
use serde_json::{Value, json};

use crate::support::Fixture;

const PATH: &str = "/ai/v1/chat/completions";

fn question(text: &str) -> Value {
    json!({
        "model": "gpt-4.1-mini",
        "stream": true,
        "messages": [
            {"role": "system", "content": "Be kind. Write in Turkish."},
            {"role": "user", "content": text},
        ],
    })
}

async fn ask(fixture: &Fixture, key: &str, body: &Value) -> Response {
    reqwest::Client::new()
        .post(format!("{}/chat/completions", fixture.sandbox.ai_base()))
        .bearer_auth(key)
        .json(body)
        .send()
        .await
        .unwrap()
}

/// The text that the chunks say together, and whether the stream was ended properly.
async fn received(mut response: Response) -> (String, bool) {
    let mut lines = String::new();
    while let Ok(Some(bytes)) = response.chunk().await {
        lines.push_str(&String::from_utf8_lossy(&bytes));
    }
    let said = lines
        .lines()
        .filter_map(|line| line.strip_prefix("data: {"))
        .map(|rest| serde_json::from_str::<Value>(&format!("{{{rest}")).unwrap())
        .filter_map(|chunk| Some(chunk["choices"][0]["delta"]["content"].as_str()?.to_owned()))
        .collect();
    (said, lines.ends_with("data: [DONE]\n\n"))
}

#[tokio::test]
async fn a_text_is_streamed_and_always_the_same() {
    let fixture = Fixture::start().await;
    let first = ask(&fixture, "sk-stillpoint", &question("bir yürüyüş")).await;
    assert_eq!(first.headers()["content-type"], "text/event-stream");
    let first = received(first).await;
    assert!(first.1 && first.0.contains("sevgi"), "{first:?}");
    let again = received(ask(&fixture, "sk-stillpoint", &question("bir yürüyüş")).await).await;
    assert_eq!(again, first);

    let mut unstreamed = question("bir yürüyüş");
    unstreamed["stream"] = false.into();
    let whole: Value = ask(&fixture, "sk-stillpoint", &unstreamed)
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(whole["choices"][0]["message"]["content"], first.0.as_str());
}

#[tokio::test]
async fn errors_have_the_providers_bodies() {
    let fixture = Fixture::start().await;
    let wrong_key = ask(&fixture, "sk-other", &question("…")).await;
    assert_eq!(wrong_key.status().as_u16(), 401);
    let body: Value = wrong_key.json().await.unwrap();
    assert_eq!(body["error"]["code"], "invalid_api_key");
    for incomplete in [
        json!({"messages": [{"role": "user", "content": "?"}]}),
        json!({"model": "m", "messages": []}),
    ] {
        let refused = ask(&fixture, "sk-stillpoint", &incomplete).await;
        assert_eq!(refused.status().as_u16(), 400);
        let body: Value = refused.json().await.unwrap();
        assert_eq!(body["error"]["type"], "invalid_request_error");
    }
}

#[tokio::test]
async fn faults_apply_before_and_within_the_stream() {
    let fixture = Fixture::start().await;
    let script = |action| fixture.sandbox.faults().add(Fault::on("POST", PATH, action));
    for (status, code) in [(429, json!("rate_limit_exceeded")), (500, Value::Null)] {
        script(Action::Error {
            status,
            body: None,
            stored: None,
        });
        let answer = ask(&fixture, "sk-stillpoint", &question("…")).await;
        assert_eq!(answer.status().as_u16(), status);
        assert_eq!(answer.json::<Value>().await.unwrap()["error"]["code"], code);
    }
    let whole = received(ask(&fixture, "sk-stillpoint", &question("…")).await).await;
    script(Action::DropAfterCommit {});
    let cut = received(ask(&fixture, "sk-stillpoint", &question("…")).await).await;
    assert!(!cut.1 && !cut.0.is_empty() && whole.0.starts_with(&cut.0) && cut.0.len() < whole.0.len());
    script(Action::DelayAfterCommit { ms: 200 });
    let began = Instant::now();
    assert_eq!(
        received(ask(&fixture, "sk-stillpoint", &question("…")).await).await,
        whole
    );
    assert!(began.elapsed() >= Duration::from_millis(200));
}

#[tokio::test]
async fn what_was_asked_is_in_the_journal_without_the_key() {
    let fixture = Fixture::start().await;
    received(ask(&fixture, "sk-stillpoint", &question("a walk")).await).await;
    let logged = &fixture.sandbox.requests()[0];
    assert_eq!(
        (logged.path.as_str(), &logged.params["messages"][1]["content"]),
        (PATH, &json!("a walk"))
    );
    assert!(!serde_json::to_string(logged).unwrap().contains("sk-stillpoint"));
}

use std::path::Path;
use std::process::Output;

use kit::testing::TestHost;
use tokio::process::Command;

use crate::fixture::{database, get, start};

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/content");

async fn content(host: &TestHost, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_content"))
        .args(arguments)
        .env("CONTENT_DATABASE_URL", host.database_url())
        .output()
        .await
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[tokio::test]
async fn publish_reaches_the_readers_and_the_listeners_of_a_running_service() {
    let (host, mut client) = start().await;
    let first = content(&host, &["publish", SHIPPED]).await;
    assert!(
        first.status.success() && said(&first).ends_with("24 published, 0 unchanged\n"),
        "{first:?}"
    );
    assert!(said(&first).contains("published ar/home.yaml\n"), "{first:?}");
    assert_eq!(get(&mut client, "/signin", "tr").await.content_locale, "tr");
    host.events("stillpoint.content.page.published", 21).await;
    host.events("stillpoint.content.chrome.published", 3).await;

    let again = content(&host, &["publish", SHIPPED]).await;
    assert!(said(&again).ends_with("0 published, 24 unchanged\n"), "{again:?}");
}

#[tokio::test]
async fn a_directory_with_a_fault_is_not_published_at_all() {
    let (host, _client) = start().await;
    let dir = std::env::temp_dir().join(format!("stillpoint-cli-{}", std::process::id()));
    copy(Path::new(SHIPPED), &dir);
    std::fs::write(
        dir.join("en/extra.yaml"),
        "urlPath: /extra\ntemplate: Poster\nseo: {}\nsections: []\n",
    )
    .unwrap();
    let dir_name = dir.to_str().unwrap();

    for verb in ["lint", "publish"] {
        let output = content(&host, &[verb, dir_name]).await;
        assert!(!output.status.success(), "{verb}");
        for fault in [
            "en/extra.yaml: template: ",
            "en/extra.yaml: seo.title: ",
            "en/extra.yaml: sections: ",
        ] {
            assert!(
                said(&output).contains(fault),
                "{verb}: {fault} is not in {}",
                said(&output)
            );
        }
    }
    let pages: i64 = sqlx::query_scalar("select count(*) from page")
        .fetch_one(&mut database(&host).await)
        .await
        .unwrap();
    assert_eq!(pages, 0);
    std::fs::remove_dir_all(&dir).unwrap();
}

#[tokio::test]
async fn a_verb_without_its_directory_says_how_to_use_it() {
    let (host, _client) = start().await;
    let output = content(&host, &["lint"]).await;
    assert_eq!(output.status.code(), Some(64));
    assert!(String::from_utf8_lossy(&output.stderr).contains("content lint <directory>"));
    let nowhere = content(&host, &["lint", "/no/such/place"]).await;
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("/no/such/place"));
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

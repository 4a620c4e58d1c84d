use std::path::{Path, PathBuf};
use std::process::Output;
use std::{env, fs};

use kit::testing::TestHost;
use tokio::process::Command;

use crate::fixture::{Client, get, heading, page, publish, run, start};

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/content");
const LOCALES: [&str; 14] = [
    "en", "es", "fr", "ja", "ko", "pt", "ru", "tr", "it", "de", "ar", "pl", "az", "da",
];

/// A directory of content that goes away with the test.
struct Dir(PathBuf);

impl Dir {
    fn empty(name: &str) -> Self {
        let dir = env::temp_dir().join(format!("stillpoint-cli-{}-{name}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    /// Navigation and footer everywhere, one page in English and Turkish, and a record.
    fn site(name: &str) -> Self {
        let dir = Self::empty(name);
        for locale in LOCALES {
            for chrome in ["navigation", "footer"] {
                let logo = "logo: { url: /favicon.svg, alt: Stillpoint }\n";
                dir.write(&format!("{locale}/{chrome}.yaml"), logo);
            }
        }
        dir.page("calm");
        dir.write(
            "tr/calm.yaml",
            "translationOf: en\nsections: { top: { text: Sakin } }\n",
        );
        let hero = "componentName: HeroComponent\nsection: { componentName: Heading, text: Breathe }\n";
        dir.write("en/records/hero.yaml", hero);
        dir
    }

    fn page(&self, text: &str) {
        let page = format!(
            "urlPath: /calm\ntemplate: Page\nseo: {{ title: Calm }}\nsections:\n\
             \x20 - {{ componentName: Heading, id: top, tag: h1, text: \"{text}\" }}\n\
             \x20 - {{ componentName: MarkdownText, markdown: \"*Two*: lines\\n\\n- of text\" }}\n"
        );
        self.write("en/calm.yaml", &page);
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

async fn content(host: &TestHost, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_content"))
        .args(arguments)
        .env("CONTENT_DATABASE_URL", host.database_url())
        .output()
        .await
        .unwrap()
}

/// What a command that ends well says.
async fn good(host: &TestHost, arguments: &[&str]) -> String {
    let output = content(host, arguments).await;
    assert!(output.status.success(), "{output:?}");
    said(&output)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

async fn text_of(client: &mut Client, locale: &str) -> String {
    heading(&get(client, "/calm", locale).await)
}

#[tokio::test]
async fn publish_reaches_the_readers_and_the_listeners_of_a_running_service() {
    let (host, mut client) = start().await;
    let dir = Dir::site("publish");
    let first = good(&host, &["publish", dir.name()]).await;
    assert!(first.ends_with("17 published, 0 unchanged\n"), "{first}");
    assert!(first.contains("published tr/calm.yaml\n"), "{first}");
    assert_eq!(text_of(&mut client, "tr").await, "Sakin");
    assert_eq!(text_of(&mut client, "de").await, "calm");
    host.events("stillpoint.content.page.published", 2).await;
    host.events("stillpoint.content.chrome.published", 14).await;

    let again = good(&host, &["publish", dir.name()]).await;
    assert_eq!(again, "0 published, 17 unchanged\n");
}

#[tokio::test]
async fn only_what_is_named_is_published() {
    let (host, mut client) = start().await;
    let dir = Dir::site("only");
    let said = good(
        &host,
        &["publish", dir.name(), "--only", "tr/calm.yaml", "--only", "ar"],
    )
    .await;
    assert_eq!(
        said,
        "published ar/navigation.yaml\npublished tr/calm.yaml\n2 published, 0 unchanged\n"
    );
    assert_eq!(text_of(&mut client, "tr").await, "Sakin");
}

#[tokio::test]
async fn a_directory_with_an_error_is_not_published_at_all() {
    let (host, mut client) = start().await;
    let dir = Dir::site("error");
    dir.write(
        "en/extra.yaml",
        "urlPath: /extra\ntemplate: Poster\nseo: {}\nsections: []\n",
    );
    let output = content(&host, &["publish", dir.name()]).await;
    assert_eq!(output.status.code(), Some(1));
    for error in [
        "en/extra.yaml:2: template: ",
        "en/extra.yaml:3: seo.title: ",
        "en/extra.yaml:4: sections: ",
        "nothing was published",
    ] {
        assert!(
            said(&output).contains(error),
            "{error} is not in {}",
            said(&output)
        );
    }
    let listed = client
        .list_pages(proto::content::v1::ListPagesRequest::default())
        .await;
    assert_eq!(listed.unwrap().into_inner().pages, []);
}

#[tokio::test]
async fn diff_lists_field_by_field_what_publish_would_change() {
    let (host, mut client) = start().await;
    let dir = Dir::site("diff");
    good(&host, &["publish", dir.name()]).await;
    publish(&mut client, page("/other", "de", "other")).await;
    let same = good(&host, &["diff", dir.name()]).await;
    assert_eq!(
        same,
        "de /other: only published; publishing the directory leaves it as it is\n\
         0 new, 0 changed, 17 unchanged, 1 only published\n"
    );

    dir.page("quiet");
    dir.write(
        "de/calm.yaml",
        "translationOf: en\nsections: { top: { text: Ruhig } }\n",
    );
    let diff = good(&host, &["diff", dir.name()]).await;
    assert!(diff.contains("de/calm.yaml (de /calm): new\n"), "{diff}");
    assert!(
        diff.contains("en/calm.yaml (en /calm):\n  ~ sections[top].text: calm → quiet\n"),
        "{diff}"
    );
    assert!(
        diff.ends_with("1 new, 1 changed, 16 unchanged, 1 only published\n"),
        "{diff}"
    );
}

#[tokio::test]
async fn a_scheduled_file_waits_for_its_time() {
    let (host, mut client) = start().await;
    let dir = Dir::site("schedule");
    good(&host, &["publish", dir.name()]).await;
    dir.page("quiet");
    let file = dir.file("en/calm.yaml");
    let at = ["--at", "2090-12-01T09:00", "--zone", "Europe/Istanbul"];
    let output = good(&host, &[&["schedule", &file][..], &at].concat()).await;
    let start = "en/calm.yaml goes live 2090-12-01T09:00 Europe/Istanbul (2090-12-01T06:00Z), sch_";
    assert!(output.starts_with(start), "{output}");
    assert_eq!(text_of(&mut client, "en").await, "calm");

    let nowhere = content(
        &host,
        &[
            "schedule",
            &file,
            "--at",
            "2090-12-01T09:00",
            "--zone",
            "Mars/Olympus",
        ],
    )
    .await;
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&nowhere.stderr).contains("IANA"),
        "{nowhere:?}"
    );

    dir.page("silent");
    let other = content(&host, &[&["schedule", &file][..], &at].concat()).await;
    assert!(
        String::from_utf8_lossy(&other.stderr).contains("has an open draft"),
        "{other:?}"
    );
}

#[tokio::test]
async fn what_is_exported_is_good_and_is_found_unchanged() {
    let (host, _client) = start().await;
    let dir = Dir::site("export-from");
    good(&host, &["publish", dir.name()]).await;
    let out = Dir::empty("export-to");
    assert_eq!(good(&host, &["export", out.name()]).await, "31 files written\n");
    good(&host, &["lint", out.name()]).await;
    assert_eq!(
        good(&host, &["publish", out.name()]).await,
        "0 published, 17 unchanged\n"
    );

    let one = Dir::empty("export-one");
    let output = good(&host, &["export", one.name(), "--locale", "tr"]).await;
    assert_eq!(output, "3 files written\n");
    assert!(one.0.join("tr/calm.yaml").exists());
}

#[tokio::test]
async fn the_site_we_ship_has_no_error() {
    let lint = Command::new(env!("CARGO_BIN_EXE_content"))
        .args(["lint", SHIPPED, "--format", "json"])
        .output()
        .await
        .unwrap();
    let findings: Vec<serde_json::Value> = serde_json::from_slice(&lint.stdout).unwrap();
    let errors = findings.iter().filter(|finding| finding["severity"] == "error");
    let errors: Vec<&serde_json::Value> = errors.collect();
    assert!(errors.is_empty() && lint.status.success(), "{errors:#?}");
}

/// Every block and every letter of the site we ship survives the way out and back.
#[tokio::test]
async fn the_site_we_ship_is_exported_and_found_unchanged() {
    let host = TestHost::start_for(&[content::definition()])
        .await
        .with_env([("CONTENT_SEED_DIR", SHIPPED)]);
    run(&host).await;
    let out = Dir::empty("export-shipped");
    good(&host, &["export", out.name()]).await;
    let diff = good(&host, &["diff", out.name()]).await;
    assert!(diff.starts_with("0 new, 0 changed, "), "{diff}");
    assert!(diff.ends_with(" unchanged, 0 only published\n"), "{diff}");
}

#[tokio::test]
async fn a_verb_without_its_directory_says_how_to_use_it() {
    let (host, _client) = start().await;
    let output = content(&host, &["lint"]).await;
    assert_eq!(output.status.code(), Some(64));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("Usage: content lint"),
        "{output:?}"
    );
    let nowhere = content(&host, &["lint", "/no/such/place"]).await;
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("/no/such/place"));
    assert!(!Path::new("/no/such/place").exists());
}

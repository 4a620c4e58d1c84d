use std::fs;
use std::path::{Path, PathBuf};

use kit::testing::TestHost;
use proto::content::v1::{GetChromeRequest, ListPagesRequest};

use crate::fixture::{Client, get, heading, page, publish, run, start, try_get};

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/content");
const CHROME: &str = "logo: { url: /favicon.svg, alt: Stillpoint }\n";

/// A directory of content that goes away with the test.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("stillpoint-seed-{}-{name}", std::process::id()));
        fs::create_dir_all(dir.join("en")).unwrap();
        let dir = Self(dir);
        dir.write("en/navigation.yaml", CHROME);
        dir.write("en/footer.yaml", CHROME);
        dir
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).unwrap();
    }

    fn page(&self, name: &str, text: &str) {
        let yaml = format!(
            "urlPath: /{name}\ntemplate: Page\nseo: {{ title: T }}\nsections:\n  - componentName: Heading\n    text: {text}\n"
        );
        self.write(&format!("en/{name}.yaml"), &yaml);
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

async fn start_with(dir: &Path) -> (TestHost, Client) {
    let host = TestHost::start_for(&[content::definition()])
        .await
        .with_env([("CONTENT_SEED_DIR", dir.to_str().unwrap())]);
    let client = run(&host).await;
    (host, client)
}

#[tokio::test]
async fn the_content_we_ship_is_there_after_a_start() {
    let (_host, mut client) = start_with(Path::new(SHIPPED)).await;
    for locale in ["en", "tr", "ar"] {
        for path in [
            "/",
            "/signup",
            "/signin",
            "/payment/monthly",
            "/payment/annual",
            "/success-page",
            "/404",
        ] {
            let page = get(&mut client, path, locale).await;
            assert_eq!(page.content_locale, locale, "{path}");
            assert!(page.available_locales.contains(&locale.to_owned()), "{path}");
        }
        client
            .get_chrome(GetChromeRequest {
                locale: locale.to_owned(),
            })
            .await
            .unwrap();
    }
    let home = get(&mut client, "/", "tr").await;
    let has = |kind: &str| home.sections.iter().any(|block| block.component_name == kind);
    assert!(
        has("Hero") && has("PlanList"),
        "a translation has what the English page has"
    );
}

#[tokio::test]
async fn a_second_start_publishes_only_what_changed_in_the_files() {
    let dir = Dir::new("second-start");
    dir.page("one", "first");
    dir.page("two", "first");
    let (host, mut client) = start_with(&dir.0).await;
    let before = get(&mut client, "/one", "en").await.snapshot_id;

    dir.page("two", "second");
    run(&host).await;
    assert_eq!(get(&mut client, "/one", "en").await.snapshot_id, before);
    assert_eq!(heading(&get(&mut client, "/two", "en").await), "second");
    let events = host.events("stillpoint.content.page.published", 3).await;
    assert_eq!(events[2].data["urlPath"], "/two");
}

#[tokio::test]
async fn what_an_editor_published_since_survives_a_restart() {
    let dir = Dir::new("editor");
    dir.page("one", "seed_import");
    let (host, mut client) = start_with(&dir.0).await;
    publish(&mut client, page("/one", "en", "edited")).await;
    run(&host).await;
    assert_eq!(heading(&get(&mut client, "/one", "en").await), "edited");
}

#[tokio::test]
async fn a_file_with_an_error_keeps_no_other_from_going_live() {
    let dir = Dir::new("fault");
    dir.page("one", "fine");
    dir.write(
        "en/two.yaml",
        "urlPath: /two\ntemplate: Poster\nseo: { title: T }\nsections: []\n",
    );
    dir.write("en/three.yaml", "urlPath: [\n");
    let (_host, mut client) = start_with(&dir.0).await;
    assert_eq!(heading(&get(&mut client, "/one", "en").await), "fine");
    assert!(try_get(&mut client, "/two", "en").await.is_err());
}

#[tokio::test]
async fn without_a_directory_nothing_is_seeded() {
    let (_host, mut client) = start().await;
    assert_eq!(
        client
            .list_pages(ListPagesRequest::default())
            .await
            .unwrap()
            .into_inner()
            .pages,
        []
    );
}

//! The cost of reading one page on a site of 100,000 pages in 14 locales.
//!
//! SQL writes the pages straight into content's tables, without validation and events,
//! for measuring only. Each is a copy of a published page with its own address.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use sqlx::{Connection as _, PgConnection};

use crate::cases::{BURST, CONNECTIONS, Figures, WARM_UP, measure, median};
use crate::load::Load;
use crate::target::Target;

const LOCALES: [&str; 14] = [
    "en", "es", "fr", "ja", "ko", "pt", "ru", "tr", "it", "de", "ar", "pl", "az", "da",
];
const FEW: u32 = 100;
const MANY: u32 = 100_000;
/// The most a published page may take to be visible.
const VISIBLE_WITHIN: Duration = Duration::from_secs(10);
const SETTLED_WITHIN: Duration = Duration::from_mins(1);
/// An idle Stillpoint uses about a third of it.
const QUIET_MILLIS_PER_SEC: u64 = 60;

const SNAPSHOTS: &str = "
    insert into content.snapshot (id, locale, document, created_at, item, version, block_types)
    select uuidv7(), spoken.locale,
           replace(replace(model.document, '\"urlPath\":\"/success-page\"', '\"urlPath\":\"/scale/' || number || '\"'),
                   '\"contentLocale\":\"en\"', '\"contentLocale\":\"' || spoken.locale || '\"'),
           now(), 'page:/scale/' || number, 1, model.block_types
    from (select snapshot.document, snapshot.block_types
          from content.page join content.snapshot on snapshot.id = page.snapshot_id
          where page.url_path = '/success-page' and page.locale = 'en') as model,
         generate_series($1::int, $2::int) as number, unnest($3::text[]) as spoken (locale)";
const PAGES: &str = "
    insert into content.page (url_path, locale, snapshot_id, content_hash, template, page_type, noindex, published_at)
    select substr(item, 6), locale, id, sha256(convert_to(document, 'UTF8')), 'Page', 'scale', false, created_at
    from content.snapshot where item like 'page:/scale/%' on conflict do nothing";
const LOCALES_OF_PAGES: &str = "
    insert into content.page_locales
    select '/scale/' || number, $3::text[] from generate_series($1::int, $2::int) as number";

pub struct Scale {
    pub few: Figures,
    /// The same pages on the larger site.
    pub many: Figures,
    /// Random pages of the larger site, mostly uncached.
    pub anywhere: Figures,
    pub filled_secs: u64,
    pub visible_millis: u128,
}

pub async fn measure_scale(target: &Target, turns: usize) -> Result<Scale> {
    fill(&target.database_url, 1, FEW).await?;
    settle(target).await;
    let few = read(target, "page of 100 × 14", FEW, turns)?;
    let began = Instant::now();
    fill(&target.database_url, FEW + 1, MANY).await?;
    let filled_secs = began.elapsed().as_secs();
    settle(target).await;
    let many = read(target, "the same beside 100,000 × 14", FEW, turns)?;
    let anywhere = read(target, "any page of 100,000 × 14", MANY, turns)?;
    let visible_millis = publish_and_poll(target).await?;
    Ok(Scale {
        few,
        many,
        anywhere,
        filled_secs,
        visible_millis,
    })
}

/// Waits: events of earlier cases and the filling would count as reading.
async fn settle(target: &Target) {
    let give_up_at = Instant::now() + SETTLED_WITHIN;
    let busy_millis = || {
        let (own, stores) = target.cpu();
        own + stores
    };
    let mut before = busy_millis();
    while Instant::now() < give_up_at {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = busy_millis();
        if now - before < QUIET_MILLIS_PER_SEC {
            return;
        }
        before = now;
    }
}

async fn fill(database_url: &str, first: u32, last: u32) -> Result<()> {
    let mut database = PgConnection::connect(database_url).await?;
    // Foreign keys hold by construction; checking each of them would take longer than all the rest.
    sqlx::query("set session_replication_role = replica")
        .execute(&mut database)
        .await?;
    for statement in [SNAPSHOTS, LOCALES_OF_PAGES] {
        sqlx::query(statement)
            .bind(i32::try_from(first)?)
            .bind(i32::try_from(last)?)
            .bind(LOCALES.as_slice())
            .execute(&mut database)
            .await?;
    }
    sqlx::query(PAGES).execute(&mut database).await?;
    for table in ["snapshot", "page", "page_locales"] {
        let vacuum = sqlx::AssertSqlSafe(format!("vacuum (analyze) content.{table}"));
        sqlx::query(vacuum).execute(&mut database).await?;
    }
    sqlx::query("checkpoint").execute(&mut database).await?;
    Ok(database.close().await?)
}

/// Random pages, without the response cache; the median turn.
fn read(target: &Target, name: &'static str, pages: u32, turns: usize) -> Result<Figures> {
    let url = format!("{}/graphql", target.gateway_url);
    let authorization = format!("Bearer {}", target.content_token);
    let headers = [
        ("Content-Type", "application/json"),
        ("Authorization", authorization.as_str()),
        ("Cache-Control", "no-cache"),
    ];
    let script = random_pages(pages);
    let load = Load {
        url: &url,
        connections: CONNECTIONS,
        duration: BURST,
        headers: &headers,
        script: Some(&script),
    };
    Load {
        duration: WARM_UP,
        ..load
    }
    .run()?;
    let turns: Result<Vec<Figures>> = (0..turns)
        .map(|_| measure(name, || target.cpu(), &load))
        .collect();
    median(turns?)
}

fn random_pages(pages: u32) -> String {
    let locales = LOCALES.map(|locale| format!("\"{locale}\"")).join(", ");
    let before = r#"{"query":"query($urlPath: String!, $locale: String!) { page(urlPath: $urlPath, locale: $locale) { template availableLocales seo { title description } sections { id componentName ... on SuccessPage { title } } } }","variables":{"urlPath":"/scale/"#;
    format!(
        "local locales = {{{locales}}}
math.randomseed(os.time())
wrk.method = \"POST\"
function request()
  local body = [==[{before}]==] .. math.random(1, {pages}) .. '\",\"locale\":\"' .. locales[math.random(14)] .. '\"}}}}'
  return wrk.format(\"POST\", nil, nil, body)
end
function response(status, headers, body)
  if not body:find('\"sections\":[{{', 1, true) then print(\"not a page: \" .. body) os.exit(1) end
end
"
    )
}

/// Milliseconds from publishing a page by command line until a visitor gets it.
async fn publish_and_poll(target: &Target) -> Result<u128> {
    let client = reqwest::Client::new();
    let address = format!("{}/en/bench-visible/", target.gateway_url);
    let folder = std::env::temp_dir().join(format!("stillpoint-visible-{}", std::process::id()));
    copy(&target.content_folder, &folder)?;
    let visible = async {
        publish(target, &folder, "Before").context("publishing a page")?;
        poll(&client, &address, "Before").await?;
        publish(target, &folder, "After").context("publishing a page again")?;
        let published = Instant::now();
        poll(&client, &address, "After").await?;
        Ok(published.elapsed().as_millis())
    }
    .await;
    fs::remove_dir_all(&folder)?;
    visible
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn publish(target: &Target, folder: &Path, title: &str) -> Result<()> {
    const FILE: &str = "en/bench-visible.yaml";
    let page = format!(
        "urlPath: /bench-visible\ntemplate: Page\nseo:\n  title: {title} it is seen\n  description: A page to be seen.\n\
         sections:\n  - id: heading\n    componentName: Heading\n    text: {title} it is seen\n    tag: h1\n"
    );
    fs::write(folder.join(FILE), page)?;
    let output = Command::new(&target.content_program)
        .args(["publish", "--only", FILE])
        .arg(folder)
        .output()
        .context("the content program could not be started")?;
    ensure!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

async fn poll(client: &reqwest::Client, address: &str, wanted: &str) -> Result<()> {
    let give_up_at = Instant::now() + VISIBLE_WITHIN;
    while Instant::now() < give_up_at {
        let page = client.get(address).send().await?.text().await?;
        if page.contains(&format!("{wanted} it is seen")) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    anyhow::bail!(
        "{address} does not show \"{wanted}\" after {} seconds",
        VISIBLE_WITHIN.as_secs()
    )
}

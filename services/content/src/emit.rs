//! What the rest of the house hears of.

use kit::clock::Clock;
use kit::outbox::{self, Draft};
use proto::events::v1::{ChromePublished, PagePublished};
use sqlx::PgConnection;

use crate::domain::{ReadyChrome, ReadyPage, SnapshotId};
use crate::error::Error;

pub async fn page_published(
    connection: &mut PgConnection,
    clock: &Clock,
    page: &ReadyPage,
    snapshot: SnapshotId,
) -> Result<(), Error> {
    let data = PagePublished {
        url_path: page.url_path.to_string(),
        locale: page.locale.to_string(),
        template: page.template.to_string(),
        snapshot_id: snapshot.to_string(),
    };
    let key = format!("{}:{}", page.locale, page.url_path);
    let draft = Draft::new("stillpoint.content.page.published", key, &data)?.lang(page.locale.code());
    outbox::append(connection, clock, draft).await?;
    Ok(())
}

pub async fn chrome_published(
    connection: &mut PgConnection,
    clock: &Clock,
    chrome: &ReadyChrome,
) -> Result<(), Error> {
    let data = ChromePublished {
        locale: chrome.locale.to_string(),
    };
    let draft =
        Draft::new("stillpoint.content.chrome.published", chrome.locale, &data)?.lang(chrome.locale.code());
    outbox::append(connection, clock, draft).await?;
    Ok(())
}

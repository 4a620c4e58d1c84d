use kit::error::{Failure, Kind};
use proto::content::v1::{GetRecordRequest, GetRecordResponse};
use serde_json::json;

use crate::fixture::{Client, answer, database, fields, record, start};
use crate::publishing::publish_record::hero;

pub async fn read(
    client: &mut Client,
    kind: &str,
    id: &str,
    locale: &str,
) -> Result<GetRecordResponse, Failure> {
    let request = GetRecordRequest {
        kind: kind.to_owned(),
        id: id.to_owned(),
        locale: locale.to_owned(),
    };
    answer(client.get_record(request).await)
}

#[tokio::test]
async fn what_is_no_record_is_not_found_and_what_is_invalid_refused() {
    let (_host, mut client) = start().await;
    for (kind, id) in [
        ("HeroComponent", "home"),
        ("Hero", "home"),
        ("HeroComponent", "a b"),
    ] {
        let failure = read(&mut client, kind, id, "en").await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (Kind::NotFound, "RECORD_NOT_FOUND")
        );
    }
    let wrong = record(
        "HeroComponent",
        "a b",
        "xx",
        &json!({"section": {"componentName": "Hologram"}}),
    );
    let failure = answer(client.publish_record(wrong).await).unwrap_err();
    assert_eq!(failure.kind, Kind::Invalid);
    assert_eq!(fields(&failure)[..2], ["locale", "id"]);
    assert!(fields(&failure)[2].starts_with("record.section"), "{failure:?}");
}

#[tokio::test]
async fn a_record_that_cannot_be_read_any_more_is_not_there() {
    let (host, mut client) = start().await;
    client
        .publish_record(record("HeroComponent", "home", "en", &hero("Breathe")))
        .await
        .unwrap();
    sqlx::raw_sql(
        "alter table snapshot disable trigger snapshot_immutable;
         update snapshot set document = replace(document, 'Heading', 'Hologram')",
    )
    .execute(&mut database(&host).await)
    .await
    .unwrap();
    let failure = read(&mut client, "HeroComponent", "home", "en")
        .await
        .unwrap_err();
    assert_eq!(failure.code, "RECORD_NOT_FOUND");
}

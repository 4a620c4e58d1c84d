use chrono::TimeDelta;
use kit::error::Kind;
use proto::content::v1::RevokePreviewRequest;
use proto::content::v1::draft_body::Content;

use crate::editing::get_preview::{create, look};
use crate::fixture::{page, save, start_editing};

#[tokio::test]
async fn a_token_works_until_it_expires_or_is_revoked() {
    let (host, mut client, mut editor) = start_editing().await;
    save(&mut editor, Content::Page(page("/calm", "en", "calm")), 0).await;
    let revoked = create(&mut editor, 600).await.unwrap();
    let expiring = create(&mut editor, 600).await.unwrap();
    assert_ne!(revoked.token, expiring.token);
    let request = RevokePreviewRequest {
        preview_id: revoked.preview_id,
    };
    editor.revoke_preview(request).await.unwrap();
    let gone = look(&mut client, &revoked.token).await.unwrap_err();
    assert_eq!(
        (gone.kind, gone.code.as_str()),
        (Kind::NotFound, "PREVIEW_NOT_FOUND")
    );

    host.clock().advance(TimeDelta::seconds(599));
    assert!(look(&mut client, &expiring.token).await.is_ok());
    host.clock().advance(TimeDelta::seconds(1));
    let expired = look(&mut client, &expiring.token).await.unwrap_err();
    assert_eq!(expired, gone, "expired and revoked are not distinguished");
    assert_eq!(look(&mut client, "").await.unwrap_err(), gone);
}

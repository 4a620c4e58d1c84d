use crate::fixture::Analytics;
use crate::member_events::{ADA, GRACE, exported, publish_history};

#[tokio::test]
async fn export_contains_only_the_members_events() {
    let analytics = Analytics::start().await;
    publish_history(&analytics).await;
    let mut names = exported(&analytics, ADA).await;
    names.sort();
    let expected = [
        "stillpoint.auth.user.registered",
        "stillpoint.checkout.survey_order.created",
        "stillpoint.web.pageload",
    ];
    assert_eq!(names, expected);
    assert_eq!(exported(&analytics, GRACE).await.len(), 2);
}

use proto::export::v1::SessionsExport;

use crate::test_env::{TestEnv, question};

#[tokio::test]
async fn export_is_empty_because_replies_hold_no_member_id() {
    let env = TestEnv::start().await;
    env.read_all(question("k")).await;
    assert_eq!(
        env.export_member("usr_0192f0c0a0007000800000000000000a").await,
        SessionsExport {}
    );
}

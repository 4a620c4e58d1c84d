//! `GetWithdrawal`: the declaration, for the mail that confirms it.

use kit::error::Failure;
use proto::checkout::v1::{GetWithdrawalRequest, GetWithdrawalResponse};

use crate::privacy::declare_withdrawal::{ada, declare};
use crate::support::test_env::TestEnv;

pub async fn found(env: &TestEnv, id: &str) -> Result<GetWithdrawalResponse, String> {
    let request = GetWithdrawalRequest {
        withdrawal_id: id.into(),
    };
    let answered = env.checkout.clone().get_withdrawal(request).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status).code)
}

#[tokio::test]
async fn declaration_is_found_by_its_id_alone() {
    let env = TestEnv::start().await;
    let declared = declare(&env, ada()).await.unwrap();
    let kept = found(&env, &declared.withdrawal_id).await.unwrap();
    assert_eq!(
        (
            kept.full_name.as_str(),
            kept.email.as_str(),
            kept.reference.as_str()
        ),
        ("Ada Lovelace", "ada@example.com", "ord_1")
    );
    let stranger = "wdr_0192f0c0a0007000800000000000000a";
    assert_eq!(found(&env, stranger).await, Err("UNKNOWN_WITHDRAWAL".into()));
}

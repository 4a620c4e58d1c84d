//! `CreateSurveyPlaylist`: once, of a paid survey with a program.

use kit::error::Failure;
use proto::checkout::v1::{CreateSurveyOrderResponse, CreateSurveyPlaylistRequest, SaveSurveyAnswersRequest};

use crate::support::fake_provider::APPROVED;
use crate::support::test_env::{MEMBER, TestEnv};
use crate::surveys::calls::{begin, read, save, saved};

#[tokio::test]
async fn playlist_is_created_once_for_a_paid_survey() {
    let env = TestEnv::start().await;
    let (order, other) = (begin(&env, 79).await, begin(&env, 78).await);
    let playlist = async |order: &CreateSurveyOrderResponse| {
        let request = CreateSurveyPlaylistRequest {
            user_id: MEMBER.into(),
            order_id: order.order_id.clone(),
        };
        let answered = env.checkout.clone().create_survey_playlist(request).await;
        answered
            .map(|answer| answer.into_inner().playlist_id)
            .map_err(|status| Failure::from_status(&status).code)
    };
    let with_program = SaveSurveyAnswersRequest {
        user_id: MEMBER.into(),
        program: "sleep".into(),
        ..save(&order, &[("nights", &["slowly"])])
    };
    saved(&env, with_program.clone()).await.unwrap();
    assert_eq!(playlist(&order).await.unwrap_err(), "ORDER_UNPAID");
    env.buy("web-monthly", APPROVED).await.unwrap();
    let made = playlist(&order).await.unwrap();
    assert!(made.starts_with("pls_"), "{made}");
    assert_eq!(playlist(&order).await.unwrap(), made);
    assert_eq!(playlist(&other).await.unwrap_err(), "NO_PLAYLIST");
    let event = env.events("survey_playlist.created", 1).await.remove(0);
    assert_eq!(event.data["playlistId"], made);
    assert_eq!(event.data["surveyOrderId"], order.order_id);

    let later = SaveSurveyAnswersRequest {
        program: "focus".into(),
        ..with_program
    };
    saved(&env, later).await.unwrap();
    assert_eq!(read(&env, "", "", MEMBER).await.unwrap().program, "sleep");
}

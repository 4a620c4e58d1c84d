//! Events of survey orders.

use kit::clock::Clock;
use kit::outbox::{self, NewEvent};
use proto::common::v1::Tracking;
use proto::events::{Event, v1 as events};
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PlaylistId, UserId};
use crate::domain::survey::survey_answers::Survey;
use crate::domain::survey::survey_order::SurveyOrder;
use crate::error::Result;

pub async fn created(tx: &mut PgConnection, clock: &Clock, survey: &SurveyOrder) -> Result<()> {
    let terms = &survey.terms;
    let data = events::SurveyOrderCreated {
        survey_order_id: survey.survey_order_id.to_string(),
        flow: Some(terms.flow),
        variant: Some(terms.variant),
        ab_group: terms.ab_group.clone().unwrap_or_default(),
        product_type: terms.product_type.clone(),
        tracking: Some(Tracking {
            parameters: terms.tracking.clone(),
        }),
    };
    append(tx, clock, survey, &data).await
}

pub async fn claimed(
    tx: &mut PgConnection,
    clock: &Clock,
    survey: &SurveyOrder,
    user_id: &UserId,
) -> Result<()> {
    let data = events::SurveyOrderClaimed {
        survey_order_id: survey.survey_order_id.to_string(),
        user_id: user_id.to_string(),
    };
    append(tx, clock, survey, &data).await
}

pub async fn paid(
    tx: &mut PgConnection,
    clock: &Clock,
    survey: &SurveyOrder,
    user_id: &UserId,
    order_id: OrderId,
) -> Result<()> {
    let data = events::SurveyOrderPaid {
        survey_order_id: survey.survey_order_id.to_string(),
        user_id: user_id.to_string(),
        order_id: order_id.to_string(),
        variant: Some(survey.terms.variant),
    };
    append(tx, clock, survey, &data).await
}

pub async fn playlist_created(
    tx: &mut PgConnection,
    clock: &Clock,
    survey: &Survey,
    playlist_id: PlaylistId,
) -> Result<()> {
    let data = events::SurveyPlaylistCreated {
        survey_order_id: survey.survey_order_id.to_string(),
        playlist_id: playlist_id.to_string(),
    };
    let draft = NewEvent::new(survey.survey_order_id, &data)?
        .lang(&survey.language)
        .country(&survey.country);
    outbox::append(tx, clock, draft).await?;
    Ok(())
}

async fn append(tx: &mut PgConnection, clock: &Clock, survey: &SurveyOrder, data: &impl Event) -> Result<()> {
    let draft = NewEvent::new(survey.survey_order_id, data)?
        .lang(&survey.terms.language)
        .country(&survey.terms.country);
    outbox::append(tx, clock, draft).await?;
    Ok(())
}

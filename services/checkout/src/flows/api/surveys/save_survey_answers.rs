//! Stores survey answers with their order. A repeated question is overwritten; the others stay.

use kit::clock::Clock;
use kit::erasure::is_tombstoned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use super::claim_survey_order::claim_survey_order;
use crate::domain::ids::{SurveyOrderId, UserId};
use crate::domain::survey::survey_answers::{Answers, Caller, Survey};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::survey::survey_answers;

/// The caller: a member, the browser that began the survey, or both.
#[derive(Debug)]
pub struct Asker {
    pub user_id: Option<UserId>,
    pub access_key: AccessKey,
}

/// The key of a survey order as the browser holds it; empty where it has none.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct AccessKey(pub String);

#[derive(Debug)]
pub struct SaveSurveyAnswers {
    pub survey_order_id: SurveyOrderId,
    pub asker: Asker,
    pub answers: Answers,
    /// The programme that was suggested.
    pub program: Option<String>,
}

impl AccessKey {
    pub fn random() -> Self {
        Self(hex::encode(rand::random::<[u8; 32]>()))
    }

    /// 256 random bits need no slow hash.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl std::fmt::Debug for AccessKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("AccessKey(…)")
    }
}

impl Asker {
    pub fn has_key(&self, survey: &Survey) -> bool {
        !self.access_key.0.is_empty() && survey.has_key(&self.access_key.hash())
    }

    /// An order that is not open to the asker is not there for them.
    pub fn open(&self, survey: Option<Survey>) -> Result<Survey> {
        let survey = survey.ok_or(Error::UnknownOrder)?;
        let caller = Caller {
            user_id: self.user_id.as_ref(),
            has_key: self.has_key(&survey),
        };
        if survey.ownership.is_open_to(caller) {
            return Ok(survey);
        }
        Err(Error::UnknownOrder)
    }
}

pub async fn save_survey_answers(checkout: &Checkout, command: SaveSurveyAnswers) -> Result<()> {
    let SaveSurveyAnswers {
        survey_order_id: id,
        asker,
        answers,
        program,
    } = command;
    let mut tx = kit::database::begin(&checkout.pool).await?;
    if let Some(user_id) = &asker.user_id
        && is_tombstoned(&mut tx, &[user_id.to_string()]).await?
    {
        return Err(Error::MemberErased);
    }
    let survey = asker.open(survey_answers::lock(&mut tx, id).await?)?;
    take(&mut tx, &checkout.clock, &asker, &survey).await?;
    survey_answers::upsert(&mut tx, id, &answers, checkout.clock.now()).await?;
    Answers::fits(survey_answers::of_order(&mut tx, id).await?.len())?;
    if let Some(program) = program {
        survey_answers::set_program(&mut tx, id, &program).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// A member who holds the key has the order and its answers from now on.
async fn take(tx: &mut PgConnection, clock: &Clock, asker: &Asker, survey: &Survey) -> Result<()> {
    let Some(user_id) = &asker.user_id else {
        return Ok(());
    };
    if !asker.has_key(survey) {
        return Ok(());
    }
    claim_survey_order(tx, clock, user_id, survey.survey_order_id).await?;
    Ok(survey_answers::prove(tx, survey.survey_order_id).await?)
}

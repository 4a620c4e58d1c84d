//! Schedules the publication of a draft or release.

use kit::idempotency::{self, Key};
use sqlx::PgConnection;

use crate::domain::{LocalTime, Note, Schedule, ScheduleId, ScheduleState, Scheduled, ValidationError};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::store::{draft, release, schedule};

impl Flows {
    pub async fn schedule_publish(
        &self,
        what: Scheduled,
        local_time: &str,
        time_zone: &str,
        key: Option<Key>,
    ) -> Result<(Schedule, Option<Note>), Error> {
        let (time, note) = LocalTime::resolve(local_time, time_zone).map_err(Error::Invalid)?;
        let mut tx = kit::database::begin(&self.pool).await?;
        if let Some(id) = idempotency::claim::<_, Error>(&mut tx, &self.clock, key.as_ref()).await? {
            let found = schedule::find(&mut tx, id).await?;
            return Ok((found.ok_or(Error::NotFound(NotFoundKind::Schedule))?, note));
        }
        let now = self.clock.now();
        if time.at <= now {
            let message = format!(
                "is over: there it is {} in UTC",
                time.at.format("%Y-%m-%dT%H:%MZ")
            );
            return Err(Error::Invalid(vec![ValidationError::not_allowed(
                "localTime",
                message,
            )]));
        }
        must_be_there(&mut tx, &what).await?;
        let planned = Schedule {
            id: ScheduleId::new(now),
            what,
            local_time: time.local,
            time_zone: time.zone,
            at: time.at,
            state: ScheduleState::Pending,
            errors: Vec::new(),
        };
        schedule::insert(&mut tx, &planned, now).await?;
        idempotency::store(&mut tx, &self.clock, key.as_ref(), &planned.id).await?;
        tx.commit().await?;
        tracing::info!(schedule = %planned.id, at = %planned.at, "publish scheduled");
        Ok((planned, note))
    }
}

async fn must_be_there(connection: &mut PgConnection, what: &Scheduled) -> Result<(), Error> {
    match what {
        Scheduled::Draft(content_key) => {
            let state = draft::find(connection, content_key).await?;
            state.body.map(drop).ok_or(Error::NotFound(NotFoundKind::Draft))
        }
        Scheduled::Release(id) => match release::find(connection, *id).await? {
            None => Err(Error::NotFound(NotFoundKind::Release)),
            Some(release) if release.published_at.is_some() => Err(Error::ReleasePublished),
            Some(_) => Ok(()),
        },
    }
}

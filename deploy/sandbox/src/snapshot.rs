//! The sandbox's memory on disk: one JSON file, replaced whole, a little after each change and at the end.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::{paypal, platron, stripe, world::World, yookassa};

const FILE: &str = "sandbox.json";
const PAUSE_MIN: Duration = Duration::from_millis(300);

/// A memory of before a twin was there has nothing of it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    pub offset_ms: i64,
    pub stripe: stripe::books::Books,
    pub paypal: paypal::books::Books,
    pub yookassa: yookassa::books::Books,
    pub platron: platron::books::Books,
}

impl Snapshot {
    pub fn offset(&self) -> TimeDelta {
        TimeDelta::milliseconds(self.offset_ms)
    }
}

#[derive(Serialize)]
struct View<'a> {
    offset_ms: i64,
    stripe: &'a stripe::books::Books,
    paypal: &'a paypal::books::Books,
    yookassa: &'a yookassa::books::Books,
    platron: &'a platron::books::Books,
}

/// An absent file is an empty memory; a broken one is an error, so that nothing is lost silently.
pub fn load(directory: &Path) -> anyhow::Result<Snapshot> {
    let path = directory.join(FILE);
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
            anyhow::anyhow!(
                "{} is not readable ({error}); remove it to start afresh",
                path.display()
            )
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            std::fs::create_dir_all(directory)
                .map_err(|error| anyhow::anyhow!("cannot create {}: {error}", directory.display()))?;
            Ok(Snapshot::default())
        }
        Err(error) => Err(anyhow::anyhow!("cannot read {}: {error}", path.display())),
    }
}

pub async fn run(world: Arc<World>, directory: PathBuf, shutdown: CancellationToken) {
    let mut saved = None;
    loop {
        let began = Instant::now();
        saved = save_if_changed(&world, &directory, saved).await;
        // A large memory is written less often: at most a tenth of the time goes into it.
        let pause = PAUSE_MIN.max(began.elapsed() * 10);
        tokio::select! {
            () = shutdown.cancelled() => {
                save_if_changed(&world, &directory, saved).await;
                return;
            }
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// How far each twin's books and the clock were.
type Mark = ([u64; 4], TimeDelta);

async fn save_if_changed(world: &World, directory: &Path, saved: Option<Mark>) -> Option<Mark> {
    let offset = world.clock.offset();
    let (mark, bytes) = {
        let (stripe, paypal) = (world.twin.books(), world.paypal.books());
        let (yookassa, platron) = (world.yookassa.books(), world.platron.books());
        let revisions = [
            stripe.revision(),
            paypal.agenda.revision(),
            yookassa.agenda.revision(),
            platron.agenda.revision(),
        ];
        let mark = (revisions, offset);
        if saved == Some(mark) {
            return saved;
        }
        let view = View {
            offset_ms: offset.num_milliseconds(),
            stripe: &stripe,
            paypal: &paypal,
            yookassa: &yookassa,
            platron: &platron,
        };
        (mark, serde_json::to_vec(&view))
    };
    let written = match bytes {
        Ok(bytes) => replace(directory, &bytes).await.map_err(anyhow::Error::from),
        Err(error) => Err(error.into()),
    };
    match written {
        Ok(()) => Some(mark),
        Err(error) => {
            tracing::error!(%error, "the sandbox's memory could not be written");
            saved
        }
    }
}

async fn replace(directory: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let fresh = directory.join("sandbox.json.new");
    tokio::fs::write(&fresh, bytes).await?;
    tokio::fs::rename(&fresh, directory.join(FILE)).await
}

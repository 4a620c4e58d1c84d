//! The state of all simulators on disk: one JSON file, replaced as a whole shortly after each change and at the end.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::{
    engine::simulator::ProviderState, paypal::state::PaypalState, platron::state::PlatronState,
    simulators::Simulators, stripe::state::StripeState, yookassa::state::YookassaState,
};

const FILE: &str = "sandbox.json";
const PAUSE_MIN: Duration = Duration::from_millis(300);

/// A file without a provider's state is an empty state of that provider.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    pub offset_ms: i64,
    pub stripe: StripeState,
    pub paypal: PaypalState,
    pub yookassa: YookassaState,
    pub platron: PlatronState,
}

impl Snapshot {
    pub fn offset(&self) -> TimeDelta {
        TimeDelta::milliseconds(self.offset_ms)
    }
}

#[derive(Serialize)]
struct View<'a> {
    offset_ms: i64,
    stripe: &'a StripeState,
    paypal: &'a PaypalState,
    yookassa: &'a YookassaState,
    platron: &'a PlatronState,
}

/// Without a file the state is empty. An invalid file is an error, so that it is not overwritten.
pub fn load(directory: &Path) -> anyhow::Result<Snapshot> {
    let path = directory.join(FILE);
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
            anyhow::anyhow!(
                "{} is invalid ({error}); remove it to start with an empty state",
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

pub async fn run(simulators: Arc<Simulators>, directory: PathBuf, shutdown: CancellationToken) {
    let mut saved = None;
    loop {
        let started = Instant::now();
        saved = save_if_changed(&simulators, &directory, saved).await;
        // A large state is written less often: writing takes at most a tenth of the time.
        let pause = PAUSE_MIN.max(started.elapsed() * 10);
        tokio::select! {
            () = shutdown.cancelled() => {
                save_if_changed(&simulators, &directory, saved).await;
                return;
            }
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// The revision of each provider's state, and the clock's offset.
type Version = ([u64; 4], TimeDelta);

async fn save_if_changed(
    simulators: &Simulators,
    directory: &Path,
    saved: Option<Version>,
) -> Option<Version> {
    let offset = simulators.environment.clock.offset();
    let (version, bytes) = {
        let (mut stripe, mut paypal) = (simulators.stripe.state(), simulators.paypal.state());
        let (mut yookassa, mut platron) = (simulators.yookassa.state(), simulators.platron.state());
        let revisions = [
            stripe.runtime().revision(),
            paypal.runtime().revision(),
            yookassa.runtime().revision(),
            platron.runtime().revision(),
        ];
        let version = (revisions, offset);
        if saved == Some(version) {
            return saved;
        }
        let view = View {
            offset_ms: offset.num_milliseconds(),
            stripe: &stripe,
            paypal: &paypal,
            yookassa: &yookassa,
            platron: &platron,
        };
        (version, serde_json::to_vec(&view))
    };
    let written = match bytes {
        Ok(bytes) => replace(directory, &bytes).await.map_err(anyhow::Error::from),
        Err(error) => Err(error.into()),
    };
    match written {
        Ok(()) => Some(version),
        Err(error) => {
            tracing::error!(%error, "state not written; retried after the next change");
            saved
        }
    }
}

async fn replace(directory: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let temporary = directory.join("sandbox.json.new");
    tokio::fs::write(&temporary, bytes).await?;
    tokio::fs::rename(&temporary, directory.join(FILE)).await
}

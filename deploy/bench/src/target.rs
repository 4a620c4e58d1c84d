//! The measured Stillpoint, as `local bench` starts it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use kit::config::Env;

use crate::baseline;
use crate::process::{self, Usage};

const CALM_WITHIN: Duration = Duration::from_mins(3);
/// CPU per second of idle services; they use about half of it.
const CALM_MILLIS: u64 = 120;

const PRODUCT: &str = "services and gateway";
const SANDBOX: &str = "sandbox";

/// Addresses and process ids of one running Stillpoint.
pub struct Target {
    pub gateway_url: String,
    pub sandbox_url: String,
    pub content_token: String,
    pub database_url: String,
    /// The editors' command line.
    pub content_program: PathBuf,
    /// The seed content.
    pub content_folder: PathBuf,
    processes: Vec<(&'static str, u32)>,
}

/// The usage of each process, in the order of the report.
pub type Snapshot = Vec<(&'static str, Usage)>;

impl Target {
    pub fn from_env(env: &Env) -> Result<Self> {
        let text = |name: &str| {
            env.get(name)
                .map(str::to_owned)
                .with_context(|| format!("{name} is not set"))
        };
        let mut processes = Vec::new();
        for (label, name) in [
            (PRODUCT, "BENCH_STANDALONE_PID"),
            ("postgres", "BENCH_POSTGRES_PID"),
            ("nats", "BENCH_NATS_PID"),
            ("web renderer", "BENCH_WEB_PID"),
            (SANDBOX, "BENCH_SANDBOX_PID"),
        ] {
            processes.push((
                label,
                text(name)?
                    .parse()
                    .with_context(|| format!("{name} is no process id"))?,
            ));
        }
        Ok(Self {
            gateway_url: text("BENCH_GATEWAY_URL")?,
            sandbox_url: text("BENCH_SANDBOX_URL")?,
            content_token: text("CONTENT_READ_TOKEN")?,
            database_url: text(baseline::DATABASE)?,
            content_program: text("BENCH_CONTENT_PROGRAM")?.into(),
            content_folder: text("CONTENT_SEED_DIR")?.into(),
            processes,
        })
    }

    pub fn memory(&self) -> Snapshot {
        self.processes
            .iter()
            .map(|&(label, pid)| (label, process::usage(pid)))
            .collect()
    }

    fn pid(&self, wanted: &str) -> Result<u32> {
        let found = self.processes.iter().find(|(label, _)| *label == wanted);
        found
            .map(|&(_, pid)| pid)
            .with_context(|| format!("{wanted} is not measured"))
    }

    /// CPU milliseconds of the sandbox, which the other figures leave out.
    pub fn sandbox_cpu(&self) -> Result<u64> {
        Ok(process::usage(self.pid(SANDBOX)?).cpu_millis)
    }

    pub fn reset_peak(&self) -> Result<()> {
        process::reset_peak(self.pid(PRODUCT)?).context("the peak of memory cannot be counted anew")
    }

    /// The peak memory of the services and the gateway since the reset.
    pub fn peak_kib(&self) -> Result<u64> {
        Ok(process::peak_kib(self.pid(PRODUCT)?))
    }

    /// Waits until the services are idle: events follow the responses.
    pub async fn wait_until_idle(&self) -> Result<()> {
        let give_up_at = Instant::now() + CALM_WITHIN;
        while Instant::now() < give_up_at {
            let (own, stores) = self.cpu();
            tokio::time::sleep(Duration::from_secs(1)).await;
            let (own_after, stores_after) = self.cpu();
            if (own_after - own) + (stores_after - stores) < CALM_MILLIS {
                return Ok(());
            }
        }
        bail!("the services did not come to rest")
    }

    /// CPU milliseconds of the product and of its stores, without the sandbox.
    pub fn cpu(&self) -> (u64, u64) {
        let used = |wanted: &[&str]| {
            self.processes
                .iter()
                .filter(|(label, _)| wanted.contains(label))
                .map(|&(_, pid)| process::usage(pid).cpu_millis)
                .sum()
        };
        (used(&[PRODUCT]), used(&["postgres", "nats"]))
    }
}

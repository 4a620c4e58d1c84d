//! The paths on which money is asked for, with what else they are judged by: how long the slowest wait, what the stand-in
//! providers use meanwhile, and the most memory the services hold.

use anyhow::Result;

use crate::cases::Figures;
use crate::target::Target;

pub struct Paying {
    pub figures: Figures,
    pub sandbox_cpu_millis: u64,
    pub peak_kib: u64,
}

pub async fn watched(target: &Target, measure: impl AsyncFnOnce() -> Result<Figures>) -> Result<Paying> {
    target.forget_peak()?;
    let sandbox_before = target.sandbox_cpu()?;
    let figures = measure().await?;
    Ok(Paying {
        figures,
        sandbox_cpu_millis: target.sandbox_cpu()? - sandbox_before,
        peak_kib: target.peak_kib()?,
    })
}

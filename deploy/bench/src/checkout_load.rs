//! The checkout paths under load: besides the figures, the latency of the slowest requests, the CPU of the
//! sandbox, and the peak memory of the services.

use anyhow::Result;

use crate::cases::Figures;
use crate::target::Target;

pub struct CheckoutLoad {
    pub figures: Figures,
    pub sandbox_cpu_millis: u64,
    pub peak_kib: u64,
}

pub async fn sampled(
    target: &Target,
    measure: impl AsyncFnOnce() -> Result<Figures>,
) -> Result<CheckoutLoad> {
    target.reset_peak()?;
    let sandbox_before = target.sandbox_cpu()?;
    let figures = measure().await?;
    Ok(CheckoutLoad {
        figures,
        sandbox_cpu_millis: target.sandbox_cpu()? - sandbox_before,
        peak_kib: target.peak_kib()?,
    })
}

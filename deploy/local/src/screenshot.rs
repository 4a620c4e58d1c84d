//! `screenshot`: the picture in the README, drawn again from a running Stillpoint.

use std::{fs, process::Command, time::Duration};

use crate::{command, context::Context, failure::Failure, layout::create_dir, probe, settings::Ports, tools};

const SIZE_MAX_BYTES: u64 = 200_000;
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

pub fn screenshot(context: &Context) -> Result<(), Failure> {
    context.layout.prepare()?;
    let port = Ports::read(&context.vars)?.gateway;
    if probe::http_status(port, "/en/", ANSWER_TIMEOUT) != Some(200) {
        return Err(Failure::new(format!(
            "No page at http://localhost:{port}/en/: start Stillpoint with make run, then run this again."
        )));
    }
    let picture = context.layout.repo.join("docs/home.png");
    create_dir(&context.layout.repo.join("docs"))?;
    let mut chromium = Command::new(tools::chromium::ensure(context)?);
    chromium
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .args([
            "--force-prefers-reduced-motion",
            "--window-size=1280,860",
            "--virtual-time-budget=4000",
        ])
        .arg(format!(
            "--user-data-dir={}",
            context.layout.state.join("chromium").display()
        ))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("http://localhost:{port}/en/"));
    command::quiet(context, "draw docs/home.png", &mut chromium)?;

    let size = fs::metadata(&picture)
        .map_err(|error| Failure::file(&picture, &error))?
        .len();
    if size > SIZE_MAX_BYTES {
        return Err(Failure::new(format!(
            "docs/home.png has {size} bytes; at most {SIZE_MAX_BYTES} are welcome."
        )));
    }
    Ok(())
}

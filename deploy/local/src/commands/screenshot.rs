//! `screenshot`: draws the picture of the README from a running Stillpoint.

use std::{fs, time::Duration};

use crate::{
    command, commands::test::journeys, context::Context, failure::Failure, paths::create_dir,
    settings::Ports, stack::probe, tools,
};

const PICTURE: &str = "docs/home.jpg";
const SIZE_MAX_BYTES: u64 = 200_000;
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

pub fn screenshot(context: &Context) -> Result<(), Failure> {
    context.paths.prepare()?;
    let port = Ports::read(&context.vars)?.gateway;
    let url = format!("http://localhost:{port}/en/");
    if probe::http_status(port, "/en/", ANSWER_TIMEOUT) != Some(200) {
        return Err(Failure::new(format!(
            "No page at {url}: start Stillpoint with make run, then run this again."
        )));
    }
    let node = tools::node::ensure(context)?;
    journeys::prepare(context, &node)?;
    let picture = context.paths.repo.join(PICTURE);
    create_dir(&context.paths.repo.join("docs"))?;
    let mut draw = node.command(&node.program);
    draw.arg("picture.mjs")
        .arg(&url)
        .arg(&picture)
        .current_dir(context.paths.web().join("e2e"))
        .env("CHROMIUM_BIN", tools::chromium::ensure(context)?);
    command::run_logged(context, &format!("draw {PICTURE}"), &mut draw)?;

    let size = fs::metadata(&picture)
        .map_err(|error| Failure::file(&picture, &error))?
        .len();
    if size > SIZE_MAX_BYTES {
        return Err(Failure::new(format!(
            "{PICTURE} has {size} bytes; at most {SIZE_MAX_BYTES} are welcome."
        )));
    }
    Ok(())
}

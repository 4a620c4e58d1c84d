//! The session check of every page, and sign-in, whose cost should be little more than the password hash.

use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result};
use argon2::Argon2;
use reqwest::header::SET_COOKIE;
use serde_json::json;

use crate::cases::{BURST, CONNECTIONS, Figures, WARM_UP, measure, median};
use crate::graphql::Compared;
use crate::load::{Load, post_script};
use crate::process;
use crate::target::Target;

const PASSWORD: &str = "a quiet morning walk";
/// Per thread.
const HASHES: u64 = 100;

pub struct Accounts {
    pub session_check: Figures,
    /// The baseline is the hash alone, one per core at once, as in auth.
    pub sign_in: Compared,
}

pub async fn measure_accounts(target: &Target, turns: usize) -> Result<Accounts> {
    let email = format!("member-{}@bench.example", std::process::id());
    let cookie = register(target, &reqwest::Client::new(), &email).await?;
    let hashers = thread::available_parallelism()?;

    let check_url = format!("{}/api/auth/session", target.gateway_url);
    let check_headers = [("Cookie", cookie.as_str())];
    let check = Load {
        url: &check_url,
        connections: CONNECTIONS,
        duration: BURST,
        headers: &check_headers,
        script: None,
    };
    let login_url = format!("{}/api/auth/login", target.gateway_url);
    let form = post_script(&json!({"email": email, "password": PASSWORD}).to_string());
    let login = Load {
        url: &login_url,
        // More would wait for a core or be throttled.
        connections: u32::try_from(hashers.get())?,
        headers: &[("Content-Type", "application/json")],
        script: Some(&form),
        ..check
    };
    for load in [&check, &login] {
        let duration = WARM_UP;
        Load { duration, ..*load }.run()?;
    }
    let mut rounds_of = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..turns {
        rounds_of[0].push(measure("session check", || target.cpu(), &check)?);
        rounds_of[1].push(measure("sign-in", || target.cpu(), &login)?);
        rounds_of[2].push(hash_alone(hashers.get())?);
    }
    let [session_check, sign_in, hash] = rounds_of.map(median);
    Ok(Accounts {
        session_check: session_check?,
        sign_in: Compared {
            figures: sign_in?,
            baseline: hash?,
            at_most: 125,
        },
    })
}

/// Registers a member and returns the session cookie.
pub async fn register(target: &Target, client: &reqwest::Client, email: &str) -> Result<String> {
    let answer = client
        .post(format!("{}/api/auth/register", target.gateway_url))
        .json(&json!({"name": "Bench Member", "email": email, "password": PASSWORD}))
        .send()
        .await?
        .error_for_status()
        .context("register")?;
    let cookie = answer
        .headers()
        .get(SET_COOKIE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next());
    Ok(cookie.context("registering set no cookie")?.to_owned())
}

/// With auth's default parameters, which are the crate's.
fn hash_alone(threads: usize) -> Result<Figures> {
    let cpu = || process::usage(std::process::id()).cpu_millis;
    let (before, started) = (cpu(), Instant::now());
    thread::scope(|scope| {
        let hashing: Vec<_> = (0..threads).map(|_| scope.spawn(hashes)).collect();
        hashing.into_iter().try_for_each(|thread| {
            let hashed = thread
                .join()
                .map_err(|_| anyhow::anyhow!("a thread of hashes broke off"))?;
            hashed.map_err(|error| anyhow::anyhow!("a password could not be hashed: {error}"))
        })
    })?;
    Ok(Figures {
        name: "argon2 alone",
        requests: HASHES * u64::try_from(threads)?,
        errors: 0,
        wall_millis: u64::try_from(started.elapsed().as_millis())?,
        cpu_millis: cpu() - before,
        store_cpu_millis: 0,
        // No request waits for it.
        p99_micros: 0,
    })
}

fn hashes() -> Result<(), argon2::Error> {
    let mut hash = [0; 32];
    (0..HASHES).try_for_each(|number| {
        Argon2::default().hash_password_into(
            PASSWORD.as_bytes(),
            &[number.to_le_bytes(); 2].concat(),
            &mut hash,
        )
    })
}

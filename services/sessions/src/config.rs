//! Settings of sessions, read once at start. kit reads those of database, stream, ports and telemetry.
use std::time::Duration;

use chrono::TimeDelta;
use kit::config::{ConfigErrors, Env, EnvReader, RotatingSecret};
use url::Url;

pub struct Config {
    pub ai: Ai,
    pub texts: Texts,
}

pub struct Ai {
    /// `AI_API_BASE`: `OpenAI`, a compatible provider, or the sandbox's simulator.
    pub api_base: String,
    /// `AI_API_KEY`
    pub api_key: RotatingSecret,
    /// `AI_MODEL`
    pub model: String,
    /// `AI_TIMEOUT_MS`: for the response headers and between any two reads of the body.
    pub timeout: Duration,
}

pub struct Texts {
    /// `SESSIONS_AI_TEXT_MAX_SECS`: a reply that takes longer is closed as incomplete.
    pub max_duration: Duration,
    /// `SESSIONS_AI_TEXT_MAX_CONCURRENCY`: texts that this process generates at the same time.
    pub max_concurrency: usize,
    /// `SESSIONS_AI_TEXT_LEASE_MS`: generation counts as interrupted when its lease was not renewed for this long.
    pub lease: Duration,
    /// `SESSIONS_AI_TEXT_RETENTION_SECS`: age at which a reply is purged.
    pub retention: TimeDelta,
}

impl Config {
    pub fn read(env: &Env) -> Result<Self, ConfigErrors> {
        let mut reader = env.reader();
        let config = Self {
            ai: ai(&mut reader),
            texts: texts(&mut reader),
        };
        reader.done(config)
    }
}

fn ai(reader: &mut EnvReader<'_>) -> Ai {
    let api_base = reader.text("AI_API_BASE", "https://api.openai.com/v1");
    if let Err(why) = Url::parse(&api_base) {
        reader.fail("AI_API_BASE", why);
    }
    Ai {
        api_base: api_base.trim_end_matches('/').to_owned(),
        api_key: reader.rotating_secret("AI_API_KEY", "sk-stillpoint"),
        model: reader.text("AI_MODEL", "gpt-4.1-mini"),
        timeout: reader.millis("AI_TIMEOUT_MS", Duration::from_secs(20)),
    }
}

fn texts(reader: &mut EnvReader<'_>) -> Texts {
    let retention = reader.secs("SESSIONS_AI_TEXT_RETENTION_SECS", Duration::from_hours(24));
    let retention = TimeDelta::from_std(retention).unwrap_or_else(|why| {
        reader.fail("SESSIONS_AI_TEXT_RETENTION_SECS", why);
        TimeDelta::zero()
    });
    let max_concurrency = reader.parse("SESSIONS_AI_TEXT_MAX_CONCURRENCY", 32);
    if max_concurrency == 0 {
        reader.fail("SESSIONS_AI_TEXT_MAX_CONCURRENCY", "must be at least 1");
    }
    Texts {
        max_duration: reader.secs("SESSIONS_AI_TEXT_MAX_SECS", Duration::from_mins(2)),
        max_concurrency,
        lease: reader.millis("SESSIONS_AI_TEXT_LEASE_MS", Duration::from_secs(10)),
        retention,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_real_provider() {
        let config = Config::read(&Env::default()).ok().unwrap();
        assert_eq!(config.ai.api_base, "https://api.openai.com/v1");
        assert_eq!(config.texts.retention, TimeDelta::hours(24));
    }

    #[test]
    fn production_requires_an_api_key() {
        let errors = Config::read(&Env::from_pairs([("STILLPOINT_ENV", "production")])).err();
        assert!(errors.unwrap().to_string().contains("AI_API_KEY"));
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let env = Env::from_pairs([
            ("AI_API_BASE", "openai"),
            ("AI_TIMEOUT_MS", "soon"),
            ("SESSIONS_AI_TEXT_MAX_CONCURRENCY", "0"),
        ]);
        let report = Config::read(&env).err().unwrap().to_string();
        for name in ["AI_API_BASE", "AI_TIMEOUT_MS", "SESSIONS_AI_TEXT_MAX_CONCURRENCY"] {
            assert!(report.contains(name), "{name} is missing in:\n{report}");
        }
    }
}

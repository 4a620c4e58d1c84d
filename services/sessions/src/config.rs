//! Settings of sessions, read once. Database, stream, ports and telemetry are kit's.
use std::time::Duration;

use chrono::TimeDelta;
use kit::config::{ConfigErrors, Env, EnvReader};
use secrecy::SecretString;
use url::Url;

pub struct Config {
    pub ai: Ai,
    pub texts: Texts,
}

pub struct Ai {
    /// `AI_API_BASE`: `OpenAI`, another provider that speaks its protocol, or the twin in the sandbox.
    pub api_base: String,
    /// `AI_API_KEY`
    pub api_key: SecretString,
    /// `AI_MODEL`
    pub model: String,
    /// `AI_TIMEOUT_MS`: for the first answer and between any two pieces.
    pub timeout: Duration,
}

pub struct Texts {
    /// `SESSIONS_AI_TEXT_MAX_SECS`: after this a text is closed, whatever the model does.
    pub longest: Duration,
    /// `SESSIONS_AI_TEXTS_AT_ONCE`: written by this process.
    pub at_once: usize,
    /// `SESSIONS_AI_TEXT_LEASE_MS`: a writer that was not heard of for so long is dead.
    pub lease: Duration,
    /// `SESSIONS_AI_TEXT_KEPT_SECS`: how long one may come back for a reply.
    pub kept: TimeDelta,
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
        api_key: reader.secret("AI_API_KEY", "sk-stillpoint"),
        model: reader.text("AI_MODEL", "gpt-4.1-mini"),
        timeout: reader.millis("AI_TIMEOUT_MS", Duration::from_secs(20)),
    }
}

fn texts(reader: &mut EnvReader<'_>) -> Texts {
    let kept = reader.secs("SESSIONS_AI_TEXT_KEPT_SECS", Duration::from_hours(24));
    let kept = TimeDelta::from_std(kept).unwrap_or_else(|why| {
        reader.fail("SESSIONS_AI_TEXT_KEPT_SECS", why);
        TimeDelta::zero()
    });
    let at_once = reader.parse("SESSIONS_AI_TEXTS_AT_ONCE", 32);
    if at_once == 0 {
        reader.fail("SESSIONS_AI_TEXTS_AT_ONCE", "must be at least 1");
    }
    Texts {
        longest: reader.secs("SESSIONS_AI_TEXT_MAX_SECS", Duration::from_mins(2)),
        at_once,
        lease: reader.millis("SESSIONS_AI_TEXT_LEASE_MS", Duration::from_secs(10)),
        kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_set_is_the_real_provider() {
        let config = Config::read(&Env::default()).ok().unwrap();
        assert_eq!(config.ai.api_base, "https://api.openai.com/v1");
        assert_eq!(config.texts.kept, TimeDelta::hours(24));
    }

    #[test]
    fn production_needs_a_key_of_its_own() {
        let faults = Config::read(&Env::from_pairs([("STILLPOINT_ENV", "production")])).err();
        assert!(faults.unwrap().to_string().contains("AI_API_KEY"));
    }

    #[test]
    fn all_faults_are_named_at_once() {
        let env = Env::from_pairs([
            ("AI_API_BASE", "openai"),
            ("AI_TIMEOUT_MS", "soon"),
            ("SESSIONS_AI_TEXTS_AT_ONCE", "0"),
        ]);
        let said = Config::read(&env).err().unwrap().to_string();
        for name in ["AI_API_BASE", "AI_TIMEOUT_MS", "SESSIONS_AI_TEXTS_AT_ONCE"] {
            assert!(said.contains(name), "{name} is not named in:\n{said}");
        }
    }
}

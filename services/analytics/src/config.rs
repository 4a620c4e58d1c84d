//! Settings of analytics, reader once at start. kit reads those of database, stream, ports and telemetry.
use kit::config::{ConfigErrors, Env};
use secrecy::SecretString;

const MAX_MONTHS_AHEAD: u32 = 24;

pub struct Config {
    /// `ANALYTICS_MONTHS_AHEAD` (3): number of months ahead of the current one whose partitions are created.
    pub months_ahead: u32,
    /// `ANALYTICS_HASH_KEY`: key of the HMAC that replaces plain hashes in user events.
    pub hash_key: SecretString,
}

impl Config {
    pub fn read(env: &Env) -> Result<Self, ConfigErrors> {
        let mut reader = env.reader();
        let months_ahead = reader.parse("ANALYTICS_MONTHS_AHEAD", 3);
        if months_ahead > MAX_MONTHS_AHEAD {
            reader.fail(
                "ANALYTICS_MONTHS_AHEAD",
                format_args!("must be at most {MAX_MONTHS_AHEAD}"),
            );
        }
        let hash_key = reader.own_secret("ANALYTICS_HASH_KEY", "development-analytics-hash-key");
        reader.done(Self {
            months_ahead,
            hash_key,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_out_of_range_is_an_error() {
        assert_eq!(Config::read(&Env::default()).unwrap().months_ahead, 3);
        for wrong in ["-1", "25", "some"] {
            assert!(
                Config::read(&Env::from_pairs([("ANALYTICS_MONTHS_AHEAD", wrong)])).is_err(),
                "{wrong}"
            );
        }
    }
}

//! Settings of analytics, read once. Database, stream, ports and telemetry are kit's.
use kit::config::{ConfigErrors, Env};
use secrecy::SecretString;

const MOST_MONTHS_AHEAD: u32 = 24;

pub struct Config {
    /// `ANALYTICS_MONTHS_AHEAD` (3): for how many months after this one a partition is kept ready.
    pub months_ahead: u32,
    /// `ANALYTICS_HASH_KEY`: turns the hashes of user events into ones that nobody else can make.
    pub hash_key: SecretString,
}

impl Config {
    pub fn read(env: &Env) -> Result<Self, ConfigErrors> {
        let mut read = env.reader();
        let months_ahead = read.parse("ANALYTICS_MONTHS_AHEAD", 3);
        if months_ahead > MOST_MONTHS_AHEAD {
            read.fail(
                "ANALYTICS_MONTHS_AHEAD",
                format_args!("must be at most {MOST_MONTHS_AHEAD}"),
            );
        }
        let hash_key = read.own_secret("ANALYTICS_HASH_KEY", "development-analytics-hash-key");
        read.done(Self {
            months_ahead,
            hash_key,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_range_is_told() {
        assert_eq!(Config::read(&Env::default()).unwrap().months_ahead, 3);
        for wrong in ["-1", "25", "some"] {
            assert!(
                Config::read(&Env::from_pairs([("ANALYTICS_MONTHS_AHEAD", wrong)])).is_err(),
                "{wrong}"
            );
        }
    }
}

//! Argon2id on blocking threads with bounded concurrency, at equal cost with and without an account.
use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::{self, PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, PasswordHash, Version};
use tokio::sync::Semaphore;

use crate::crypto::tokens::OpaqueToken;
use crate::domain::password::Password;

/// Each running hash holds `memory_kib` and a core: more than `concurrency` at once would starve everything else.
#[derive(Clone, Debug)]
pub struct HashingConfig {
    pub params: Params,
    pub concurrency: usize,
    pub wait: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum HashingError {
    #[error("no hashing slot became free in time")]
    Busy,
    #[error("a password could not be hashed: {0}")]
    Hash(#[from] password_hash::Error),
    #[error("a hashing thread ended early: {0}")]
    Thread(#[from] tokio::task::JoinError),
}

#[derive(Debug, PartialEq, Eq)]
pub enum PasswordCheck {
    /// Right, and hashed as hashes are made today.
    Match,
    /// Right, but hashed with former parameters: to be hashed again while the password is at hand.
    MatchOutdated,
    Mismatch,
}

pub struct Passwords {
    argon2: Argon2<'static>,
    /// Hash of a random value, compared where there is no account, at the same cost.
    decoy: PasswordHash,
    slots: Arc<Semaphore>,
    wait: Duration,
}

impl Passwords {
    pub fn new(plan: HashingConfig) -> Result<Self, password_hash::Error> {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, plan.params);
        let decoy = argon2.hash_password(OpaqueToken::random().expose().as_bytes())?;
        Ok(Self {
            argon2,
            decoy,
            slots: Arc::new(Semaphore::new(plan.concurrency)),
            wait: plan.wait,
        })
    }

    /// A PHC string: algorithm, parameters, salt and hash in one.
    pub async fn hash(&self, password: &Password) -> Result<String, HashingError> {
        let (argon2, password) = (self.argon2.clone(), password.clone());
        let hash = self
            .in_slot(move || argon2.hash_password(password.expose().as_bytes()))
            .await??;
        Ok(hash.to_string())
    }

    /// `stored` is `None` where there is no account or no password; the work is the same.
    pub async fn verify(
        &self,
        password: &Password,
        stored: Option<&str>,
    ) -> Result<PasswordCheck, HashingError> {
        let hash = match stored {
            Some(stored) => PasswordHash::new(stored).map_err(password_hash::Error::from)?,
            None => self.decoy.clone(),
        };
        let outdated = !self.is_current(&hash);
        let (argon2, password) = (self.argon2.clone(), password.clone());
        let verified = self
            .in_slot(move || argon2.verify_password(password.expose().as_bytes(), &hash))
            .await?;
        match verified {
            Ok(()) if outdated => Ok(PasswordCheck::MatchOutdated),
            Ok(()) => Ok(PasswordCheck::Match),
            Err(password_hash::Error::PasswordInvalid) => Ok(PasswordCheck::Mismatch),
            Err(error) => Err(error.into()),
        }
    }

    fn is_current(&self, hash: &PasswordHash) -> bool {
        let current = &self.decoy;
        hash.algorithm == current.algorithm
            && hash.version == current.version
            && hash.params == current.params
    }

    /// The slot moves into the thread: a caller who gives up does not free the core that is still busy.
    async fn in_slot<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HashingError> {
        let slot = tokio::time::timeout(self.wait, Arc::clone(&self.slots).acquire_owned())
            .await
            .map_err(|_| HashingError::Busy)?
            .map_err(|_| HashingError::Busy)?;
        let worked = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            work()
        });
        Ok(worked.await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(memory_kib: u32) -> HashingConfig {
        HashingConfig {
            params: Params::new(memory_kib, 1, 1, None).unwrap(),
            concurrency: 1,
            wait: Duration::from_millis(50),
        }
    }

    fn password(text: &str) -> Password {
        Password::presented(text).unwrap()
    }

    #[tokio::test]
    async fn the_right_password_fits_and_another_does_not() {
        let passwords = Passwords::new(plan(64)).unwrap();
        let stored = passwords.hash(&password("correct horse")).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=64,t=1,p=1$"));
        let verify = async |typed: &str| passwords.verify(&password(typed), Some(&stored)).await.unwrap();
        assert_eq!(verify("correct horse").await, PasswordCheck::Match);
        assert_eq!(verify("wrong horse").await, PasswordCheck::Mismatch);
    }

    #[tokio::test]
    async fn hashes_made_with_former_parameters_fit_and_are_outdated() {
        let stored = Passwords::new(plan(64))
            .unwrap()
            .hash(&password("correct horse"))
            .await
            .unwrap();
        let stronger = Passwords::new(plan(128)).unwrap();
        let verdict = stronger
            .verify(&password("correct horse"), Some(&stored))
            .await
            .unwrap();
        assert_eq!(verdict, PasswordCheck::MatchOutdated);
    }

    #[tokio::test]
    async fn without_an_account_every_password_is_refused() {
        let passwords = Passwords::new(plan(64)).unwrap();
        assert_eq!(
            passwords.verify(&password("anything"), None).await.unwrap(),
            PasswordCheck::Mismatch
        );
    }

    #[tokio::test]
    async fn a_caller_waits_for_a_slot_only_so_long() {
        let passwords = Passwords::new(plan(64)).unwrap();
        let held = Arc::clone(&passwords.slots).acquire_owned().await.unwrap();
        assert!(matches!(
            passwords.hash(&password("correct horse")).await,
            Err(HashingError::Busy)
        ));
        drop(held);
        assert!(passwords.hash(&password("correct horse")).await.is_ok());
    }

    #[tokio::test]
    async fn a_damaged_hash_is_an_error_and_not_a_refusal() {
        let passwords = Passwords::new(plan(64)).unwrap();
        let verdict = passwords
            .verify(&password("correct horse"), Some("$argon2id$broken"))
            .await;
        assert!(matches!(verdict, Err(HashingError::Hash(_))));
    }
}

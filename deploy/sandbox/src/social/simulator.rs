//! The sign-in simulator's state: signing keys, access tokens, and the case of the next sign-in.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;

use super::{
    access_token::AccessToken,
    cases::Case,
    provider::{Clients, Provider},
    signing_keys::KeyRing,
};
use crate::engine::environment::Environment;

const ACCESS_TOKENS_MAX: usize = 1_000;

pub struct Social {
    pub environment: Arc<Environment>,
    pub public_url: String,
    pub clients: Clients,
    state: Mutex<State>,
}

pub struct State {
    pub apple: KeyRing,
    pub google: KeyRing,
    /// The case of a provider's next sign-in, if the window chooses none.
    pub next_cases: HashMap<Provider, Case>,
    /// Each provider's latest valid response, for replays.
    pub last_responses: HashMap<Provider, Value>,
    /// People who have signed in with Apple; it sends their name once.
    pub named: HashSet<String>,
    pub access_tokens: VecDeque<AccessToken>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            apple: KeyRing::new("apple"),
            google: KeyRing::new("google"),
            next_cases: HashMap::new(),
            last_responses: HashMap::new(),
            named: HashSet::new(),
            access_tokens: VecDeque::new(),
        }
    }
}

impl State {
    pub fn keys(&mut self, provider: Provider) -> Option<&mut KeyRing> {
        match provider {
            Provider::Apple => Some(&mut self.apple),
            Provider::Google => Some(&mut self.google),
            Provider::Facebook => None,
        }
    }

    pub fn store_token(&mut self, token: AccessToken) {
        self.access_tokens.push_back(token);
        if self.access_tokens.len() > ACCESS_TOKENS_MAX {
            self.access_tokens.pop_front();
        }
    }
}

impl Social {
    pub fn new(environment: Arc<Environment>, public_url: String, clients: Clients) -> Self {
        Self {
            environment,
            public_url,
            clients,
            state: Mutex::default(),
        }
    }

    /// The issuer of a provider's tokens.
    pub fn issuer(&self, provider: Provider) -> String {
        let name = match provider {
            Provider::Apple => "apple",
            Provider::Google => "google",
            Provider::Facebook => "facebook",
        };
        format!("{}/{name}", self.public_url)
    }

    /// Sets the case of the next sign-in at this provider.
    pub fn set_next_case(&self, provider: Provider, case: Case) {
        self.state().next_cases.insert(provider, case);
    }

    /// Signs with a new key; the previous one stays public. Facebook has no keys: `None`.
    pub fn rotate_keys(&self, provider: Provider) -> Option<String> {
        self.state().keys(provider).map(|ring| ring.rotate().to_owned())
    }

    /// The JSON Web Key Set.
    pub fn key_set(&self, provider: Provider) -> Option<Value> {
        self.state().keys(provider).map(|ring| ring.public())
    }

    pub fn reset(&self) {
        *self.state() = State::default();
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsRef<Environment> for Social {
    fn as_ref(&self) -> &Environment {
        &self.environment
    }
}

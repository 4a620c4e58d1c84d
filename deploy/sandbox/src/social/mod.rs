//! Twins of Apple's, Google's and Facebook's sign-in: the scripts a page loads, the windows they open, the keys and the
//! graph a server asks.
//!
//! In reading order: `people` (who may sign in), `cases` (honest sign-ins and attacks), `sign_in` (what a provider
//! answers when somebody was chosen), `id_tokens` and `keys` (Apple, Google), `graph` (Facebook), `http`, `browser`.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub mod browser;
mod cases;
mod graph;
pub mod http;
mod id_tokens;
mod keys;
mod people;
mod sign_in;

pub use cases::Case;
pub use people::{Person, Who};
pub use sign_in::{Refused, SignIn};

use keys::KeyRing;

/// The window of Facebook's that is remembered for its servers' questions.
const ACCESS_TOKENS_KEPT: usize = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    Apple,
    Google,
    Facebook,
}

impl Provider {
    pub const ALL: [Self; 3] = [Self::Apple, Self::Google, Self::Facebook];
}

/// What the product is known as at the providers.
#[derive(Clone, Debug)]
pub struct Clients {
    pub apple: String,
    pub google: String,
    pub facebook: String,
    pub facebook_secret: String,
}

impl Default for Clients {
    fn default() -> Self {
        Self {
            apple: "example.stillpoint.web".into(),
            google: "stillpoint.apps.googleusercontent.com".into(),
            facebook: "100200300400500".into(),
            facebook_secret: "facebook-app-secret".into(),
        }
    }
}

impl Clients {
    fn of(&self, provider: Provider) -> &str {
        match provider {
            Provider::Apple => &self.apple,
            Provider::Google => &self.google,
            Provider::Facebook => &self.facebook,
        }
    }
}

pub struct Social {
    pub public_url: String,
    pub clients: Clients,
    state: Mutex<State>,
}

struct State {
    apple: KeyRing,
    google: KeyRing,
    /// What happens at a provider's next sign-in, where the window does not say.
    armed: HashMap<Provider, Case>,
    /// The last honest answer of each provider, for whoever wants to send it twice.
    last: HashMap<Provider, Value>,
    /// Apple tells somebody's name once.
    named: HashSet<String>,
    access_tokens: VecDeque<graph::AccessToken>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            apple: KeyRing::new("apple"),
            google: KeyRing::new("google"),
            armed: HashMap::new(),
            last: HashMap::new(),
            named: HashSet::new(),
            access_tokens: VecDeque::new(),
        }
    }
}

impl State {
    fn keys(&mut self, provider: Provider) -> Option<&mut KeyRing> {
        match provider {
            Provider::Apple => Some(&mut self.apple),
            Provider::Google => Some(&mut self.google),
            Provider::Facebook => None,
        }
    }

    fn remember(&mut self, token: graph::AccessToken) {
        self.access_tokens.push_back(token);
        if self.access_tokens.len() > ACCESS_TOKENS_KEPT {
            self.access_tokens.pop_front();
        }
    }
}

impl Social {
    pub fn new(public_url: String, clients: Clients) -> Self {
        Self {
            public_url,
            clients,
            state: Mutex::default(),
        }
    }

    /// Who signs a provider's tokens.
    pub fn issuer(&self, provider: Provider) -> String {
        let name = match provider {
            Provider::Apple => "apple",
            Provider::Google => "google",
            Provider::Facebook => "facebook",
        };
        format!("{}/{name}", self.public_url)
    }

    /// The next sign-in at this provider goes this way, whatever is chosen in its window.
    pub fn arm(&self, provider: Provider, case: Case) {
        self.state().armed.insert(provider, case);
    }

    /// Another key signs from now on; the former stays public. Facebook has none: `None`.
    pub fn rotate_keys(&self, provider: Provider) -> Option<String> {
        self.state().keys(provider).map(|ring| ring.rotate().to_owned())
    }

    /// The public keys as a server reads them.
    pub fn key_set(&self, provider: Provider) -> Option<Value> {
        self.state().keys(provider).map(|ring| ring.public())
    }

    /// As if nobody had ever signed in.
    pub fn forget(&self) {
        *self.state() = State::default();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

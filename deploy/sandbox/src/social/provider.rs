//! The providers, and the product's credentials at each.

use serde::{Deserialize, Serialize};

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

/// The client ids and secrets of the product.
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
    pub fn of(&self, provider: Provider) -> &str {
        match provider {
            Provider::Apple => &self.apple,
            Provider::Google => &self.google,
            Provider::Facebook => &self.facebook,
        }
    }
}

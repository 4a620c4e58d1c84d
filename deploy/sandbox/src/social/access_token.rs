//! Facebook's access tokens.

use serde_json::{Value, json};

use super::{
    cases::Case,
    people::Person,
    provider::{Clients, Provider},
};

const TTL_SECS: i64 = 2 * 3_600;

/// An access token and the data that Facebook stores with it.
#[derive(Clone, Debug)]
pub struct AccessToken {
    pub text: String,
    pub app_id: String,
    pub user_id: String,
    pub name: String,
    pub email: Option<String>,
    pub expires_at: i64,
}

impl AccessToken {
    pub fn new(clients: &Clients, person: &Person, case: Case, now: i64) -> Self {
        Self {
            text: format!(
                "EAAS{:032x}{:032x}",
                rand::random::<u128>(),
                rand::random::<u128>()
            ),
            app_id: match case {
                Case::OtherAudience => "999888777666555".into(),
                _ => clients.facebook.clone(),
            },
            user_id: person.subject(Provider::Facebook),
            name: person.full_name(),
            email: person.email.clone().filter(|_| case != Case::NoEmail),
            expires_at: match case {
                Case::Expired => now - TTL_SECS,
                _ => now + TTL_SECS,
            },
        }
    }

    pub fn profile(&self, fields: &str) -> Value {
        let mut profile = json!({ "id": self.user_id });
        for field in fields.split(',') {
            match (field, &self.email) {
                ("name", _) => profile["name"] = self.name.as_str().into(),
                ("email", Some(email)) => profile["email"] = email.as_str().into(),
                _ => {}
            }
        }
        if fields.is_empty() {
            profile["name"] = self.name.as_str().into();
        }
        profile
    }
}

//! Somebody was chosen in a provider's window: what the page is answered.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Case, Person, Provider, Social, State, Who,
    graph::AccessToken,
    id_tokens::{self, Asked},
};

/// What the window sends, and who tests without one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    pub provider: Provider,
    pub client_id: String,
    #[serde(default)]
    pub nonce: Option<String>,
    #[serde(default)]
    pub state: Option<String>,
    pub person: Who,
    #[serde(default)]
    pub case: Case,
}

#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("invalid_client: {0} is not registered with this provider")]
    UnknownClient(String),
    #[error("there is nobody of this name")]
    Nobody,
    #[error("this provider does not do that")]
    Unfit,
    #[error("nobody has signed in before")]
    NothingToReplay,
}

impl Social {
    /// As the provider's script hands it to the page.
    pub fn sign_in(&self, asked: SignIn, now: i64) -> Result<Value, Refused> {
        if asked.client_id != self.clients.of(asked.provider) {
            return Err(Refused::UnknownClient(asked.client_id));
        }
        let mut state = self.state();
        let case = match (asked.case, state.armed.get(&asked.provider)) {
            (Case::Honest, Some(armed)) => *armed,
            (case, _) => case,
        };
        if !case.fits(asked.provider) {
            return Err(Refused::Unfit);
        }
        if case == Case::Replayed {
            let last = state.last.get(&asked.provider).cloned();
            state.armed.remove(&asked.provider);
            return last.ok_or(Refused::NothingToReplay);
        }
        let person = asked.person.clone().find().ok_or(Refused::Nobody)?;
        state.armed.remove(&asked.provider);
        let answer = match asked.provider {
            Provider::Facebook => self.facebook(&mut state, &person, case, now),
            Provider::Apple | Provider::Google => {
                self.with_id_token(&mut state, &asked, &person, (case, now))
            }
        };
        if matches!(case, Case::Honest | Case::RotatedKey) {
            state.last.insert(asked.provider, answer.clone());
        }
        Ok(answer)
    }

    fn with_id_token(
        &self,
        state: &mut State,
        asked: &SignIn,
        person: &Person,
        (case, now): (Case, i64),
    ) -> Value {
        let issuer = self.issuer(asked.provider);
        let wanted = Asked {
            provider: asked.provider,
            issuer: &issuer,
            client_id: &asked.client_id,
            nonce: asked.nonce.as_deref(),
            now,
        };
        let Some(ring) = state.keys(asked.provider) else {
            return Value::Null;
        };
        if case == Case::RotatedKey {
            ring.rotate();
        }
        let token = id_tokens::write(ring, &wanted, person, case);
        match asked.provider {
            Provider::Apple => apple(state, asked, person, &token),
            Provider::Google | Provider::Facebook => json!({
                "clientId": asked.client_id,
                "client_id": asked.client_id,
                "credential": token,
                "select_by": "btn",
            }),
        }
    }

    fn facebook(&self, state: &mut State, person: &Person, case: Case, now: i64) -> Value {
        let token = AccessToken::new(&self.clients, person, case, now);
        let answer = json!({
            "status": "connected",
            "authResponse": {
                "accessToken": token.text,
                "userID": token.user_id,
                "expiresIn": (token.expires_at - now).max(0),
                "data_access_expiration_time": now + 90 * 24 * 3_600,
                "graphDomain": "facebook",
                "signedRequest": "not.used",
            },
        });
        if case != Case::Forged {
            state.remember(token);
        }
        answer
    }
}

/// The name comes with the first sign-in, and never again.
fn apple(state: &mut State, asked: &SignIn, person: &Person, token: &str) -> Value {
    let mut answer = json!({
        "authorization": {
            "code": format!("c{:032x}.0.sandbox", rand::random::<u128>()),
            "id_token": token,
            "state": asked.state,
        },
    });
    if state.named.insert(person.subject(Provider::Apple)) {
        answer["user"] = json!({
            "email": person.email,
            "name": { "firstName": person.first_name, "lastName": person.last_name },
        });
    }
    answer
}

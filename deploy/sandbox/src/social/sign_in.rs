//! The response of a provider's script to the page after a sign-in.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    access_token::AccessToken,
    cases::Case,
    id_tokens::{self, TokenRequest},
    people::{Person, PersonRef},
    provider::Provider,
    simulator::{Social, State},
};

/// A person chosen in the sign-in window or by a test.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    pub provider: Provider,
    pub client_id: String,
    #[serde(default)]
    pub nonce: Option<String>,
    #[serde(default)]
    pub state: Option<String>,
    pub person: PersonRef,
    #[serde(default)]
    pub case: Case,
}

#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    #[error("invalid_client: {0} is not registered with this provider")]
    UnknownClient(String),
    #[error("there is no such person")]
    UnknownPerson,
    #[error("the case does not apply to this provider")]
    CaseNotApplicable,
    #[error("there is no earlier sign-in")]
    NothingToReplay,
}

/// Who signs in, with which case, and when.
struct Subject {
    person: Person,
    case: Case,
    now: i64,
}

impl Social {
    /// The response as the provider's script passes it to the page.
    pub fn sign_in(&self, request: SignIn, now: i64) -> Result<Value, SignInError> {
        if request.client_id != self.clients.of(request.provider) {
            return Err(SignInError::UnknownClient(request.client_id));
        }
        let mut state = self.state();
        let case = match (request.case, state.next_cases.get(&request.provider)) {
            (Case::Valid, Some(armed)) => *armed,
            (case, _) => case,
        };
        if !case.applies_to(request.provider) {
            return Err(SignInError::CaseNotApplicable);
        }
        if case == Case::Replayed {
            let last = state.last_responses.get(&request.provider).cloned();
            state.next_cases.remove(&request.provider);
            return last.ok_or(SignInError::NothingToReplay);
        }
        let person = request.person.clone().find().ok_or(SignInError::UnknownPerson)?;
        state.next_cases.remove(&request.provider);
        let subject = Subject { person, case, now };
        let response = match request.provider {
            Provider::Facebook => self.facebook(&mut state, &subject),
            Provider::Apple | Provider::Google => self.with_id_token(&mut state, &request, &subject),
        };
        if matches!(case, Case::Valid | Case::RotatedKey) {
            state.last_responses.insert(request.provider, response.clone());
        }
        Ok(response)
    }

    fn with_id_token(&self, state: &mut State, request: &SignIn, subject: &Subject) -> Value {
        let Subject { person, case, now } = subject;
        let issuer = self.issuer(request.provider);
        let token_request = TokenRequest {
            provider: request.provider,
            issuer: &issuer,
            client_id: &request.client_id,
            nonce: request.nonce.as_deref(),
            now: *now,
        };
        let Some(ring) = state.keys(request.provider) else {
            return Value::Null;
        };
        if *case == Case::RotatedKey {
            ring.rotate();
        }
        let token = id_tokens::write(ring, &token_request, person, *case);
        match request.provider {
            Provider::Apple => apple(state, request, person, &token),
            Provider::Google | Provider::Facebook => json!({
                "clientId": request.client_id,
                "client_id": request.client_id,
                "credential": token,
                "select_by": "btn",
            }),
        }
    }

    fn facebook(&self, state: &mut State, subject: &Subject) -> Value {
        let Subject { person, case, now } = subject;
        let token = AccessToken::new(&self.clients, person, *case, *now);
        let response = json!({
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
        if *case != Case::Forged {
            state.store_token(token);
        }
        response
    }
}

/// Apple sends the name with the first sign-in only.
fn apple(state: &mut State, request: &SignIn, person: &Person, token: &str) -> Value {
    let mut response = json!({
        "authorization": {
            "code": format!("c{:032x}.0.sandbox", rand::random::<u128>()),
            "id_token": token,
            "state": request.state,
        },
    });
    if state.named.insert(person.subject(Provider::Apple)) {
        response["user"] = json!({
            "email": person.email,
            "name": { "firstName": person.first_name, "lastName": person.last_name },
        });
    }
    response
}

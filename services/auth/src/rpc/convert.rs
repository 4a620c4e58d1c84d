//! Messages ⇄ domain.
use chrono::{DateTime, Utc};
use proto::Timestamp;
use proto::auth::v1::{AuthenticateResponse, RegisterRequest, Session, SignInRequest, User as UserMessage};

use crate::domain::registration::{Form, Registration};
use crate::domain::sign_in::Credentials;
use crate::domain::user::User;
use crate::error::Error;
use crate::flows::{Authenticated, SignedIn};

pub fn registration(request: RegisterRequest) -> Result<Registration, Error> {
    let form = Form {
        name: request.name,
        email: request.email,
        password: request.password,
        lang: request.lang,
        country: request.country,
        order_id: request.order_id,
        idempotency_key: request.idempotency_key,
    };
    Registration::parse(&form).map_err(Error::Invalid)
}

pub fn credentials(request: &SignInRequest) -> Result<Credentials, Error> {
    Credentials::parse(&request.email, &request.password, &request.lang).map_err(Error::Invalid)
}

pub fn signed_in(signed_in: SignedIn) -> (UserMessage, Session) {
    let session = Session {
        token: signed_in.token.expose().to_owned(),
        expires_at: Some(timestamp(signed_in.expires_at)),
    };
    (user(signed_in.user), session)
}

pub fn authenticated(authenticated: Authenticated) -> AuthenticateResponse {
    AuthenticateResponse {
        user: Some(user(authenticated.user)),
        expires_at: Some(timestamp(authenticated.expires_at)),
    }
}

fn user(user: User) -> UserMessage {
    UserMessage {
        user_id: user.id.to_string(),
        full_name: user.full_name,
        email: user.email.as_str().to_owned(),
        is_coaching_user: user.entitlements.coaching,
        is_therapy_user: user.entitlements.therapy,
    }
}

fn timestamp(at: DateTime<Utc>) -> Timestamp {
    Timestamp::from(at)
}

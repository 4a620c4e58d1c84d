//! Messages ⇄ domain.
use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use kit::error::{ErrorCode, FieldError};
use proto::Timestamp;
use proto::auth::v1::{
    AuthenticateResponse, Caller as CallerMessage, Device as DeviceMessage, ForgotPasswordRequest,
    GrantTemporaryPremiumRequest, IssueAccessTokenResponse, IssueHandoffTokenRequest,
    IssueHandoffTokenResponse, IssueSocialNonceResponse, ListDevicesResponse, PublicKey as PublicKeyMessage,
    RedeemHandoffTokenResponse, RefreshSessionResponse, RegisterByEmailRequest, RegisterRequest,
    ResetPasswordRequest, Session, SignInRequest, SignInResponse, SignInSociallyRequest,
    UpdateProfileRequest, User as UserMessage,
};

use crate::crypto::access_tokens::public_text;
use crate::crypto::tokens::OpaqueToken;
use crate::domain::caller::Caller;
use crate::domain::device::Device;
use crate::domain::email::Email;
use crate::domain::forms::fields::{self, collect_error};
use crate::domain::forms::profile::{self, ProfileUpdate};
use crate::domain::forms::recovery::{ForgotPassword, PasswordReset};
use crate::domain::forms::registration::{EmailForm, Form, Registration, RequestContext};
use crate::domain::forms::sign_in::{self, Credentials};
use crate::domain::handoff::Purpose;
use crate::domain::social::{Provider, SocialSignIn};
use crate::domain::user::User;
use crate::domain::user::role::ActiveRoles;
use crate::error::Error;
use crate::flows::{
    Authenticated, Device as OpenedDevice, Devices, Issued, IssuedAccessToken, PublicKey, Redeemed,
    Refreshed, SignInOutcome, SignedIn, SocialNonce,
};

pub fn registration(request: RegisterRequest) -> Result<Registration, Error> {
    let form = Form {
        name: request.name,
        email: request.email,
        password: request.password,
        context: RequestContext {
            lang: request.lang,
            country: request.country,
            order_id: request.order_id,
            idempotency_key: request.idempotency_key,
            caller: caller(request.caller),
        },
    };
    Registration::parse(form).map_err(Error::Invalid)
}

pub fn email_registration(request: RegisterByEmailRequest) -> Result<Registration, Error> {
    let form = EmailForm {
        email: request.email,
        context: RequestContext {
            lang: request.lang,
            country: request.country,
            order_id: request.order_id,
            idempotency_key: request.idempotency_key,
            caller: caller(request.caller),
        },
    };
    Registration::parse_email_only(form).map_err(Error::Invalid)
}

pub fn credentials(request: SignInRequest) -> Result<Credentials, Error> {
    let form = sign_in::Form {
        email: request.email,
        password: request.password,
        lang: request.lang,
        social_browser: request.social_browser,
        join_provider: request.join_provider,
        caller: caller(request.caller),
    };
    Credentials::parse(form).map_err(Error::Invalid)
}

pub fn social_sign_in(request: SignInSociallyRequest) -> Result<SocialSignIn, Error> {
    let provider = Provider::parse(&request.provider).ok_or(Error::SocialNotOffered)?;
    let mut errors = Vec::new();
    let attempt = SocialSignIn {
        provider,
        token: request.token,
        browser: request.social_browser,
        claimed_email: request.claimed_email,
        claimed_id: request.claimed_id,
        name: Some(request.name).filter(|name| !name.is_empty()),
        lang: collect_error(&mut errors, fields::lang(&request.lang)),
        country: collect_error(&mut errors, fields::country(&request.country)),
        order_id: collect_error(&mut errors, fields::order_id(&request.order_id)),
        existing_only: request.existing_only,
        idempotency_key: collect_error(&mut errors, fields::idempotency_key(&request.idempotency_key)),
        caller: caller(request.caller),
    };
    if errors.is_empty() {
        Ok(attempt)
    } else {
        Err(Error::Invalid(errors))
    }
}

pub fn social_nonce(issued: SocialNonce) -> IssueSocialNonceResponse {
    IssueSocialNonceResponse {
        nonce: issued.nonce,
        expires_at: Some(Timestamp::from(issued.expires_at)),
        social_browser: issued.browser.expose().to_owned(),
    }
}

pub fn forgotten(request: ForgotPasswordRequest) -> Result<ForgotPassword, Error> {
    ForgotPassword::parse(&request.email, &request.lang, caller(request.caller)).map_err(Error::Invalid)
}

pub fn reset(request: ResetPasswordRequest) -> Result<PasswordReset, Error> {
    PasswordReset::parse(request.token, &request.password).map_err(Error::Invalid)
}

pub fn profile_update(request: UpdateProfileRequest) -> Result<ProfileUpdate, Error> {
    let form = profile::Form {
        full_name: request.full_name,
        email: request.email,
        password: request.password,
        current_password: request.current_password,
        caller: caller(request.caller),
    };
    ProfileUpdate::parse(form).map_err(Error::Invalid)
}

pub fn caller(message: Option<CallerMessage>) -> Caller {
    let message = message.unwrap_or_default();
    Caller {
        device: Device::from_user_agent(&message.user_agent),
        address: message.address,
        device_cookie: message.device_cookie,
        session: message.session,
    }
}

pub fn purpose(request: &IssueHandoffTokenRequest) -> Result<Purpose, Error> {
    Purpose::parse(&request.purpose).map_err(|error| Error::Invalid(vec![error]))
}

/// There is one so far.
pub fn subscription_type(request: &GrantTemporaryPremiumRequest) -> Result<(), Error> {
    match request.subscription_type.as_str() {
        "soul" => Ok(()),
        _ => Err(Error::Invalid(vec![FieldError::new(
            "subscriptionType",
            ErrorCode::Invalid,
            "The only one is soul.",
        )])),
    }
}

pub fn issued(issued: &Issued) -> IssueHandoffTokenResponse {
    IssueHandoffTokenResponse {
        handoff_token: issued.token.expose().to_owned(),
        expires_at: Some(Timestamp::from(issued.expires_at)),
    }
}

pub fn signed(signed: IssuedAccessToken) -> IssueAccessTokenResponse {
    let lives = signed.claims.exp - signed.claims.iat;
    IssueAccessTokenResponse {
        access_token: signed.token,
        expires_in_secs: i32::try_from(lives).unwrap_or_default(),
    }
}

pub fn public_key(public: PublicKey) -> PublicKeyMessage {
    PublicKeyMessage {
        key_id: public.key_id,
        x: public_text(&public.key),
    }
}

pub fn sign_in_outcome(outcome: SignInOutcome) -> SignInResponse {
    match outcome {
        SignInOutcome::SignedIn(opened) => {
            let (user, session, device_cookie) = signed_in(opened);
            SignInResponse {
                user: Some(user),
                session: Some(session),
                device_cookie,
                challenge: String::new(),
            }
        }
        SignInOutcome::Challenged(challenge) => SignInResponse {
            challenge: challenge.expose().to_owned(),
            ..SignInResponse::default()
        },
    }
}

/// The user, their session and the mark for the browser.
pub fn signed_in(signed_in: SignedIn) -> (UserMessage, Session, String) {
    let session = session(&signed_in.token, signed_in.expires_at);
    (user(signed_in.user), session, signed_in.device_cookie)
}

pub fn redeemed(redeemed: Redeemed) -> RedeemHandoffTokenResponse {
    match redeemed {
        Redeemed::Opened(opened) => {
            let (user, session, device_cookie) = signed_in(opened);
            RedeemHandoffTokenResponse {
                user: Some(user),
                session: Some(session),
                device_cookie,
            }
        }
        Redeemed::AlreadySignedIn(member) => RedeemHandoffTokenResponse {
            user: Some(user(member)),
            ..RedeemHandoffTokenResponse::default()
        },
    }
}

pub fn authenticated(authenticated: Authenticated) -> AuthenticateResponse {
    let authentication = authenticated.authentication;
    let methods = authentication.step_up_methods().iter();
    let ActiveRoles {
        roles,
        second_factor_missing,
    } = authenticated.roles;
    AuthenticateResponse {
        by_access_token: authenticated.by_access_token,
        user: Some(user(authenticated.user)),
        expires_at: Some(Timestamp::from(authenticated.expires_at)),
        authenticated_at: authentication.authenticated_at.map(Timestamp::from),
        is_recently_authenticated: authenticated.is_recent,
        step_up_methods: methods.map(|method| method.as_str().to_owned()).collect(),
        roles: roles.into_iter().map(|role| role.as_str().to_owned()).collect(),
        second_factor_missing,
    }
}

pub fn refreshed(refreshed: Refreshed) -> RefreshSessionResponse {
    let expires_at = refreshed.expires_at;
    RefreshSessionResponse {
        user: Some(user(refreshed.user)),
        expires_at: Some(Timestamp::from(expires_at)),
        renewed: refreshed.renewed.map(|token| session(&token, expires_at)),
    }
}

pub fn devices(devices: Devices) -> ListDevicesResponse {
    let current = devices.current;
    let device = |opened: OpenedDevice| DeviceMessage {
        session_id: opened.session_id.to_string(),
        browser: opened.browser,
        system: opened.system,
        signed_in_at: Some(by_the_hour(opened.created_at)),
        last_seen_at: Some(by_the_hour(opened.last_seen_at)),
        is_current: opened.session_id == current,
    };
    ListDevicesResponse {
        devices: devices.opened.into_iter().map(device).collect(),
    }
}

pub fn optional_email(email: Option<&Email>) -> String {
    email.map(Email::as_str).unwrap_or_default().to_owned()
}

pub fn user(user: User) -> UserMessage {
    let (first_name, last_name) = user.first_and_last_name();
    UserMessage {
        user_id: user.id.to_string(),
        first_name: first_name.to_owned(),
        last_name: last_name.to_owned(),
        email: user.email.as_str().to_owned(),
        is_premium_user: user.entitlements.premium,
        is_coaching_user: user.entitlements.coaching,
        is_therapy_user: user.entitlements.therapy,
        full_name: user.full_name,
    }
}

fn session(token: &OpaqueToken, expires_at: DateTime<Utc>) -> Session {
    Session {
        token: token.expose().to_owned(),
        expires_at: Some(Timestamp::from(expires_at)),
    }
}

fn by_the_hour(at: DateTime<Utc>) -> Timestamp {
    Timestamp::from(at.duration_trunc(TimeDelta::hours(1)).unwrap_or(at))
}

//! The member's profile, devices and e-mail address, and password recovery.
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, SET_COOKIE};
use proto::auth::v1::{
    ConfirmEmailRequest, Device, ForgotPasswordRequest, ListDevicesRequest, RegisterByEmailRequest,
    ResetPasswordRequest, SignOutDeviceRequest, SignOutEverywhereRequest, UpdateProfileRequest, User,
};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::openapi::parameters::{IdempotencyKeyParam, NotSignedIn, RedirectPageParam, Throttled};
use crate::protocol::error::{HandlerResult, ProblemBody};
use crate::rest::auth::session;
use crate::rest::auth::session::SignUpResponses;
use crate::rest::auth::sign_in_context::SignInContext;
use crate::rest::body::{Json, JsonOrForm};
use crate::rest::viewer::Viewer;
use crate::state::AppState;

/// Other fields of the form, a constant name and password, are ignored.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct EmailSignup {
    #[schema(example = "ada@example.org", format = Email, required = true)]
    email: String,
    #[schema(example = "tr")]
    lang: Option<String>,
    /// The survey order of this sign-up.
    orderid: Option<String>,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ForgotPasswordBody {
    #[schema(example = "ada@example.org", format = Email, required = true)]
    email: String,
    #[schema(example = "tr")]
    lang: Option<String>,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ResetPasswordBody {
    /// From the mailed link.
    #[schema(example = "2f1c…")]
    token: String,
    #[schema(example = "another quiet place", format = Password)]
    password: String,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ProfileUpdate {
    #[schema(example = "Ada Yılmaz")]
    fullname: String,
    #[schema(example = "ada@example.org", format = Email)]
    email: String,
    /// The new password.
    #[schema(example = "a quiet place", format = Password)]
    password: String,
    /// The current password. Replaces a recent authentication for a member without a second factor.
    #[serde(rename = "currentPassword")]
    #[schema(format = Password)]
    current_password: Option<String>,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct MailedToken {
    /// From the mailed link.
    #[schema(example = "2f1c…")]
    token: String,
}

impl MailedToken {
    pub fn into_token(self) -> String {
        self.token
    }
}

#[derive(Serialize, ToSchema)]
pub struct UpdatedProfile {
    #[serde(flatten)]
    profile: Profile,
    /// The new address, to which a link was mailed. It becomes active when the link is used.
    #[serde(rename = "pendingEmail")]
    #[schema(example = "king@example.org")]
    pending_email: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Profile {
    user_id: String,
    #[schema(example = "Ada Yılmaz")]
    fullname: String,
    #[schema(example = "ada@example.org")]
    email: String,
    #[serde(rename = "isCoachingUser")]
    is_coaching_user: bool,
    #[serde(rename = "isTherapyUser")]
    is_therapy_user: bool,
}

impl From<User> for Profile {
    fn from(user: User) -> Self {
        Self {
            user_id: user.user_id,
            fullname: user.full_name,
            email: user.email,
            is_coaching_user: user.is_coaching_user,
            is_therapy_user: user.is_therapy_user,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct Devices {
    devices: Vec<SignedInDevice>,
}

/// A signed-in browser. Times are rounded to the hour.
#[derive(Serialize, ToSchema)]
pub struct SignedInDevice {
    #[schema(example = "ses_0193…")]
    id: String,
    /// Empty if the user agent is unknown.
    #[schema(example = "Firefox")]
    browser: String,
    #[schema(example = "Android")]
    system: String,
    #[schema(format = DateTime, value_type = String)]
    signed_in_at: Option<String>,
    #[schema(format = DateTime, value_type = String)]
    last_seen_at: Option<String>,
    /// The session of this request.
    is_current: bool,
}

impl From<Device> for SignedInDevice {
    fn from(device: Device) -> Self {
        Self {
            id: device.session_id,
            browser: device.browser,
            system: device.system,
            signed_in_at: device.signed_in_at.and_then(session::rfc3339),
            last_seen_at: device.last_seen_at.and_then(session::rfc3339),
            is_current: device.is_current,
        }
    }
}

/// Creates an account without a password, signs it in and mails a link to choose one.
#[utoipa::path(
    post, path = "/api/auth/email-signup", tag = "auth", request_body(content((EmailSignup = "application/json"), (EmailSignup = "application/x-www-form-urlencoded"))),
    params(IdempotencyKeyParam, RedirectPageParam), responses(SignUpResponses)
)]
pub async fn email_signup(
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    JsonOrForm(body): JsonOrForm<EmailSignup>,
) -> HandlerResult<Response> {
    let request = RegisterByEmailRequest {
        email: body.email,
        lang: body.lang.unwrap_or_default(),
        country: context.country(&app, None),
        order_id: body.orderid.unwrap_or_default(),
        idempotency_key: context.idempotency_key,
        caller: Some(context.caller),
    };
    let answer = app.clients.auth().register_by_email(request).await?.into_inner();
    session::signed_in(&app, StatusCode::CREATED, answer, context.redirect_page)
}

/// Mails a link to choose a new password. The response does not reveal whether the address has an account.
#[utoipa::path(
    post, path = "/api/auth/forgot-password", tag = "auth", request_body(content((ForgotPasswordBody = "application/json"), (ForgotPasswordBody = "application/x-www-form-urlencoded"))),
    responses(
        (status = 202, description = "If the address has an account, a mail is sent"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED"),
        Throttled,
    )
)]
pub async fn forgot_password(
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    JsonOrForm(body): JsonOrForm<ForgotPasswordBody>,
) -> HandlerResult<StatusCode> {
    let request = ForgotPasswordRequest {
        email: body.email,
        lang: body.lang.unwrap_or_default(),
        caller: Some(context.caller),
    };
    app.clients.auth().forgot_password(request).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Sets a new password with a mailed link and ends all sessions. A sign-in must follow.
#[utoipa::path(
    post, path = "/api/auth/reset-password", tag = "auth", request_body(content((ResetPasswordBody = "application/json"), (ResetPasswordBody = "application/x-www-form-urlencoded"))),
    responses(
        (status = 204),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "LINK_EXPIRED, or VALIDATION_FAILED for the password"),
    )
)]
pub async fn reset_password(
    State(app): State<Arc<AppState>>,
    JsonOrForm(body): JsonOrForm<ResetPasswordBody>,
) -> HandlerResult<StatusCode> {
    let request = ResetPasswordRequest {
        token: body.token,
        password: body.password,
    };
    app.clients.auth().reset_password(request).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The member's profile.
#[utoipa::path(
    get, path = "/api/profile", tag = "auth",
    responses(
        (status = 200, body = Profile),
        NotSignedIn,
    )
)]
pub async fn profile(viewer: Viewer) -> Response {
    (
        [(CACHE_CONTROL, "no-store")],
        axum::Json(Profile::from(viewer.user)),
    )
        .into_response()
}

/// Changes name and password, and mails a link to a new address.
/// The new address becomes active when the link is used. A new password ends the member's other sessions.
#[utoipa::path(
    put, path = "/api/profile", tag = "auth", security(("session" = [])), request_body = ProfileUpdate,
    responses(
        (status = 200, body = UpdatedProfile),
        NotSignedIn,
        (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "STEP_UP_REQUIRED, with `methods`: the authentication is older than ten minutes; WRONG_PASSWORD"),
        (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "R100: the address has an account"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED: fullname, email, password"),
        Throttled,
    )
)]
pub async fn update_profile(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    Json(body): Json<ProfileUpdate>,
) -> HandlerResult<Response> {
    let request = UpdateProfileRequest {
        token: viewer.token.expose_secret().to_owned(),
        full_name: body.fullname,
        email: body.email,
        password: body.password,
        current_password: body.current_password.unwrap_or_default(),
        caller: Some(context.caller),
    };
    let answer = app.clients.auth().update_profile(request).await?.into_inner();
    let body = UpdatedProfile {
        profile: answer.user.ok_or_else(session::incomplete_response)?.into(),
        pending_email: Some(answer.pending_email).filter(|email| !email.is_empty()),
    };
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(body)).into_response())
}

/// Makes the new address active, with the link mailed to it. The former address receives a link that reverts the change.
#[utoipa::path(
    post, path = "/api/auth/confirm-email", tag = "auth", request_body = MailedToken,
    responses(
        (status = 204),
        (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "R100: another account has the address"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "LINK_EXPIRED"),
    )
)]
pub async fn confirm_email(
    State(app): State<Arc<AppState>>,
    Json(body): Json<MailedToken>,
) -> HandlerResult<StatusCode> {
    let request = ConfirmEmailRequest { token: body.token };
    app.clients.auth().confirm_email(request).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The devices on which the member is signed in, most recently used first.
#[utoipa::path(
    get, path = "/api/auth/devices", tag = "auth",
    responses(
        (status = 200, body = Devices),
        NotSignedIn,
    )
)]
pub async fn devices(viewer: Viewer, State(app): State<Arc<AppState>>) -> HandlerResult<Response> {
    let request = ListDevicesRequest {
        token: viewer.token.expose_secret().to_owned(),
    };
    let answer = app.clients.auth().list_devices(request).await?.into_inner();
    let devices = answer.devices.into_iter().map(SignedInDevice::from).collect();
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(Devices { devices })).into_response())
}

/// Signs the member out on one device. Another member's device id is ignored, with the same response.
#[utoipa::path(
    delete, path = "/api/auth/devices/{id}", tag = "auth",
    params(("id" = String, Path, description = "From the list of devices")),
    responses(
        (status = 204),
        NotSignedIn,
    )
)]
pub async fn sign_out_device(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    Path(id): Path<String>,
) -> HandlerResult<StatusCode> {
    let request = SignOutDeviceRequest {
        token: viewer.token.expose_secret().to_owned(),
        session_id: id,
    };
    app.clients.auth().sign_out_device(request).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Signs the member out on all devices, including this one.
#[utoipa::path(
    post, path = "/api/auth/logout-everywhere", tag = "auth",
    responses(
        (status = 204),
        NotSignedIn,
    )
)]
pub async fn sign_out_everywhere(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
) -> HandlerResult<Response> {
    let request = SignOutEverywhereRequest {
        token: viewer.token.expose_secret().to_owned(),
    };
    app.clients.auth().sign_out_everywhere(request).await?;
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, app.session_cookie.clear())]).into_response())
}

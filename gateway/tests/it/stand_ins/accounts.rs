//! Auth: one member, whose session is `alive`; `old` is theirs too and is to be replaced; `signed` is their access token.
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use kit::error::{ErrorCode, Failure, Kind};
use proto::auth::v1::auth_service_server::AuthService;
use proto::auth::v1::{
    AuthenticateRequest, AuthenticateResponse, ConfirmEmailRequest, ConfirmEmailResponse, Device,
    ExportMemberRequest, ExportMemberResponse, ForgotPasswordRequest, ForgotPasswordResponse,
    GetErasureRequest, GetErasureResponse, GrantTemporaryPremiumRequest, GrantTemporaryPremiumResponse,
    IssueAccessTokenRequest, IssueAccessTokenResponse, IssueHandoffTokenRequest, IssueHandoffTokenResponse,
    IssueSocialNonceRequest, IssueSocialNonceResponse, ListDevicesRequest, ListDevicesResponse,
    ListPublicKeysRequest, ListPublicKeysResponse, PublicKey, RedeemHandoffTokenRequest,
    RedeemHandoffTokenResponse, RefreshSessionRequest, RefreshSessionResponse, RegisterByEmailRequest,
    RegisterByEmailResponse, RegisterRequest, RegisterResponse, RequestErasureRequest,
    RequestErasureResponse, ResetPasswordRequest, ResetPasswordResponse, Session, SignInRequest,
    SignInResponse, SignInSociallyRequest, SignInSociallyResponse, SignOutDeviceRequest,
    SignOutDeviceResponse, SignOutEverywhereRequest, SignOutEverywhereResponse, SignOutRequest,
    SignOutResponse, UpdateProfileRequest, UpdateProfileResponse, User,
};
use proto::export::v1::{Account, AuthExport};
use tonic::{Request, Response, Status};

use super::members::{erasure, user};
use super::{Answer, FakeServices, a_month_on, refuse};

pub struct Auth(pub Arc<FakeServices>);

const MARK: &str = "a-mark";

fn session(token: &str) -> Session {
    Session {
        token: token.into(),
        expires_at: Some(a_month_on()),
    }
}

fn known(token: &str) -> Result<(), Status> {
    match token {
        "alive" | "old" | "signed" => Ok(()),
        _ => Err(Failure::new(
            Kind::Unauthenticated,
            ErrorCode::SessionExpired,
            "The session is over.",
        )
        .into()),
    }
}

fn missing(field: &str) -> Status {
    Failure::new(Kind::Invalid, ErrorCode::ValidationFailed, "Check the fields.")
        .field(field, ErrorCode::Required, "Enter it.")
        .into()
}

#[async_trait]
impl AuthService for Auth {
    async fn register(&self, request: Request<RegisterRequest>) -> Answer<RegisterResponse> {
        let request = request.into_inner();
        *self.0.registered.lock().unwrap() = Some(request.clone());
        match request.email.as_str() {
            "taken@example.org" => refuse(Kind::Conflict, "R100", "This address already has an account."),
            "" => Err(missing("email")),
            email => Ok(Response::new(RegisterResponse {
                user: Some(user(email)),
                session: Some(session("alive")),
                device_cookie: MARK.into(),
            })),
        }
    }

    async fn register_by_email(
        &self,
        request: Request<RegisterByEmailRequest>,
    ) -> Answer<RegisterByEmailResponse> {
        let request = request.into_inner();
        *self.0.registered_by_email.lock().unwrap() = Some(request.clone());
        match request.email.as_str() {
            "taken@example.org" => refuse(Kind::Conflict, "R100", "This address already has an account."),
            "" => Err(missing("email")),
            email => Ok(Response::new(RegisterByEmailResponse {
                user: Some(user(email)),
                session: Some(session("alive")),
                device_cookie: MARK.into(),
            })),
        }
    }

    async fn sign_in(&self, request: Request<SignInRequest>) -> Answer<SignInResponse> {
        let request = request.into_inner();
        *self.0.signed_in.lock().unwrap() = Some(request.clone());
        match request.password.as_str() {
            "right" => Ok(Response::new(SignInResponse {
                user: Some(user(&request.email)),
                session: Some(session("alive")),
                device_cookie: MARK.into(),
            })),
            "throttled" => Err(Failure::new(Kind::TooMany, ErrorCode::TooManyAttempts, "Wait.")
                .retry_after(Duration::from_mins(10))
                .into()),
            _ => refuse(
                Kind::Unauthenticated,
                "INVALID_CREDENTIALS",
                "E-mail or password is wrong.",
            ),
        }
    }

    async fn issue_social_nonce(
        &self,
        request: Request<IssueSocialNonceRequest>,
    ) -> Answer<IssueSocialNonceResponse> {
        let kept = request.into_inner().social_browser;
        let soon: chrono::DateTime<chrono::Utc> = "2026-11-20T12:10:00Z".parse().unwrap();
        Ok(Response::new(IssueSocialNonceResponse {
            nonce: "n-1".into(),
            expires_at: Some(soon.into()),
            social_browser: if kept.is_empty() { "fresh".into() } else { kept },
        }))
    }

    async fn sign_in_socially(
        &self,
        request: Request<SignInSociallyRequest>,
    ) -> Answer<SignInSociallyResponse> {
        let request = request.into_inner();
        *self.0.signed_in_socially.lock().unwrap() = Some(request.clone());
        let no = |kind, code| refuse(kind, code, "No.");
        match request.token.as_str() {
            token @ ("new" | "known") => Ok(Response::new(SignInSociallyResponse {
                user: Some(user(&request.claimed_email)),
                session: Some(session("alive")),
                device_cookie: MARK.into(),
                is_new: token == "new",
            })),
            "unconfirmed" => no(Kind::Refused, "SOCIAL_EMAIL_UNVERIFIED"),
            "elsewhere" => no(Kind::NotFound, "SOCIAL_NOT_OFFERED"),
            "taken" => no(Kind::Conflict, "SOCIAL_LINK_REQUIRED"),
            "unanswered" => Err(
                Failure::new(Kind::Unavailable, ErrorCode::SocialUnavailable, "No.")
                    .retry_after(Duration::from_secs(5))
                    .into(),
            ),
            _ => no(Kind::Unauthenticated, "SOCIAL_TOKEN_INVALID"),
        }
    }

    async fn sign_out(&self, request: Request<SignOutRequest>) -> Answer<SignOutResponse> {
        self.0.signed_out.lock().unwrap().push(request.into_inner().token);
        Ok(Response::new(SignOutResponse {}))
    }

    async fn authenticate(&self, request: Request<AuthenticateRequest>) -> Answer<AuthenticateResponse> {
        self.0.note_deadline("authenticate", &request);
        if self.0.auth_down.load(Ordering::SeqCst) {
            return Err(Status::unavailable("connect to 10.0.0.7:50052 refused"));
        }
        let token = request.into_inner().token;
        known(&token)?;
        Ok(Response::new(AuthenticateResponse {
            user: Some(user("ada@example.org")),
            expires_at: Some(a_month_on()),
            by_access_token: token == "signed",
        }))
    }

    async fn refresh_session(
        &self,
        request: Request<RefreshSessionRequest>,
    ) -> Answer<RefreshSessionResponse> {
        if self.0.auth_down.load(Ordering::SeqCst) {
            return Err(Status::unavailable("connect to 10.0.0.7:50052 refused"));
        }
        let token = request.into_inner().token;
        known(&token)?;
        Ok(Response::new(RefreshSessionResponse {
            user: Some(user("ada@example.org")),
            expires_at: Some(a_month_on()),
            renewed: (token == "old").then(|| session("alive")),
        }))
    }

    async fn list_devices(&self, request: Request<ListDevicesRequest>) -> Answer<ListDevicesResponse> {
        known(&request.into_inner().token)?;
        let seen: chrono::DateTime<chrono::Utc> = "2026-11-20T12:00:00Z".parse().unwrap();
        let devices = vec![Device {
            session_id: "ses_1".into(),
            browser: "Firefox".into(),
            system: "Android".into(),
            signed_in_at: Some(seen.into()),
            last_seen_at: Some(seen.into()),
            is_current: true,
        }];
        Ok(Response::new(ListDevicesResponse { devices }))
    }

    async fn sign_out_device(&self, request: Request<SignOutDeviceRequest>) -> Answer<SignOutDeviceResponse> {
        let request = request.into_inner();
        known(&request.token)?;
        self.0.signed_out.lock().unwrap().push(request.session_id);
        Ok(Response::new(SignOutDeviceResponse {}))
    }

    async fn sign_out_everywhere(
        &self,
        request: Request<SignOutEverywhereRequest>,
    ) -> Answer<SignOutEverywhereResponse> {
        known(&request.into_inner().token)?;
        self.0.signed_out.lock().unwrap().push("everywhere".into());
        Ok(Response::new(SignOutEverywhereResponse {}))
    }

    async fn update_profile(&self, request: Request<UpdateProfileRequest>) -> Answer<UpdateProfileResponse> {
        let request = request.into_inner();
        known(&request.token)?;
        if request.email == "taken@example.org" {
            return refuse(Kind::Conflict, "R100", "This address already has an account.");
        }
        if request.full_name.is_empty() {
            return Err(missing("fullname"));
        }
        if request.password == "another place" && request.current_password != "right" {
            return refuse(
                Kind::Forbidden,
                "CURRENT_PASSWORD_REQUIRED",
                "Enter your current password.",
            );
        }
        let present = "ada@example.org";
        let user = User {
            full_name: request.full_name,
            ..user(present)
        };
        Ok(Response::new(UpdateProfileResponse {
            user: Some(user),
            pending_email: Some(request.email)
                .filter(|email| email != present)
                .unwrap_or_default(),
        }))
    }

    async fn confirm_email(&self, request: Request<ConfirmEmailRequest>) -> Answer<ConfirmEmailResponse> {
        match request.into_inner().token.as_str() {
            "mailed" => Ok(Response::new(ConfirmEmailResponse {})),
            "taken" => refuse(Kind::Conflict, "R100", "This address already has an account."),
            _ => refuse(
                Kind::Refused,
                "LINK_EXPIRED",
                "This link was used or has expired.",
            ),
        }
    }

    async fn forgot_password(
        &self,
        request: Request<ForgotPasswordRequest>,
    ) -> Answer<ForgotPasswordResponse> {
        let request = request.into_inner();
        if request.email.is_empty() {
            return Err(missing("email"));
        }
        *self.0.forgotten.lock().unwrap() = Some(request);
        Ok(Response::new(ForgotPasswordResponse {}))
    }

    async fn reset_password(&self, request: Request<ResetPasswordRequest>) -> Answer<ResetPasswordResponse> {
        match request.into_inner().token.as_str() {
            "mailed" => Ok(Response::new(ResetPasswordResponse {})),
            _ => refuse(
                Kind::Refused,
                "LINK_EXPIRED",
                "This link was used or has expired.",
            ),
        }
    }
    async fn issue_handoff_token(
        &self,
        request: Request<IssueHandoffTokenRequest>,
    ) -> Answer<IssueHandoffTokenResponse> {
        let request = request.into_inner();
        known(&request.token)?;
        if request.purpose != "autologin" {
            return Err(missing("purpose"));
        }
        Ok(Response::new(IssueHandoffTokenResponse {
            handoff_token: "handed".into(),
            expires_at: Some(a_month_on()),
        }))
    }

    async fn redeem_handoff_token(
        &self,
        request: Request<RedeemHandoffTokenRequest>,
    ) -> Answer<RedeemHandoffTokenResponse> {
        let request = request.into_inner();
        let is_member_here = request.caller.is_some_and(|caller| caller.session == "alive");
        match request.handoff_token.as_str() {
            "own" if is_member_here => Ok(Response::new(RedeemHandoffTokenResponse {
                user: Some(user("ada@example.org")),
                ..RedeemHandoffTokenResponse::default()
            })),
            "handed" if is_member_here => refuse(Kind::Refused, "TOKEN_OTHER_MEMBER", "Another member's."),
            "handed" => Ok(Response::new(RedeemHandoffTokenResponse {
                user: Some(user("grace@example.org")),
                session: Some(session("alive")),
                device_cookie: MARK.into(),
            })),
            "used" => refuse(
                Kind::Refused,
                "TOKEN_EXPIRED",
                "This token was used or has expired.",
            ),
            _ => refuse(Kind::Refused, "TOKEN_UNKNOWN", "This is no token of ours."),
        }
    }

    async fn grant_temporary_premium(
        &self,
        request: Request<GrantTemporaryPremiumRequest>,
    ) -> Answer<GrantTemporaryPremiumResponse> {
        let request = request.into_inner();
        known(&request.token)?;
        if request.subscription_type != "soul" {
            return Err(missing("subscriptionType"));
        }
        Ok(Response::new(GrantTemporaryPremiumResponse {
            premium_until: Some(a_month_on()),
        }))
    }
    async fn issue_access_token(
        &self,
        request: Request<IssueAccessTokenRequest>,
    ) -> Answer<IssueAccessTokenResponse> {
        known(&request.into_inner().token)?;
        Ok(Response::new(IssueAccessTokenResponse {
            access_token: "a.b.c".into(),
            expires_in_secs: 900,
        }))
    }

    async fn list_public_keys(
        &self,
        _request: Request<ListPublicKeysRequest>,
    ) -> Answer<ListPublicKeysResponse> {
        let keys = vec![PublicKey {
            key_id: "k-1".into(),
            x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo".into(),
        }];
        Ok(Response::new(ListPublicKeysResponse { keys }))
    }

    async fn export_member(&self, request: Request<ExportMemberRequest>) -> Answer<ExportMemberResponse> {
        known(&request.into_inner().token)?;
        let account = Account {
            user_id: "usr_1".into(),
            email: "ada@example.org".into(),
            ..Default::default()
        };
        Ok(Response::new(ExportMemberResponse {
            export: Some(AuthExport {
                account: Some(account),
                ..Default::default()
            }),
        }))
    }

    async fn request_erasure(
        &self,
        request: Request<RequestErasureRequest>,
    ) -> Answer<RequestErasureResponse> {
        let request = request.into_inner();
        // An ended session, of an erased account.
        if request.token != "ended" {
            known(&request.token)?;
        }
        match request.password.as_str() {
            "right" => Ok(Response::new(RequestErasureResponse {
                erasure: Some(erasure("running")),
            })),
            "throttled" => Err(Failure::new(Kind::TooMany, ErrorCode::TooManyAttempts, "Wait.")
                .retry_after(Duration::from_mins(10))
                .into()),
            "" => refuse(Kind::Forbidden, "RECENT_SIGN_IN_REQUIRED", "Sign in again first."),
            _ => refuse(Kind::Forbidden, "WRONG_PASSWORD", "This is not your password."),
        }
    }

    async fn get_erasure(&self, request: Request<GetErasureRequest>) -> Answer<GetErasureResponse> {
        if request.into_inner().erasure_id != "ers_1" {
            return refuse(Kind::NotFound, "UNKNOWN_ERASURE", "There is no such receipt.");
        }
        Ok(Response::new(GetErasureResponse {
            erasure: Some(erasure("finished")),
        }))
    }
}

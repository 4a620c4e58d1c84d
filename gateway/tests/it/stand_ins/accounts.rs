//! Auth: one member, whose session is `alive`; `old` is theirs too and is to be replaced; `signed` is their access token. The
//! authentication of `stale` is not recent.
use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use kit::error::{ErrorCode, Failure, Kind};
use proto::auth::v1::auth_service_server::AuthService;
use proto::auth::v1::{
    AuthenticateRequest, AuthenticateResponse, ConfirmEmailRequest, ConfirmEmailResponse,
    ConfirmSecondFactorRequest, ConfirmSecondFactorResponse, Device, DisableSecondFactorRequest,
    DisableSecondFactorResponse, EndSessionRequest, EndSessionResponse, EnrolSecondFactorRequest,
    EnrolSecondFactorResponse, ExportMemberRequest, ExportMemberResponse, ForgotPasswordRequest,
    ForgotPasswordResponse, GetErasureRequest, GetErasureResponse, GetSecondFactorRequest,
    GetSecondFactorResponse, GrantTemporaryPremiumRequest, GrantTemporaryPremiumResponse,
    IssueAccessTokenRequest, IssueAccessTokenResponse, IssueHandoffTokenRequest, IssueHandoffTokenResponse,
    IssueSocialNonceRequest, IssueSocialNonceResponse, ListDevicesRequest, ListDevicesResponse,
    ListPublicKeysRequest, ListPublicKeysResponse, PublicKey, RedeemHandoffTokenRequest,
    RedeemHandoffTokenResponse, RefreshSessionRequest, RefreshSessionResponse, RegisterByEmailRequest,
    RegisterByEmailResponse, RegisterRequest, RegisterResponse, ReplaceRecoveryCodesRequest,
    ReplaceRecoveryCodesResponse, RequestErasureRequest, RequestErasureResponse, ResetPasswordRequest,
    ResetPasswordResponse, Session, SignInRequest, SignInResponse, SignInSociallyRequest,
    SignInSociallyResponse, SignOutDeviceRequest, SignOutDeviceResponse, SignOutEverywhereRequest,
    SignOutEverywhereResponse, SignOutRequest, SignOutResponse, StepUpRequest, StepUpResponse,
    UpdateProfileRequest, UpdateProfileResponse, VerifySecondFactorRequest, VerifySecondFactorResponse,
};
use proto::export::v1::{Account, AuthExport};
use tonic::{Request, Response, Status};

use super::members::{erasure, user};
use super::{Answer, FakeServices, a_month_on, members, refuse, second_factors, sign_ins};

pub struct Auth(pub Arc<FakeServices>);

pub const MARK: &str = "a-mark";

pub fn session(token: &str) -> Session {
    Session {
        token: token.into(),
        expires_at: Some(a_month_on()),
    }
}

fn known(token: &str) -> Result<(), Status> {
    match token {
        "alive" | "old" | "signed" | "stale" => Ok(()),
        _ => Err(Failure::new(
            Kind::Unauthenticated,
            ErrorCode::SessionExpired,
            "The session is over.",
        )
        .into()),
    }
}

pub fn missing(field: &str) -> Status {
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
        sign_ins::by_password(&request)
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
        sign_ins::socially(&request)
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
            is_recently_authenticated: token != "stale",
            step_up_methods: vec!["password".into(), "code".into()],
            ..AuthenticateResponse::default()
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
        members::update_profile(request)
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
        sign_ins::by_handoff_token(&request.into_inner())
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
        members::request_erasure(&request)
    }

    async fn get_erasure(&self, request: Request<GetErasureRequest>) -> Answer<GetErasureResponse> {
        if request.into_inner().erasure_id != "ers_1" {
            return refuse(Kind::NotFound, "UNKNOWN_ERASURE", "There is no such receipt.");
        }
        Ok(Response::new(GetErasureResponse {
            erasure: Some(erasure("finished")),
        }))
    }

    async fn step_up(&self, request: Request<StepUpRequest>) -> Answer<StepUpResponse> {
        let request = request.into_inner();
        known(&request.token)?;
        second_factors::step_up(&request)
    }

    async fn end_session(&self, request: Request<EndSessionRequest>) -> Answer<EndSessionResponse> {
        match request.into_inner().token.as_str() {
            "mailed" => Ok(Response::new(EndSessionResponse {})),
            _ => refuse(
                Kind::NotFound,
                "LINK_INVALID",
                "This link was used or has expired.",
            ),
        }
    }

    async fn get_second_factor(
        &self,
        request: Request<GetSecondFactorRequest>,
    ) -> Answer<GetSecondFactorResponse> {
        known(&request.into_inner().token)?;
        Ok(Response::new(second_factors::state()))
    }

    async fn enrol_second_factor(
        &self,
        request: Request<EnrolSecondFactorRequest>,
    ) -> Answer<EnrolSecondFactorResponse> {
        known(&request.into_inner().token)?;
        Ok(Response::new(second_factors::enrolment()))
    }

    async fn confirm_second_factor(
        &self,
        request: Request<ConfirmSecondFactorRequest>,
    ) -> Answer<ConfirmSecondFactorResponse> {
        let request = request.into_inner();
        known(&request.token)?;
        second_factors::check_code(&request.code)?;
        let recovery_codes = second_factors::recovery_codes();
        Ok(Response::new(ConfirmSecondFactorResponse { recovery_codes }))
    }

    async fn replace_recovery_codes(
        &self,
        request: Request<ReplaceRecoveryCodesRequest>,
    ) -> Answer<ReplaceRecoveryCodesResponse> {
        known(&request.into_inner().token)?;
        let recovery_codes = second_factors::recovery_codes();
        Ok(Response::new(ReplaceRecoveryCodesResponse { recovery_codes }))
    }

    async fn disable_second_factor(
        &self,
        request: Request<DisableSecondFactorRequest>,
    ) -> Answer<DisableSecondFactorResponse> {
        match request.into_inner().token.as_str() {
            "old" => refuse(Kind::Forbidden, "SECOND_FACTOR_REQUIRED", "Your role needs it."),
            token => known(token).map(|()| Response::new(DisableSecondFactorResponse {})),
        }
    }

    async fn verify_second_factor(
        &self,
        request: Request<VerifySecondFactorRequest>,
    ) -> Answer<VerifySecondFactorResponse> {
        second_factors::verify(&request.into_inner())
    }
}

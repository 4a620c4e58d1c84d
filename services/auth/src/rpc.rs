//! `stillpoint.auth.v1.AuthService` over the flows.
mod convert;
mod personal_data;
mod second_factor;

use std::sync::Arc;

use proto::Timestamp;
use proto::auth::v1::auth_service_server::AuthService;
use proto::auth::v1::{
    AuthenticateRequest, AuthenticateResponse, ConfirmEmailRequest, ConfirmEmailResponse,
    ConfirmSecondFactorRequest, ConfirmSecondFactorResponse, DisableSecondFactorRequest,
    DisableSecondFactorResponse, EndSessionRequest, EndSessionResponse, EnrolSecondFactorRequest,
    EnrolSecondFactorResponse, ExportMemberRequest, ExportMemberResponse, ForgotPasswordRequest,
    ForgotPasswordResponse, GetErasureRequest, GetErasureResponse, GetSecondFactorRequest,
    GetSecondFactorResponse, GrantTemporaryPremiumRequest, GrantTemporaryPremiumResponse,
    IssueAccessTokenRequest, IssueAccessTokenResponse, IssueHandoffTokenRequest, IssueHandoffTokenResponse,
    IssueSocialNonceRequest, IssueSocialNonceResponse, ListDevicesRequest, ListDevicesResponse,
    ListPublicKeysRequest, ListPublicKeysResponse, RedeemHandoffTokenRequest, RedeemHandoffTokenResponse,
    RefreshSessionRequest, RefreshSessionResponse, RegisterByEmailRequest, RegisterByEmailResponse,
    RegisterRequest, RegisterResponse, ReplaceRecoveryCodesRequest, ReplaceRecoveryCodesResponse,
    RequestErasureRequest, RequestErasureResponse, ResetPasswordRequest, ResetPasswordResponse,
    SignInRequest, SignInResponse, SignInSociallyRequest, SignInSociallyResponse, SignOutDeviceRequest,
    SignOutDeviceResponse, SignOutEverywhereRequest, SignOutEverywhereResponse, SignOutRequest,
    SignOutResponse, StepUpRequest, StepUpResponse, UpdateProfileRequest, UpdateProfileResponse,
    VerifySecondFactorRequest, VerifySecondFactorResponse,
};
use secrecy::SecretString;
use tonic::{Request, Response, Status};

use crate::error::Error;
use crate::flows::{self, Context};

pub struct AuthRpc {
    context: Arc<Context>,
}

impl AuthRpc {
    pub fn new(context: Arc<Context>) -> Self {
        Self { context }
    }
}

type RpcResult<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl AuthService for AuthRpc {
    async fn register(&self, request: Request<RegisterRequest>) -> RpcResult<RegisterResponse> {
        let registration = convert::registration(request.into_inner())?;
        let signed_in = flows::register(&self.context, registration).await?;
        let (user, session, device_cookie) = convert::signed_in(signed_in);
        Ok(Response::new(RegisterResponse {
            user: Some(user),
            session: Some(session),
            device_cookie,
        }))
    }

    async fn register_by_email(
        &self,
        request: Request<RegisterByEmailRequest>,
    ) -> RpcResult<RegisterByEmailResponse> {
        let registration = convert::email_registration(request.into_inner())?;
        let signed_in = flows::register_by_email(&self.context, registration).await?;
        let (user, session, device_cookie) = convert::signed_in(signed_in);
        Ok(Response::new(RegisterByEmailResponse {
            user: Some(user),
            session: Some(session),
            device_cookie,
        }))
    }

    async fn sign_in(&self, request: Request<SignInRequest>) -> RpcResult<SignInResponse> {
        let credentials = convert::credentials(request.into_inner())?;
        let outcome = flows::sign_in(&self.context, credentials).await?;
        Ok(Response::new(convert::sign_in_outcome(outcome)))
    }

    async fn issue_social_nonce(
        &self,
        request: Request<IssueSocialNonceRequest>,
    ) -> RpcResult<IssueSocialNonceResponse> {
        let issued = flows::issue_social_nonce(&self.context, &request.into_inner().social_browser);
        Ok(Response::new(convert::social_nonce(issued)))
    }

    async fn sign_in_socially(
        &self,
        request: Request<SignInSociallyRequest>,
    ) -> RpcResult<SignInSociallyResponse> {
        let attempt = convert::social_sign_in(request.into_inner())?;
        let result = flows::sign_in_socially(&self.context, attempt).await?;
        let is_new = result.is_new;
        let SignInResponse {
            user,
            session,
            device_cookie,
            challenge,
        } = convert::sign_in_outcome(result.outcome);
        Ok(Response::new(SignInSociallyResponse {
            user,
            session,
            device_cookie,
            is_new,
            challenge,
        }))
    }

    async fn sign_out(&self, request: Request<SignOutRequest>) -> RpcResult<SignOutResponse> {
        flows::sign_out(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(SignOutResponse {}))
    }

    async fn authenticate(&self, request: Request<AuthenticateRequest>) -> RpcResult<AuthenticateResponse> {
        let authenticated = flows::authenticate(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(convert::authenticated(authenticated)))
    }

    async fn refresh_session(
        &self,
        request: Request<RefreshSessionRequest>,
    ) -> RpcResult<RefreshSessionResponse> {
        let refreshed = flows::refresh_session(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(convert::refreshed(refreshed)))
    }

    async fn list_devices(&self, request: Request<ListDevicesRequest>) -> RpcResult<ListDevicesResponse> {
        let devices = flows::list_devices(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(convert::devices(devices)))
    }

    async fn sign_out_device(
        &self,
        request: Request<SignOutDeviceRequest>,
    ) -> RpcResult<SignOutDeviceResponse> {
        let request = request.into_inner();
        flows::sign_out_device(&self.context, &request.token, &request.session_id).await?;
        Ok(Response::new(SignOutDeviceResponse {}))
    }

    async fn sign_out_everywhere(
        &self,
        request: Request<SignOutEverywhereRequest>,
    ) -> RpcResult<SignOutEverywhereResponse> {
        flows::sign_out_everywhere(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(SignOutEverywhereResponse {}))
    }

    async fn update_profile(
        &self,
        request: Request<UpdateProfileRequest>,
    ) -> RpcResult<UpdateProfileResponse> {
        let mut request = request.into_inner();
        let token = std::mem::take(&mut request.token);
        let update = convert::profile_update(request)?;
        let updated = flows::update_profile(&self.context, &token, update).await?;
        Ok(Response::new(UpdateProfileResponse {
            user: Some(convert::user(updated.user)),
            pending_email: convert::optional_email(updated.pending_email.as_ref()),
        }))
    }

    async fn confirm_email(&self, request: Request<ConfirmEmailRequest>) -> RpcResult<ConfirmEmailResponse> {
        flows::confirm_email(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(ConfirmEmailResponse {}))
    }

    async fn forgot_password(
        &self,
        request: Request<ForgotPasswordRequest>,
    ) -> RpcResult<ForgotPasswordResponse> {
        let forgotten = convert::forgotten(request.into_inner())?;
        flows::forgot_password(&self.context, forgotten).await?;
        Ok(Response::new(ForgotPasswordResponse {}))
    }

    async fn reset_password(
        &self,
        request: Request<ResetPasswordRequest>,
    ) -> RpcResult<ResetPasswordResponse> {
        let reset = convert::reset(request.into_inner())?;
        flows::reset_password(&self.context, reset).await?;
        Ok(Response::new(ResetPasswordResponse {}))
    }
    async fn issue_handoff_token(
        &self,
        request: Request<IssueHandoffTokenRequest>,
    ) -> RpcResult<IssueHandoffTokenResponse> {
        let request = request.into_inner();
        let purpose = convert::purpose(&request)?;
        let issued = flows::issue_handoff_token(&self.context, &request.token, purpose).await?;
        Ok(Response::new(convert::issued(&issued)))
    }

    async fn redeem_handoff_token(
        &self,
        request: Request<RedeemHandoffTokenRequest>,
    ) -> RpcResult<RedeemHandoffTokenResponse> {
        let request = request.into_inner();
        let caller = convert::caller(request.caller);
        let redeemed = flows::redeem_handoff_token(&self.context, &request.handoff_token, &caller).await?;
        Ok(Response::new(convert::redeemed(redeemed)))
    }

    async fn grant_temporary_premium(
        &self,
        request: Request<GrantTemporaryPremiumRequest>,
    ) -> RpcResult<GrantTemporaryPremiumResponse> {
        let request = request.into_inner();
        convert::subscription_type(&request)?;
        let until = flows::grant_temporary_premium(&self.context, &request.token).await?;
        Ok(Response::new(GrantTemporaryPremiumResponse {
            premium_until: until.map(Timestamp::from),
        }))
    }
    async fn issue_access_token(
        &self,
        request: Request<IssueAccessTokenRequest>,
    ) -> RpcResult<IssueAccessTokenResponse> {
        let signed = flows::issue_access_token(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(convert::signed(signed)))
    }

    async fn list_public_keys(
        &self,
        _request: Request<ListPublicKeysRequest>,
    ) -> RpcResult<ListPublicKeysResponse> {
        let keys = flows::list_public_keys(&self.context).await?;
        Ok(Response::new(ListPublicKeysResponse {
            keys: keys.into_iter().map(convert::public_key).collect(),
        }))
    }

    async fn export_member(&self, request: Request<ExportMemberRequest>) -> RpcResult<ExportMemberResponse> {
        let member = flows::export_member(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(ExportMemberResponse {
            export: Some(personal_data::export(member)),
        }))
    }

    async fn request_erasure(
        &self,
        request: Request<RequestErasureRequest>,
    ) -> RpcResult<RequestErasureResponse> {
        let asked = personal_data::erasure_request(request.into_inner());
        let erasure = flows::request_erasure(&self.context, &asked).await?;
        Ok(Response::new(RequestErasureResponse {
            erasure: Some(personal_data::receipt(erasure)),
        }))
    }

    async fn get_erasure(&self, request: Request<GetErasureRequest>) -> RpcResult<GetErasureResponse> {
        let id = request.into_inner().erasure_id.parse();
        let id = id.map_err(|_| Error::UnknownErasure)?;
        let erasure = flows::get_erasure(&self.context, id).await?;
        Ok(Response::new(GetErasureResponse {
            erasure: Some(personal_data::receipt(erasure)),
        }))
    }

    async fn step_up(&self, request: Request<StepUpRequest>) -> RpcResult<StepUpResponse> {
        let request = second_factor::step_up(request.into_inner())?;
        flows::step_up(&self.context, &request).await?;
        Ok(Response::new(StepUpResponse {}))
    }

    async fn end_session(&self, request: Request<EndSessionRequest>) -> RpcResult<EndSessionResponse> {
        let token = SecretString::from(request.into_inner().token);
        flows::end_session(&self.context, &token).await?;
        Ok(Response::new(EndSessionResponse {}))
    }

    async fn get_second_factor(
        &self,
        request: Request<GetSecondFactorRequest>,
    ) -> RpcResult<GetSecondFactorResponse> {
        let state = flows::get_second_factor(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(second_factor::state(&state)))
    }

    async fn enrol_second_factor(
        &self,
        request: Request<EnrolSecondFactorRequest>,
    ) -> RpcResult<EnrolSecondFactorResponse> {
        let enrolment = flows::enrol_second_factor(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(second_factor::enrolment(enrolment)))
    }

    async fn confirm_second_factor(
        &self,
        request: Request<ConfirmSecondFactorRequest>,
    ) -> RpcResult<ConfirmSecondFactorResponse> {
        let confirmation = second_factor::confirmation(request.into_inner())?;
        let recovery_codes = flows::confirm_second_factor(&self.context, &confirmation).await?;
        Ok(Response::new(ConfirmSecondFactorResponse { recovery_codes }))
    }

    async fn replace_recovery_codes(
        &self,
        request: Request<ReplaceRecoveryCodesRequest>,
    ) -> RpcResult<ReplaceRecoveryCodesResponse> {
        let token = request.into_inner().token;
        let recovery_codes = flows::replace_recovery_codes(&self.context, &token).await?;
        Ok(Response::new(ReplaceRecoveryCodesResponse { recovery_codes }))
    }

    async fn disable_second_factor(
        &self,
        request: Request<DisableSecondFactorRequest>,
    ) -> RpcResult<DisableSecondFactorResponse> {
        flows::disable_second_factor(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(DisableSecondFactorResponse {}))
    }

    async fn verify_second_factor(
        &self,
        request: Request<VerifySecondFactorRequest>,
    ) -> RpcResult<VerifySecondFactorResponse> {
        let attempt = second_factor::attempt(request.into_inner())?;
        let signed_in = flows::verify_second_factor(&self.context, &attempt).await?;
        let (user, session, device_cookie) = convert::signed_in(signed_in);
        Ok(Response::new(VerifySecondFactorResponse {
            user: Some(user),
            session: Some(session),
            device_cookie,
        }))
    }
}

//! `stillpoint.auth.v1.AuthService` over the flows.
mod convert;

use std::sync::Arc;

use proto::auth::v1::auth_service_server::AuthService;
use proto::auth::v1::{
    AuthenticateRequest, AuthenticateResponse, RegisterRequest, RegisterResponse, SignInRequest,
    SignInResponse, SignOutRequest, SignOutResponse,
};
use tonic::{Request, Response, Status};

use crate::flows::{self, Context};

pub struct AuthRpc {
    context: Arc<Context>,
}

impl AuthRpc {
    pub fn new(context: Arc<Context>) -> Self {
        Self { context }
    }
}

#[tonic::async_trait]
impl AuthService for AuthRpc {
    async fn register(
        &self,
        request: Request<RegisterRequest>,
    ) -> Result<Response<RegisterResponse>, Status> {
        let registration = convert::registration(request.into_inner())?;
        let signed_in = flows::register(&self.context, registration).await?;
        let (user, session) = convert::signed_in(signed_in);
        Ok(Response::new(RegisterResponse {
            user: Some(user),
            session: Some(session),
        }))
    }

    async fn sign_in(&self, request: Request<SignInRequest>) -> Result<Response<SignInResponse>, Status> {
        let credentials = convert::credentials(&request.into_inner())?;
        let signed_in = flows::sign_in(&self.context, credentials).await?;
        let (user, session) = convert::signed_in(signed_in);
        Ok(Response::new(SignInResponse {
            user: Some(user),
            session: Some(session),
        }))
    }

    async fn sign_out(&self, request: Request<SignOutRequest>) -> Result<Response<SignOutResponse>, Status> {
        flows::sign_out(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(SignOutResponse {}))
    }

    async fn authenticate(
        &self,
        request: Request<AuthenticateRequest>,
    ) -> Result<Response<AuthenticateResponse>, Status> {
        let authenticated = flows::authenticate(&self.context, &request.into_inner().token).await?;
        Ok(Response::new(convert::authenticated(authenticated)))
    }
}

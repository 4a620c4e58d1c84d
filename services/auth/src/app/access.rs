//! What auth may publish and consume, and who may call it.

use kit::run::{Access, Caller};
use proto::auth::v1::auth_service_server;

use crate::consumers::{ERASURE_REPORTS, PURCHASES, REFUNDS, SUBSCRIPTIONS, WITHDRAWALS};

pub const ACCESS: Access = Access {
    publishes: &["auth"],
    consumers: &[PURCHASES, WITHDRAWALS, REFUNDS, SUBSCRIPTIONS, ERASURE_REPORTS],
    watches: &[],
    callers: &[Caller {
        name: "gateway",
        grpc_service: auth_service_server::SERVICE_NAME,
        rpcs: &[
            "Register",
            "SignIn",
            "RegisterByEmail",
            "IssueSocialNonce",
            "SignInSocially",
            "SignOut",
            "Authenticate",
            "RefreshSession",
            "ListDevices",
            "SignOutDevice",
            "SignOutEverywhere",
            "UpdateProfile",
            "ConfirmEmail",
            "ForgotPassword",
            "ResetPassword",
            "IssueHandoffToken",
            "RedeemHandoffToken",
            "GrantTemporaryPremium",
            "IssueAccessToken",
            "ListPublicKeys",
            "ExportMember",
            "RequestErasure",
            "GetErasure",
            "StepUp",
            "EndSession",
            "GetSecondFactor",
            "EnrolSecondFactor",
            "ConfirmSecondFactor",
            "ReplaceRecoveryCodes",
            "DisableSecondFactor",
            "VerifySecondFactor",
        ],
    }],
};

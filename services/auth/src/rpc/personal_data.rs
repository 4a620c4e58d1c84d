//! Messages of export and erasure.
use proto::Timestamp;
use proto::auth::v1::{ErasedService, Erasure as ErasureMessage, RequestErasureRequest};
use proto::export::v1 as export;

use crate::domain::erasure::{Erasure, ServiceReport};
use crate::flows::{
    AccountRow, AddressChangeRow, ErasureRequest, Grant, GrantedRole, HandoffRow, IdentityRow, MailRow,
    MemberExport, PremiumRow, SecondFactorRow, SessionRow,
};
use crate::rpc::convert;

pub fn erasure_request(request: RequestErasureRequest) -> ErasureRequest {
    ErasureRequest {
        token: request.token,
        password: request.password,
        caller: convert::caller(request.caller),
    }
}

pub fn receipt(erasure: Erasure) -> ErasureMessage {
    let state = match erasure.finished_at {
        Some(_) => "finished",
        None => "running",
    };
    ErasureMessage {
        erasure_id: erasure.id.to_string(),
        state: state.to_owned(),
        requested_at: Some(erasure.requested_at.into()),
        finished_at: erasure.finished_at.map(Timestamp::from),
        services: erasure.reports.into_iter().map(service).collect(),
    }
}

fn service(report: ServiceReport) -> ErasedService {
    let state = match report.erased_at {
        Some(_) => "erased",
        None => "waiting",
    };
    ErasedService {
        service: report.service,
        state: state.to_owned(),
        erased_at: report.erased_at.map(Timestamp::from),
        kept: report.kept,
    }
}

pub fn export(member: MemberExport) -> export::AuthExport {
    export::AuthExport {
        account: Some(account(member.user_id.to_string(), member.account)),
        sessions: member.sessions.into_iter().map(session).collect(),
        identities: member.identities.into_iter().map(identity).collect(),
        mails: member.mails.into_iter().map(mail).collect(),
        handoffs: member.handoffs.into_iter().map(handoff).collect(),
        temporary_premium: member.temporary_premium.as_ref().map(premium),
        grants: member.grants.into_iter().map(grant).collect(),
        address_changes: member.address_changes.into_iter().map(address_change).collect(),
        second_factor: member.second_factor.as_ref().map(second_factor),
        roles: member.roles.into_iter().map(role).collect(),
    }
}

fn second_factor(row: &SecondFactorRow) -> export::SecondFactor {
    export::SecondFactor {
        enabled_at: Some(row.enabled_at.into()),
        recovery_codes_left: i32::try_from(row.recovery_codes_left).unwrap_or(i32::MAX),
    }
}

fn role(granted: GrantedRole) -> export::Role {
    export::Role {
        role: granted.role,
        granted_at: Some(granted.granted_at.into()),
    }
}

fn address_change(row: AddressChangeRow) -> export::AddressChange {
    export::AddressChange {
        new_email: row.new_email.unwrap_or_default(),
        former_email: row.former_email.unwrap_or_default(),
        expires_at: Some(row.expires_at.into()),
    }
}

fn account(user_id: String, row: AccountRow) -> export::Account {
    export::Account {
        user_id,
        full_name: row.full_name,
        email: row.email,
        language: row.lang.unwrap_or_default(),
        country: row.country.unwrap_or_default(),
        has_password: row.has_password,
        is_premium_user: row.is_premium_user,
        is_coaching_user: row.is_coaching_user,
        is_therapy_user: row.is_therapy_user,
        created_at: Some(row.created_at.into()),
        email_proven_at: row.email_proven_at.map(Timestamp::from),
    }
}

fn session(row: SessionRow) -> export::Session {
    export::Session {
        session_id: row.session_id.to_string(),
        browser: row.browser,
        system: row.system,
        signed_in_at: Some(row.created_at.into()),
        last_seen_at: row.last_seen_at.map(Timestamp::from),
        expires_at: Some(row.expires_at.into()),
        authenticated_at: row.authenticated_at.map(Timestamp::from),
        second_factor_at: row.second_factor_at.map(Timestamp::from),
    }
}

fn identity(row: IdentityRow) -> export::Identity {
    export::Identity {
        provider: row.provider,
        subject: row.subject,
        linked_at: row.created_at.map(Timestamp::from),
    }
}

fn mail(row: MailRow) -> export::Mail {
    export::Mail {
        template: row.template,
        language: row.lang,
        address: row.former_email.unwrap_or_default(),
        written_at: Some(row.created_at.into()),
    }
}

fn grant(granted: Grant) -> export::Grant {
    export::Grant {
        subscription_id: granted.subscription_id,
        product: granted.product,
        open: granted.is_open,
        opens: granted.opens,
    }
}

fn handoff(row: HandoffRow) -> export::Handoff {
    export::Handoff {
        purpose: row.purpose,
        expires_at: Some(row.expires_at.into()),
        used_at: row.used_at.map(Timestamp::from),
    }
}

fn premium(row: &PremiumRow) -> export::TemporaryPremium {
    export::TemporaryPremium {
        paid_at: row.paid_at.map(Timestamp::from),
        asked_at: row.requested_at.map(Timestamp::from),
        granted_at: row.granted_at.map(Timestamp::from),
        premium_until: row.premium_until.map(Timestamp::from),
    }
}

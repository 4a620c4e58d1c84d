//! What auth says of its one member.
use proto::auth::v1::{ErasedService, Erasure, User};

use super::a_month_on;

pub fn user(email: &str) -> User {
    User {
        user_id: "usr_1".into(),
        full_name: "Ada Yılmaz".into(),
        email: email.into(),
        is_coaching_user: false,
        is_therapy_user: true,
        first_name: "Ada".into(),
        last_name: "Yılmaz".into(),
        is_premium_user: false,
    }
}

pub fn erasure(state: &str) -> Erasure {
    let is_over = state == "finished";
    let checkout = ErasedService {
        service: "checkout".into(),
        state: if is_over { "erased" } else { "waiting" }.into(),
        erased_at: is_over.then(a_month_on),
        kept: vec!["bookkeeping".into()],
    };
    Erasure {
        erasure_id: "ers_1".into(),
        state: state.into(),
        requested_at: Some(a_month_on()),
        finished_at: is_over.then(a_month_on),
        services: vec![checkout],
    }
}

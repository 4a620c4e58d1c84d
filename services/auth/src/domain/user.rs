//! A person with an account, as the rest of Stillpoint may know them.
use crate::domain::email::Email;

kit::typed_id! {
    /// One person.
    pub UserId = "usr"
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub full_name: String,
    pub email: Email,
    pub entitlements: Entitlements,
}

/// What a person has bought besides the app; decides where the web app leads them after sign-in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entitlements {
    pub coaching: bool,
    pub therapy: bool,
}

//! The mails that accounts give rise to.
use chrono::TimeDelta;

kit::typed_id! {
    /// One mail to be sent.
    pub MailId = "mal";
    /// One link that is mailed.
    pub LinkId = "lnk"
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// Somebody forgot their password.
    ResetPassword,
    /// Somebody signed up with nothing but an address.
    SetPassword,
    PasswordChanged,
    /// Goes to the address that was the person's until now.
    EmailChanged,
}

impl Template {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ResetPassword => "reset_password",
            Self::SetPassword => "set_password",
            Self::PasswordChanged => "password_changed",
            Self::EmailChanged => "email_changed",
        }
    }

    /// How long its link is good for; a mail that somebody is waiting for is read at once.
    pub fn link_lives(self) -> TimeDelta {
        match self {
            Self::ResetPassword => TimeDelta::hours(1),
            Self::SetPassword => TimeDelta::days(7),
            Self::PasswordChanged | Self::EmailChanged => TimeDelta::zero(),
        }
    }
}

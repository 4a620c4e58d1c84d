//! Sign-in, sign-up and member pages.
pub mod account_link;
pub mod auto_signin;
pub mod consent;
pub mod email_signup;
pub mod forgot_password;
pub mod login_register;
pub mod member_account;
pub mod register_business_user;
pub mod social_sign_in;
pub mod user_profile_update;
pub mod withdrawal_form;

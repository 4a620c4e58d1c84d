//! The layouts of pages.

use std::fmt;
use std::str::FromStr;

/// The layout of a page in the web app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    Page,
    Landing,
    SuccessPage,
    SuccessPageTemplateWithUpdateProfile,
    LoginRegister,
    Home,
    Payment,
    PaymentNoRedirect,
    GiftPayment,
    TwoColPayment,
    SideBarRight,
    CreatingProgram,
    Autosignin,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a template; the known ones are {known}", known = Template::ALL.map(Template::name).join(", "))]
pub struct UnknownTemplate(pub String);

impl Template {
    pub const ALL: [Self; 13] = [
        Self::Page,
        Self::Landing,
        Self::SuccessPage,
        Self::SuccessPageTemplateWithUpdateProfile,
        Self::LoginRegister,
        Self::Home,
        Self::Payment,
        Self::PaymentNoRedirect,
        Self::GiftPayment,
        Self::TwoColPayment,
        Self::SideBarRight,
        Self::CreatingProgram,
        Self::Autosignin,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Page => "Page",
            Self::Landing => "Landing",
            Self::SuccessPage => "SuccessPage",
            Self::SuccessPageTemplateWithUpdateProfile => "SuccessPageTemplateWithUpdateProfile",
            Self::LoginRegister => "LoginRegister",
            Self::Home => "Home",
            Self::Payment => "Payment",
            Self::PaymentNoRedirect => "PaymentNoRedirect",
            Self::GiftPayment => "GiftPayment",
            Self::TwoColPayment => "TwoColPayment",
            Self::SideBarRight => "SideBarRight",
            Self::CreatingProgram => "CreatingProgram",
            Self::Autosignin => "Autosignin",
        }
    }
}

impl FromStr for Template {
    type Err = UnknownTemplate;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|template| template.name() == name)
            .ok_or_else(|| UnknownTemplate(name.to_owned()))
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_template() {
        for template in Template::ALL {
            assert_eq!(template.name().parse(), Ok(template));
        }
    }

    #[test]
    fn an_unknown_template_names_the_known_ones() {
        let error = "Poster".parse::<Template>().unwrap_err().to_string();
        assert!(
            error.contains("Poster") && error.contains("TwoColPayment"),
            "{error}"
        );
    }
}

//! Renders mails from `mail/texts/<lang>.json` and two layouts.
//!
//! User input is never part of a mail, because strangers could send text in our name. Exception: the content of a
//! withdrawal, which the law requires us to confirm; each value is one short line and never a link.
mod amount;
mod date;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kit::money::Money;
use minijinja::{Environment, context};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use crate::domain::mail::Template;
use crate::domain::withdrawal::Withdrawal;

const ENGLISH: (&str, &str) = ("en", include_str!("mail/texts/en.json"));
const WRITTEN_FROM_RIGHT_TO_LEFT: [&str; 1] = ["ar"];

const OTHERS: [(&str, &str); 13] = [
    ("es", include_str!("mail/texts/es.json")),
    ("fr", include_str!("mail/texts/fr.json")),
    ("ja", include_str!("mail/texts/ja.json")),
    ("ko", include_str!("mail/texts/ko.json")),
    ("pt", include_str!("mail/texts/pt.json")),
    ("ru", include_str!("mail/texts/ru.json")),
    ("tr", include_str!("mail/texts/tr.json")),
    ("it", include_str!("mail/texts/it.json")),
    ("de", include_str!("mail/texts/de.json")),
    ("ar", include_str!("mail/texts/ar.json")),
    ("pl", include_str!("mail/texts/pl.json")),
    ("az", include_str!("mail/texts/az.json")),
    ("da", include_str!("mail/texts/da.json")),
];

/// The words of one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Language {
    reset_password: Words,
    set_password: Words,
    password_changed: Words,
    confirm_email: Words,
    email_changed: Words,
    account_erased: Words,
    payment_refunded: Words,
    payment_receipt: Words,
    trial_ending: Words,
    payment_overdue: Words,
    subscription_canceled: Words,
    withdrawal_received: Words,
    withdrawal_accepted: Words,
    purchase_receipt: Words,
    purchase_refunded: Words,
    new_sign_in: Words,
    second_factor_enabled: Words,
    second_factor_disabled: Words,
    recovery_code_used: Words,
    closing: String,
    /// Why one gets this mail.
    reason: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    subject: String,
    /// What a list of mails shows beside the subject.
    preview: String,
    heading: String,
    body: Vec<String>,
    /// What the link is called.
    #[serde(default)]
    button: Option<String>,
    /// Below the link.
    #[serde(default)]
    after: Vec<String>,
    /// Why one gets this mail, where one need have no account.
    #[serde(default)]
    reason: Option<String>,
}

/// Placeholder of an amount.
const AMOUNT: &str = "{amount}";
/// Placeholder of a date.
const DATE: &str = "{date}";
/// Where the number of a withdrawal or an order does.
const NUMBER: &str = "{number}";
/// Where what was declared does.
const NAME: &str = "{name}";
const EMAIL: &str = "{email}";
const REFERENCE: &str = "{reference}";
const MOMENT: &str = "{moment}";
/// Of a sign-in: browser and system, and the code of the country.
const DEVICE: &str = "{device}";
const COUNTRY: &str = "{country}";

impl Words {
    fn with(self, placeholder: &str, text: &str) -> Self {
        let fill = |said: String| said.replace(placeholder, text);
        let fill_all = |said: Vec<String>| said.into_iter().map(fill).collect();
        Self {
            subject: fill(self.subject),
            preview: fill(self.preview),
            heading: fill(self.heading),
            body: fill_all(self.body),
            button: self.button.map(fill),
            after: fill_all(self.after),
            reason: self.reason,
        }
    }

    /// Without the paragraphs that would name it.
    fn without(self, placeholder: &str) -> Self {
        let keep = |said: &String| !said.contains(placeholder);
        Self {
            body: self.body.into_iter().filter(keep).collect(),
            ..self
        }
    }
}

/// What differs from one mail of a template to the next.
#[derive(Default)]
pub struct MailParams {
    /// Opens the link.
    pub token: Option<SecretString>,
    pub amount: Option<Money>,
    /// The day it is about.
    pub moment: Option<DateTime<Utc>>,
    pub withdrawal: Option<Withdrawal>,
    /// What was bought without an account.
    pub order_id: Option<String>,
    /// Of a sign-in.
    pub device: Option<String>,
    pub country: Option<String>,
}

impl MailParams {
    fn fill(&self, words: Words, lang: &str) -> Words {
        let words = match self.amount {
            Some(amount) => words.with(AMOUNT, &amount::written(amount, lang)),
            None => words.without(AMOUNT),
        };
        let words = match self.moment {
            Some(moment) => words
                .with(DATE, &date::written(moment, lang))
                .with(MOMENT, &date::to_the_minute(moment, lang)),
            None => words,
        };
        let words = [(DEVICE, &self.device), (COUNTRY, &self.country)]
            .into_iter()
            .fold(words, |words, (placeholder, known)| match known {
                Some(known) => words.with(placeholder, known),
                None => words.without(placeholder),
            });
        let words = match &self.order_id {
            Some(order_id) => words.with(NUMBER, order_id),
            None => words,
        };
        match &self.withdrawal {
            Some(withdrawal) => fill_withdrawal(words, withdrawal, lang),
            None => words,
        }
    }
}

/// The law wants what was declared to be confirmed, so it stands there as it was typed, and at the end: nothing that is typed is
/// itself filled in.
fn fill_withdrawal(words: Words, withdrawal: &Withdrawal, lang: &str) -> Words {
    let words = words
        .with(NUMBER, &withdrawal.number)
        .with(MOMENT, &date::to_the_minute(withdrawal.received_at, lang))
        .with(EMAIL, withdrawal.email.as_str());
    let words = if withdrawal.reference.is_empty() {
        words.without(REFERENCE)
    } else {
        words.with(REFERENCE, &unlinked(&withdrawal.reference))
    };
    words.with(NAME, &unlinked(&withdrawal.full_name))
}

/// Reads the same, and no program that shows mails makes a link of it.
fn unlinked(typed: &str) -> String {
    const WORD_JOINER: char = '\u{2060}';

    let mut shown = String::with_capacity(typed.len());
    for c in typed.chars() {
        shown.push(c);
        if matches!(c, '.' | ':' | '/' | '@') {
            shown.push(WORD_JOINER);
        }
    }
    shown
}

impl Language {
    fn words(&self, template: Template) -> &Words {
        match template {
            Template::ResetPassword => &self.reset_password,
            Template::SetPassword => &self.set_password,
            Template::PasswordChanged => &self.password_changed,
            Template::ConfirmEmail => &self.confirm_email,
            Template::EmailChanged => &self.email_changed,
            Template::AccountErased => &self.account_erased,
            Template::PaymentRefunded => &self.payment_refunded,
            Template::PaymentReceipt => &self.payment_receipt,
            Template::TrialEnding => &self.trial_ending,
            Template::PaymentOverdue => &self.payment_overdue,
            Template::SubscriptionCanceled => &self.subscription_canceled,
            Template::WithdrawalReceived => &self.withdrawal_received,
            Template::WithdrawalAccepted => &self.withdrawal_accepted,
            Template::PurchaseReceipt => &self.purchase_receipt,
            Template::PurchaseRefunded => &self.purchase_refunded,
            Template::NewSignIn => &self.new_sign_in,
            Template::SecondFactorEnabled => &self.second_factor_enabled,
            Template::SecondFactorDisabled => &self.second_factor_disabled,
            Template::RecoveryCodeUsed => &self.recovery_code_used,
        }
    }
}

/// A mail without its address.
pub struct MailContent {
    pub subject: String,
    pub text: String,
    pub html: String,
}

#[derive(Debug, thiserror::Error)]
pub enum MailTemplateError {
    #[error("mail/texts/{lang}.json: {source}")]
    Text {
        lang: &'static str,
        source: serde_json::Error,
    },
    #[error("a sheet cannot be filled in: {0}")]
    Layout(#[from] minijinja::Error),
}

pub struct MailTemplates {
    english: Language,
    others: BTreeMap<&'static str, Language>,
    layouts: Environment<'static>,
    /// Without a slash at the end.
    public_url: String,
}

impl MailTemplates {
    pub fn new(public_url: String) -> Result<Self, MailTemplateError> {
        let mut others = BTreeMap::new();
        for (lang, text) in OTHERS {
            others.insert(lang, read(lang, text)?);
        }
        let mut sheets = Environment::new();
        sheets.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
        sheets.add_template("mail.html", include_str!("mail/mail.html"))?;
        sheets.add_template("mail.txt", include_str!("mail/mail.txt"))?;
        Ok(Self {
            english: read(ENGLISH.0, ENGLISH.1)?,
            others,
            layouts: sheets,
            public_url,
        })
    }

    pub fn render(
        &self,
        template: Template,
        lang: &str,
        particulars: &MailParams,
    ) -> Result<MailContent, MailTemplateError> {
        let (lang, language) = self.language(lang);
        let words = particulars.fill(language.words(template).clone(), lang);
        let link = words
            .button
            .as_ref()
            .map(|_| self.link(template, lang, particulars.token.as_ref()));
        let context = context! {
            lang,
            dir => if WRITTEN_FROM_RIGHT_TO_LEFT.contains(&lang) { "rtl" } else { "ltr" },
            words => context! {
                subject => &words.subject,
                preview => &words.preview,
                heading => &words.heading,
                body => words.body.clone(),
                button => words.button.clone(),
                after => words.after.clone(),
            },
            link,
            closing => &language.closing,
            reason => words.reason.as_ref().unwrap_or(&language.reason),
        };
        Ok(MailContent {
            subject: words.subject.clone(),
            text: self.layouts.get_template("mail.txt")?.render(&context)?,
            html: self.layouts.get_template("mail.html")?.render(&context)?,
        })
    }

    /// `pt-BR` reads `pt`; a language the site does not have reads English.
    fn language(&self, lang: &str) -> (&'static str, &Language) {
        let primary = lang.split('-').next().unwrap_or_default().to_ascii_lowercase();
        match self.others.get_key_value(primary.as_str()) {
            Some((name, language)) => (*name, language),
            None => (ENGLISH.0, &self.english),
        }
    }

    /// Where a password is chosen: with a token at once, without one after asking for it.
    fn link(&self, template: Template, lang: &str, token: Option<&SecretString>) -> String {
        let page = format!("{}/{lang}/{}/", self.public_url, template.page());
        match token {
            Some(token) => format!("{page}?{}={}", template.token_parameter(), token.expose_secret()),
            None => page,
        }
    }
}

fn read(lang: &'static str, text: &str) -> Result<Language, MailTemplateError> {
    serde_json::from_str(text).map_err(|source| MailTemplateError::Text { lang, source })
}

#[cfg(test)]
mod tests;

use chrono::TimeDelta;
use kit::money::Currency;

use super::*;
use crate::domain::email::Email;

const TOKEN: &str = "0123456789abcdef";
const ORDER: &str = "ord_0199f0a46c1e7cc09f3a2b1d5f8a7c11";

fn stationery() -> MailTemplates {
    MailTemplates::new("https://stillpoint.example".to_owned()).unwrap()
}

fn languages() -> impl Iterator<Item = &'static str> {
    [ENGLISH].into_iter().chain(OTHERS).map(|(lang, _)| lang)
}

fn has_token(template: Template) -> bool {
    template.link_ttl() > TimeDelta::zero()
}

/// And about a day, some of them.
fn is_about_money(template: Template) -> bool {
    matches!(template, Template::PaymentRefunded | Template::WithdrawalAccepted)
        || template.page() == "account"
        || is_for_guests(template)
}

fn is_for_guests(template: Template) -> bool {
    Template::ALL
        .iter()
        .any(|other| other.for_guests() == Some(template))
}

fn withdrawal() -> Withdrawal {
    Withdrawal {
        number: "wdr_0199f0a46c1e7cc09f3a2b1d5f8a7c11".to_owned(),
        full_name: "Ada Lovelace".to_owned(),
        email: Email::parse("ada@example.com").unwrap(),
        reference: "receipt 4711".to_owned(),
        received_at: "2028-02-29T09:05:00Z".parse().unwrap(),
    }
}

fn particulars(template: Template) -> MailParams {
    let amount = Money::new(123_450, Currency::parse("TRY").unwrap());
    let is_sign_in = template == Template::NewSignIn;
    MailParams {
        token: has_token(template).then(|| SecretString::from(TOKEN)),
        amount: is_about_money(template).then_some(amount),
        moment: (is_about_money(template) || is_sign_in).then(|| "2028-02-29T12:00:00Z".parse().unwrap()),
        device: is_sign_in.then(|| "Firefox, Android".to_owned()),
        country: is_sign_in.then(|| "DE".to_owned()),
        withdrawal: template.as_str().starts_with("withdrawal_").then(withdrawal),
        order_id: is_for_guests(template).then(|| ORDER.to_owned()),
    }
}

fn written(stationery: &MailTemplates, template: Template, lang: &str) -> MailContent {
    stationery.render(template, lang, &particulars(template)).unwrap()
}

/// The words as they stand in the mail.
fn words_in(stationery: &MailTemplates, template: Template, lang: &str) -> Words {
    let words = stationery.language(lang).1.words(template).clone();
    particulars(template).fill(words, lang)
}

/// As a browser reads an attribute.
fn plain(html: &str) -> String {
    html.replace("&#x2f;", "/")
        .replace("&#x27;", "'")
        .replace("&amp;", "&")
}

#[test]
fn every_mail_is_whole_in_every_language() {
    let stationery = stationery();
    for lang in languages() {
        for template in Template::ALL {
            let at = format!("{lang} {}", template.as_str());
            let Language { closing, reason, .. } = stationery.language(lang).1;
            let words = words_in(&stationery, template, lang);
            let reason = words.reason.as_ref().unwrap_or(reason);
            let mail = written(&stationery, template, lang);
            let html = plain(&mail.html);
            let all = words
                .body
                .iter()
                .chain(&words.after)
                .chain([&words.heading, closing, reason]);
            assert!(!words.body.is_empty() && !mail.subject.is_empty(), "{at}");
            for said in all.chain(&words.button) {
                assert!(said.trim() == said && said.chars().count() > 3, "{at}: {said:?}");
                assert!(mail.text.contains(said) && html.contains(said), "{at}: {said}");
            }
            assert!(
                html.contains(&words.preview) && words.preview != words.subject,
                "{at}"
            );
            for left_over in ["{{", "{%", "undefined", "{"] {
                assert!(!mail.text.contains(left_over), "{at}: {left_over}");
            }
        }
    }
}

#[test]
fn no_language_borrows_the_words_of_another() {
    let stationery = stationery();
    for template in Template::ALL {
        let words = |lang| stationery.language(lang).1.words(template);
        let mut bodies: Vec<_> = languages().map(|lang| (&words(lang).body, lang)).collect();
        bodies.sort();
        for pair in bodies.windows(2) {
            assert_ne!(pair[0].0, pair[1].0, "{} and {}", pair[0].1, pair[1].1);
        }
    }
}

#[test]
fn a_mail_names_its_link_once_and_nothing_else_on_the_net() {
    let stationery = stationery();
    for lang in languages() {
        for template in Template::ALL {
            let mail = written(&stationery, template, lang);
            let html = plain(&mail.html);
            let page = format!("https://stillpoint.example/{lang}/{}/", template.page());
            let link = if has_token(template) {
                format!("{page}?{}={TOKEN}", template.token_parameter())
            } else {
                page
            };
            let links = usize::from(stationery.language(lang).1.words(template).button.is_some());
            let at = format!("{lang} {}", template.as_str());
            assert_eq!(mail.text.matches(&link).count(), links, "{at}");
            assert_eq!(html.matches(&format!("href=\"{link}\"")).count(), links, "{at}");
            assert_eq!(mail.text.matches("://").count(), links, "{at}");
            assert_eq!(html.matches("://").count(), links, "{at}");
            assert!(
                !html.contains("src="),
                "{at}: an image would report the reader and the time"
            );
        }
    }
}

#[test]
fn a_refund_names_what_is_given_back() {
    let stationery = stationery();
    for lang in languages() {
        let mail = written(&stationery, Template::PaymentRefunded, lang);
        let amount = amount::written(particulars(Template::PaymentRefunded).amount.unwrap(), lang);
        assert!(
            mail.text.contains(&amount) && mail.html.contains(&amount),
            "{lang}"
        );
        assert!(
            !mail.text.contains(AMOUNT) && !mail.html.contains(AMOUNT),
            "{lang}"
        );
    }
}

#[test]
fn a_reminder_names_the_day_and_the_amount_in_every_language() {
    let stationery = stationery();
    for lang in languages() {
        for template in [Template::TrialEnding, Template::PaymentOverdue] {
            let particulars = particulars(template);
            let mail = written(&stationery, template, lang);
            let amount = amount::written(particulars.amount.unwrap(), lang);
            let day = date::written(particulars.moment.unwrap(), lang);
            assert!(mail.text.contains(&amount) && mail.text.contains(&day), "{lang}");
        }
    }
}

#[test]
fn a_withdrawal_is_confirmed_with_all_that_was_declared() {
    let stationery = stationery();
    let Withdrawal {
        number,
        full_name,
        reference,
        ..
    } = withdrawal();
    for lang in languages() {
        let mail = written(&stationery, Template::WithdrawalReceived, lang);
        let moment = date::to_the_minute(withdrawal().received_at, lang);
        assert!(moment.contains("09:05 UTC"), "{moment}");
        for said in [
            number.as_str(),
            &full_name,
            &reference,
            &moment,
            "ada@example.com",
        ] {
            assert!(
                mail.text.contains(said) && plain(&mail.html).contains(said),
                "{lang}: {said}"
            );
        }
        assert!(
            !mail.text.contains(&stationery.language(lang).1.reason),
            "{lang}: there need be no account"
        );
    }
}

#[test]
fn what_was_not_declared_or_paid_is_not_named() {
    let stationery = stationery();
    for lang in languages() {
        let silent = MailParams {
            withdrawal: Some(Withdrawal {
                reference: String::new(),
                ..withdrawal()
            }),
            ..MailParams::default()
        };
        let paragraphs = |template, particulars: &MailParams| {
            let words = stationery.language(lang).1.words(template).clone();
            particulars.fill(words, lang).body.len()
        };
        for template in [Template::WithdrawalReceived, Template::WithdrawalAccepted] {
            let whole = paragraphs(template, &particulars(template));
            assert_eq!(paragraphs(template, &silent), whole - 1, "{lang}");
            let mail = stationery.render(template, lang, &silent).unwrap();
            assert!(
                !mail.text.contains('{') && !mail.html.contains(REFERENCE),
                "{lang}"
            );
        }
    }
}

#[test]
fn what_is_typed_into_a_withdrawal_adds_neither_link_nor_markup_nor_words_of_ours() {
    let stationery = stationery();
    let typed = "<b>https://evil.example/x?a=b</b> {amount} {email}";
    let particulars = MailParams {
        withdrawal: Some(Withdrawal {
            full_name: typed.to_owned(),
            reference: typed.to_owned(),
            ..withdrawal()
        }),
        ..MailParams::default()
    };
    let mail = stationery
        .render(Template::WithdrawalReceived, "en", &particulars)
        .unwrap();
    assert!(!mail.text.contains("://") && !mail.text.contains("evil.example"));
    assert!(!mail.html.contains("<b>") && !plain(&mail.html).contains("://"));
    assert!(mail.text.contains("{amount} {email}"), "{}", mail.text);
    assert!(!mail.subject.contains("evil"));
}

#[test]
fn a_mail_with_a_token_leads_somewhere() {
    let stationery = stationery();
    for template in Template::ALL.into_iter().filter(|template| has_token(*template)) {
        for lang in languages() {
            assert!(stationery.language(lang).1.words(template).button.is_some());
        }
    }
}

#[test]
fn arabic_is_written_from_right_to_left() {
    let stationery = stationery();
    for lang in languages() {
        let html = written(&stationery, Template::ResetPassword, lang).html;
        let dir = if lang == "ar" { "rtl" } else { "ltr" };
        assert!(
            html.contains(&format!("<html lang=\"{lang}\" dir=\"{dir}\">")),
            "{lang}"
        );
        for one_sided in ["text-align: left", "margin-left", "float:"] {
            assert!(!html.contains(one_sided), "{lang}: {one_sided}");
        }
    }
}

#[test]
fn it_can_be_read_in_the_dark() {
    let html = written(&stationery(), Template::ResetPassword, "en").html;
    assert!(html.contains("name=\"color-scheme\" content=\"light dark\""));
    assert!(html.contains("prefers-color-scheme: dark"));
}

#[test]
fn a_language_is_found_by_its_first_part_or_is_english() {
    let stationery = stationery();
    for (asked, given) in [
        ("pt-BR", "pt"),
        ("TR", "tr"),
        ("nl", "en"),
        ("", "en"),
        ("zh-Hans", "en"),
    ] {
        assert_eq!(stationery.language(asked).0, given, "{asked}");
    }
}

/// The words say it in full, as one says it in each language.
#[test]
fn a_link_lives_as_long_as_the_words_say() {
    assert_eq!(Template::ResetPassword.link_ttl(), TimeDelta::hours(1));
    assert_eq!(Template::SetPassword.link_ttl(), TimeDelta::days(7));
    assert_eq!(Template::ConfirmEmail.link_ttl(), TimeDelta::days(1));
    assert_eq!(Template::EmailChanged.link_ttl(), TimeDelta::days(7));
    assert_eq!(Template::NewSignIn.link_ttl(), TimeDelta::days(7));
}

#[test]
fn a_new_sign_in_names_its_time_and_what_is_known_of_its_origin() {
    let stationery = stationery();
    for lang in languages() {
        let mail = written(&stationery, Template::NewSignIn, lang);
        let moment = date::to_the_minute("2028-02-29T12:00:00Z".parse().unwrap(), lang);
        for part in [moment.as_str(), "Firefox, Android", "DE"] {
            assert!(mail.text.contains(part), "{lang}: {part}");
        }
        let unknown = MailParams {
            device: None,
            country: None,
            ..particulars(Template::NewSignIn)
        };
        let mail = stationery.render(Template::NewSignIn, lang, &unknown).unwrap();
        assert!(!mail.text.contains('{'), "{lang}");
    }
}

#[test]
fn guest_mails_name_the_order_and_no_account() {
    let stationery = stationery();
    for lang in languages() {
        for template in Template::ALL.into_iter().filter_map(Template::for_guests) {
            let mail = written(&stationery, template, lang);
            let account = &stationery.language(lang).1.reason;
            let at = format!("{lang} {}", template.as_str());
            for sheet in [&mail.text, &plain(&mail.html)] {
                assert!(sheet.contains(ORDER) && !sheet.contains(account), "{at}: {sheet}");
            }
        }
    }
}

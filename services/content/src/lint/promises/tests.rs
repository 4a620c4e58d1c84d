use crate::lint::{self, Campaigns};
use crate::seed_dir::SeedDir;
use crate::seed_dir::testing::Dir;

fn campaigns() -> Campaigns {
    let mut campaigns = Campaigns::default();
    for file in [
        "kind: coupons\ncoupons: [ { code: WELCOME20, percent_off: 20 } ]\n",
        "kind: currencies\ndefault: USD\nby_language: { en: USD, de: EUR, ja: JPY, tr: TRY }\n",
        "kind: campaign\ncode: web-annual\nperiod_months: 12\ntrial_days: 7\ncoupons: [WELCOME20]\nprices:\n  USD: { amount: \"69.99\", list: \"155.88\" }\n  EUR: { amount: \"69.99\", list: \"155.88\" }\n  JPY: { amount: \"7800\", list: \"18000\" }\n",
        "kind: campaign\ncode: web-monthly\nperiod_months: 1\ntrial_days: 0\nprices:\n  USD: { amount: \"12.99\" }\n  EUR: { amount: \"12.99\" }\n",
    ] {
        campaigns.add(file).unwrap();
    }
    campaigns
}

/// A site with two pages of checkout.
fn site() -> Dir {
    let dir = Dir::complete();
    for plan in ["annual", "monthly"] {
        let form = format!("{{ componentName: PaymentForm, title: Pay, campaign: web-{plan} }}");
        dir.page(
            &format!("en/payment-{plan}.yaml"),
            &format!("/payment/{plan}"),
            &[&form],
        );
    }
    dir
}

fn promises(dir: &Dir) -> Vec<String> {
    let read = SeedDir::read_now(&dir.0).unwrap();
    assert_eq!(read.errors, []);
    let findings = lint::check(&read, Some(&campaigns())).into_iter();
    findings
        .filter(|finding| finding.code.starts_with("PROMISE") || finding.code.starts_with("UNKNOWN_C"))
        .map(|finding| finding.to_string())
        .collect()
}

/// What is said of a page in a locale with one block.
fn of_block(locale: &str, block: &str) -> Vec<String> {
    let dir = site();
    dir.page(&format!("{locale}/one.yaml"), "/one", &[block]);
    promises(&dir)
}

fn hero(title: &str, plan: &str) -> String {
    format!(
        "{{ componentName: Hero, title: \"{title}\", buttons: [ {{ text: Go, url: /payment/{plan} }} ] }}"
    )
}

#[test]
fn a_trial_must_be_that_of_the_linked_campaign() {
    assert_eq!(of_block("en", &hero("Seven days free", "annual")), [""; 0]);
    assert_eq!(
        of_block("en", &hero("Fourteen days free", "annual")),
        [
            "en/one.yaml:5: sections[0].title: promises 14 days for free; web-annual gives 7 days. \
          Fix: write the trial that the campaign gives, or link the campaign that gives this one."
        ]
    );
    assert_eq!(
        of_block("en", &hero("Start your free trial", "monthly")),
        [
            "en/one.yaml:5: sections[0].title: promises a free trial; web-monthly has no trial. \
          Fix: take the trial out, or link a campaign that has one."
        ]
    );
    assert_eq!(of_block("de", &hero("Eine Woche kostenlos", "annual")), [""; 0]);
    assert_eq!(of_block("de", &hero("Sieben Tage kostenlos", "monthly")).len(), 1);
}

#[test]
fn each_plan_is_held_against_its_own_campaign() {
    let plan = |name: &str, feature: &str| {
        format!(
            "{{ title: P, features: [\"{feature}\"], button: {{ text: Go, url: /payment/{name} }}, price: {{ campaignName: web-{name} }} }}"
        )
    };
    let list = |annual: &str, monthly: &str| {
        format!(
            "{{ componentName: PlanList, plans: [ {}, {} ] }}",
            plan("annual", annual),
            plan("monthly", monthly)
        )
    };
    assert_eq!(of_block("en", &list("Seven days free", "Stop any time")), [""; 0]);
    let wrong = of_block("en", &list("Calm", "Seven days free"));
    assert!(
        wrong.len() == 1
            && wrong[0].contains("plans[1].features[0]: promises 7 days for free; web-monthly has no trial"),
        "{wrong:#?}"
    );
}

#[test]
fn a_page_that_sells_nothing_may_tell_what_any_campaign_gives() {
    let text = |text: &str| format!("{{ componentName: MarkdownText, markdown: \"{text}\" }}");
    assert_eq!(
        of_block("en", &text("The annual plan is free for seven days.")),
        [""; 0]
    );
    assert_eq!(of_block("en", &text("Free for three weeks.")).len(), 1);
    assert_eq!(
        of_block("en", &text("Free for [seven days](/payment/monthly).")).len(),
        1
    );
}

#[test]
fn a_price_must_be_one_the_campaign_gives_in_the_currency_of_the_language() {
    for (locale, title) in [
        (
            "en",
            "Only $69.99 a year, $5.83 a month, $0.19 a day instead of $155.88. $0 today.",
        ),
        ("en", "Save $85.89"),
        ("de", "69,99 € im Jahr, das sind 5,84 € im Monat"),
        ("ja", "年額7,800円、月あたり650円"),
    ] {
        assert_eq!(of_block(locale, &hero(title, "annual")), [""; 0], "{title}");
    }
    let wrong = of_block("en", &hero("Only $59.99", "annual"));
    assert!(
        wrong[0].contains("says 59.99 USD; web-annual costs 69.99 USD instead of 155.88, 5.83 a month."),
        "{wrong:#?}"
    );
    let wrong = of_block("de", &hero("Nur $69.99", "annual"));
    assert!(
        wrong[0].contains("says 69.99 USD; readers of this language pay in EUR"),
        "{wrong:#?}"
    );
    let wrong = of_block("en", &hero("Nothing but $0 today", "monthly"));
    assert!(
        wrong[0].contains("says 0 USD; web-monthly costs 12.99 USD, 12.99 a month"),
        "{wrong:#?}"
    );
}

#[test]
fn a_discount_must_be_in_the_price_or_in_a_coupon_of_the_page() {
    assert_eq!(
        of_block("en", &hero("55 % off the list price", "annual")),
        [""; 0]
    );
    assert_eq!(
        of_block("en", &hero("20 % off with WELCOME20", "annual")),
        [""; 0]
    );
    let wrong = of_block("en", &hero("20 % off today", "annual"));
    assert!(
        wrong[0].contains(
            "promises 20 % off; web-annual gives 55 %, 20 % with WELCOME20 where the page names it."
        ),
        "{wrong:#?}"
    );
    let wrong = of_block("en", &hero("Half price", "monthly"));
    assert!(
        wrong[0].contains("promises 50 % off; web-monthly gives none by itself"),
        "{wrong:#?}"
    );
}

#[test]
fn heads_and_trial_fields_promise_as_well() {
    let dir = site();
    dir.write(
        "en/one.yaml",
        "urlPath: /one\ntemplate: Page\nseo:\n  title: Free for ten days\nsections:\n  - { componentName: Hero, title: A }\n",
    );
    dir.page(
        "en/two.yaml",
        "/two",
        &["{ componentName: PaymentForm, title: Pay, campaign: web-annual, freeTrialPeriod: 14 days }"],
    );
    let wrong = promises(&dir);
    assert!(
        wrong[0].starts_with("en/one.yaml:4: seo.title: promises 10 days for free"),
        "{wrong:#?}"
    );
    assert!(
        wrong[1].starts_with("en/two.yaml:5: sections[0].freeTrialPeriod: promises 14 days for free"),
        "{wrong:#?}"
    );
    assert_eq!(wrong.len(), 2, "{wrong:#?}");
}

#[test]
fn the_menu_promises_as_well() {
    let dir = site();
    dir.write(
        "tr/navigation.yaml",
        "logo: { url: /favicon.svg, alt: Stillpoint }\nnavigationButtons:\n  - { text: Ücretsiz deneyin, url: /payment/monthly }\n",
    );
    let wrong = promises(&dir);
    assert!(
        wrong.len() == 1
            && wrong[0].starts_with("tr/navigation.yaml:3: navigationButtons[0].text: promises a free trial"),
        "{wrong:#?}"
    );
}

#[test]
fn a_campaign_that_does_not_exist_is_an_error_and_such_a_coupon_a_warning() {
    let form = |fields: &str| {
        of_block(
            "en",
            &format!("{{ componentName: PaymentForm, title: Pay, {fields} }}"),
        )
    };
    assert_eq!(form("campaign: web-annual, couponCode: WELCOME20"), [""; 0]);
    let wrong = form("campaign: web-anual");
    assert!(
        wrong[0].contains(
            ": sections[0].campaign: there is no campaign web-anual. Fix: name one of web-annual, web-monthly"
        ) && !wrong[0].contains("warning"),
        "{wrong:#?}"
    );
    let wrong = form("campaign: web-monthly, couponCode: WELCOME20");
    assert!(
        wrong[0].contains("web-monthly does not take the coupon WELCOME20"),
        "{wrong:#?}"
    );
}

//! Copy may promise only what the linked campaign gives: trials, prices, discounts.

mod claim;
mod lexicon;
mod scope;
mod words;

use claim::Claim;
use lexicon::{Lexicon, Unit};
use scope::{CampaignUses, Scope};

use super::amount::{self, Amount};
use super::campaigns::{Campaign, Campaigns};
use super::site::{LintFile, Site};
use crate::seed_dir::LintFinding;

/// Its text is a promise even without a word that says so.
const TRIAL_FIELD: &str = "freeTrialPeriod";

pub fn check(site: &Site<'_>, campaigns: &Campaigns, findings: &mut Vec<LintFinding>) {
    for file in &site.files {
        let reader = Reader {
            uses: CampaignUses::of(file, site, campaigns),
            lexicon: words::lexicon(file.locale),
            currency: campaigns.currency(file.locale.code()),
            campaigns,
        };
        // Untranslated text has its own rule and the promises of the English file.
        let own = texts(file).into_iter().filter(|(field, _)| file.is_own(field));
        unknown_codes(file, campaigns, findings);
        for (field, text) in own {
            for problem in reader.problems(&field, text) {
                let finding = file.error(&field, problem.code).message(problem.message);
                findings.push(finding.fix(problem.fix));
            }
        }
    }
}

/// The code of the finding that campaigns and promises were not checked.
pub const UNCHECKED: &str = "UNCHECKED_CAMPAIGNS";

/// Without campaigns nothing is checked. The first use of a campaign in the directory is reported in place of all others.
pub fn report_unchecked(site: &Site<'_>, findings: &mut Vec<LintFinding>) {
    let sections = site
        .files
        .iter()
        .flat_map(|file| file.sections.iter().map(move |section| (file, section)));
    let mut uses = sections.flat_map(|(file, section)| {
        let found = section.found.campaigns.iter();
        found.map(move |used| (file, section.field(&used.field), &used.campaign))
    });
    let Some((file, field, campaign)) = uses.next() else {
        return;
    };
    let finding = file.warning(&field, UNCHECKED);
    let finding = finding.message(format!(
        "names the campaign {campaign}; without campaigns neither their codes nor promises in texts are checked"
    ));
    findings.push(
        finding.fix("name the folder of the campaigns with --campaigns, or place it beside the directory."),
    );
}

/// A campaign that does not exist shows no price and sells nothing: an error. A coupon may be written about before it is valid: a warning.
fn unknown_codes(file: &LintFile<'_>, campaigns: &Campaigns, findings: &mut Vec<LintFinding>) {
    for section in &file.sections {
        for used in &section.found.campaigns {
            let field = section.field(&used.field);
            let Some(campaign) = campaigns.get(&used.campaign) else {
                let known: Vec<&str> = campaigns.all().map(|campaign| campaign.code.as_str()).collect();
                let finding = file.error(&field, "UNKNOWN_CAMPAIGN");
                let finding = finding.message(format!("there is no campaign {}", used.campaign));
                findings.push(finding.fix(format!(
                    "name one of {}, or add it to the campaigns.",
                    known.join(", ")
                )));
                continue;
            };
            let coupon = used.coupon_code.as_deref().filter(|code| !code.is_empty());
            if let Some(coupon) = coupon.filter(|code| !campaign.coupons.iter().any(|taken| taken == code)) {
                let finding = file.warning(&field, "UNKNOWN_COUPON");
                let finding = finding.message(format!("{} does not take the coupon {coupon}", campaign.code));
                findings.push(finding.fix("name a coupon that the campaign takes, or none."));
            }
        }
    }
}

/// What people read in a file, and search engines show.
fn texts<'a>(file: &'a LintFile<'_>) -> Vec<(String, &'a str)> {
    let in_sections = file.sections.iter().flat_map(|section| {
        let texts = section.found.texts.iter();
        texts.map(|text| (section.field(&text.field), text.text.as_str()))
    });
    let in_tree = file.file.tree.texts().into_iter();
    let beside = in_tree.filter(|(field, ..)| field.starts_with("seo.") || field.ends_with(TRIAL_FIELD));
    let mut texts: Vec<(String, &str)> = in_sections.collect();
    texts.extend(beside.map(|(field, text, _)| (field, text)));
    texts.sort();
    texts.dedup();
    texts
}

struct Reader<'a> {
    uses: CampaignUses<'a>,
    /// `None`: the language has no table; amounts are checked all the same.
    lexicon: Option<&'static Lexicon>,
    currency: &'a str,
    campaigns: &'a Campaigns,
}

struct Problem {
    code: &'static str,
    message: String,
    fix: &'static str,
}

impl Reader<'_> {
    fn problems(&self, field: &str, text: &str) -> Vec<Problem> {
        let amounts = amount::written(text);
        let claims = self.claims(field, text);
        if amounts.is_empty() && claims.is_empty() {
            return Vec::new();
        }
        let scope = self.uses.around(field);
        let wrong_claims = claims
            .into_iter()
            .filter_map(|claim| self.wrong_claim(claim, &scope));
        let wrong_amounts = amounts
            .iter()
            .filter_map(|amount| self.wrong_amount(amount, &scope));
        wrong_claims.chain(wrong_amounts).collect()
    }

    fn claims(&self, field: &str, text: &str) -> Vec<Claim> {
        let Some(lexicon) = self.lexicon else {
            return Vec::new();
        };
        if field.ends_with(TRIAL_FIELD) {
            lexicon.times(text)
        } else {
            lexicon.claims(text)
        }
    }

    fn wrong_claim(&self, claim: Claim, scope: &Scope<'_>) -> Option<Problem> {
        match claim {
            Claim::FreeDays { days, as_said } => {
                let given = scope
                    .campaigns
                    .iter()
                    .any(|campaign| gives(campaign, days, as_said.1));
                (!given).then(|| Problem {
                    code: "PROMISE_TRIAL",
                    message: format!(
                        "promises {} for free; {}",
                        said(as_said.0, as_said.1),
                        trials(scope)
                    ),
                    fix: "write the trial that the campaign gives, or link the campaign that gives this one.",
                })
            }
            Claim::Trial => {
                let given =
                    !scope.is_linked || scope.campaigns.iter().any(|campaign| campaign.trial_days > 0);
                (!given).then(|| Problem {
                    code: "PROMISE_TRIAL",
                    message: format!("promises a free trial; {}", trials(scope)),
                    fix: "take the trial out, or link a campaign that has one.",
                })
            }
            Claim::PercentOff(percent) => {
                let given = self.percents(scope);
                (!given.contains(&percent)).then(|| Problem {
                    code: "PROMISE_DISCOUNT",
                    message: format!("promises {percent} % off; {}", self.discounts(scope)),
                    fix: "write the discount that is given, or give the coupon on this page (`couponCode`).",
                })
            }
        }
    }

    fn wrong_amount(&self, written: &amount::Written, scope: &Scope<'_>) -> Option<Problem> {
        if !written.currencies.contains(&self.currency) {
            return Some(Problem {
                code: "PROMISE_CURRENCY",
                message: format!(
                    "says {} {}; readers of this language pay in {}",
                    written.text, written.currencies[0], self.currency
                ),
                fix: "write no price in the copy: the plan's block shows the right one.",
            });
        }
        let given = self.amounts(scope);
        (!given.contains(&written.amount)).then(|| Problem {
            code: "PROMISE_PRICE",
            message: format!("says {} {}; {}", written.text, self.currency, self.prices(scope)),
            fix: "write a price that the campaign gives, or none: the plan's block shows the right one.",
        })
    }

    /// Every amount the campaigns justify: the price, the list price, what is saved, each also per month, week and day.
    fn amounts(&self, scope: &Scope<'_>) -> Vec<Amount> {
        let mut amounts = Vec::new();
        for campaign in &scope.campaigns {
            let Some(price) = campaign.prices.get(self.currency) else {
                continue;
            };
            let mut totals = vec![price.amount];
            totals.extend(price.list);
            totals.extend(price.list.map(|list| list.less(price.amount)));
            for percent in scope.coupon_percents(self.campaigns) {
                let left = price.amount.after(percent, self.currency);
                totals.extend(left);
                totals.extend(left.map(|left| price.amount.less(left)));
            }
            let months = campaign.period_months;
            for total in totals {
                amounts.push(total);
                for count in [months, months * 52 / 12, months * 365 / 12] {
                    amounts.extend(total.parts(count, self.currency));
                }
            }
            if campaign.trial_days > 0 {
                amounts.push(Amount::ZERO);
            }
        }
        amounts
    }

    fn percents(&self, scope: &Scope<'_>) -> Vec<u32> {
        let mut percents = scope.coupon_percents(self.campaigns);
        for campaign in &scope.campaigns {
            let price = campaign.prices.get(self.currency);
            let list = price.and_then(|price| Some((price.amount, price.list?)));
            percents.extend(
                list.into_iter()
                    .flat_map(|(amount, list)| amount.percent_below(list)),
            );
        }
        percents
    }

    fn prices(&self, scope: &Scope<'_>) -> String {
        facts(scope, |campaign| {
            let Some(price) = campaign.prices.get(self.currency) else {
                return format!("has no price in {}", self.currency);
            };
            let list = price
                .list
                .map_or_else(String::new, |list| format!(" instead of {list}"));
            let [month, _] = price.amount.parts(campaign.period_months, self.currency);
            format!("costs {} {}{list}, {month} a month", price.amount, self.currency)
        })
    }

    fn discounts(&self, scope: &Scope<'_>) -> String {
        facts(scope, |campaign| {
            let price = campaign.prices.get(self.currency);
            let own = price.and_then(|price| price.list.map(|list| price.amount.percent_below(list)[0]));
            let own = own.map_or_else(
                || "gives none by itself".to_owned(),
                |percent| format!("gives {percent} %"),
            );
            let coupons = campaign.coupons.iter().filter_map(|code| {
                let percent = self.campaigns.percent_off(code)?;
                Some(format!(", {percent} % with {code} where the page names it"))
            });
            format!("{own}{}", coupons.collect::<String>())
        })
    }
}

/// A month is what calendars make of it.
fn gives(campaign: &Campaign, days: u32, unit: Unit) -> bool {
    let slack = if unit == Unit::Month { 2 } else { 0 };
    campaign.trial_days > 0 && campaign.trial_days.abs_diff(days) <= slack
}

fn said(count: u32, unit: Unit) -> String {
    let unit = match unit {
        Unit::Day => "day",
        Unit::Week => "week",
        Unit::Month => "month",
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

fn trials(scope: &Scope<'_>) -> String {
    facts(scope, |campaign| match campaign.trial_days {
        0 => "has no trial".to_owned(),
        days => format!("gives {}", said(days, Unit::Day)),
    })
}

fn facts(scope: &Scope<'_>, fact: impl Fn(&Campaign) -> String) -> String {
    if scope.campaigns.is_empty() {
        return "the linked campaign is not known".to_owned();
    }
    let listed: Vec<String> = scope
        .campaigns
        .iter()
        .map(|campaign| format!("{} {}", campaign.code, fact(campaign)))
        .collect();
    listed.join(", ")
}

#[cfg(test)]
mod tests;

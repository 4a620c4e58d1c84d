//! Which campaigns a text speaks of: those sold or linked nearest to it.

use std::collections::BTreeSet;

use crate::lint::campaigns::{Campaign, Campaigns};
use crate::lint::site::{LintFile, Site};

/// A campaign that a field of a file sells or leads to.
struct Use {
    field: String,
    code: String,
    coupon: Option<String>,
}

/// The campaigns of a file.
pub struct CampaignUses<'a> {
    campaigns: &'a Campaigns,
    found: Vec<Use>,
    /// Every text of the file in one, to look for coupon codes.
    texts: String,
}

/// What a text is held against.
pub struct Scope<'a> {
    pub campaigns: Vec<&'a Campaign>,
    /// Coupons a reader of the page gets to use.
    coupons: Vec<String>,
    /// False: nothing is linked from the page, so these are all campaigns there are.
    pub is_linked: bool,
}

impl<'a> CampaignUses<'a> {
    pub fn of(file: &LintFile<'_>, site: &Site<'_>, campaigns: &'a Campaigns) -> Self {
        let mut uses = Vec::new();
        for section in &file.sections {
            uses.extend(section.found.campaigns.iter().map(|found| Use {
                field: section.field(&found.field),
                code: found.campaign.clone(),
                coupon: found.coupon_code.clone(),
            }));
            let in_fields = section
                .found
                .links
                .iter()
                .map(|link| (&link.field, link.path.as_str()));
            let in_texts = section
                .found
                .texts
                .iter()
                .flat_map(|text| linked_paths(&text.text).map(move |path| (&text.field, path)));
            for (field, path) in in_fields.chain(in_texts) {
                let sold = sold_on(site, file, path).into_iter();
                uses.extend(sold.map(|(code, coupon)| Use {
                    field: section.field(field),
                    code,
                    coupon,
                }));
            }
        }
        let texts = file.file.tree.texts().into_iter();
        Self {
            campaigns,
            found: uses,
            texts: texts.map(|(_, text, _)| text).collect::<Vec<_>>().join("\n"),
        }
    }

    /// The campaigns of the smallest group of fields around a field that has any; of a file without any, all there are.
    pub fn around(&self, field: &str) -> Scope<'a> {
        let mut group = field;
        while let Some(end) = group.rfind(['.', '[']) {
            group = &group[..end];
            let near: Vec<&Use> = self
                .found
                .iter()
                .filter(|used| is_inside(&used.field, group))
                .collect();
            if !near.is_empty() {
                return self.scope(&near);
            }
        }
        let all: Vec<&Use> = self.found.iter().collect();
        if !all.is_empty() {
            return self.scope(&all);
        }
        Scope {
            campaigns: self.campaigns.all().collect(),
            coupons: self.coupons_of(self.campaigns.all()),
            is_linked: false,
        }
    }

    fn scope(&self, uses: &[&Use]) -> Scope<'a> {
        let codes: BTreeSet<&str> = uses.iter().map(|used| used.code.as_str()).collect();
        let campaigns: Vec<&Campaign> = codes
            .into_iter()
            .filter_map(|code| self.campaigns.get(code))
            .collect();
        let mut coupons = self.coupons_of(campaigns.iter().copied());
        coupons.extend(uses.iter().filter_map(|used| used.coupon.clone()));
        Scope {
            campaigns,
            coupons,
            is_linked: true,
        }
    }

    /// Those the campaigns take and the file names.
    fn coupons_of<'c>(&self, campaigns: impl Iterator<Item = &'c Campaign>) -> Vec<String> {
        let taken = campaigns.flat_map(|campaign| &campaign.coupons);
        taken.filter(|code| self.texts.contains(*code)).cloned().collect()
    }
}

impl Scope<'_> {
    /// The percentages that usable coupons take off.
    pub fn coupon_percents(&self, campaigns: &Campaigns) -> Vec<u32> {
        let percents = self.coupons.iter().filter_map(|code| campaigns.percent_off(code));
        percents.collect()
    }
}

fn is_inside(field: &str, group: &str) -> bool {
    field
        .strip_prefix(group)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// What is sold on a page of checkout.
fn sold_on(site: &Site<'_>, from: &LintFile<'_>, path: &str) -> Vec<(String, Option<String>)> {
    let Some(target) = site.page(from.locale, path) else {
        return Vec::new();
    };
    let forms = target
        .sections
        .iter()
        .filter(|section| section.component.contains("Payment"));
    forms
        .flat_map(|form| &form.found.campaigns)
        .map(|found| (found.campaign.clone(), found.coupon_code.clone()))
        .collect()
}

/// The pages that links in Markdown lead to.
fn linked_paths(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1);
    let inside = targets.filter(|target| target.starts_with('/'));
    inside.filter_map(|target| target.split([')', '?', '#', ' ']).next())
}

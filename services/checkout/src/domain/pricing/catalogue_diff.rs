//! Diff of catalogue files against the database: a changed price is a new row, a removed one goes off sale.

use std::collections::HashMap;

use kit::money::MoneyError;

use super::campaign::{self, Terms};
use super::catalogue::Price;
use super::seed::Seed;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignDiff {
    pub campaign: String,
    /// New rows.
    pub new: Vec<Terms>,
    /// Rows that go off sale, and stay for the orders that point at them.
    pub outdated: Vec<Price>,
}

impl CampaignDiff {
    pub fn is_empty(&self) -> bool {
        self.new.is_empty() && self.outdated.is_empty()
    }
}

/// Campaign by campaign, those without a change as well; what is only on sale comes last.
pub fn diff(seed: &Seed, on_sale: Vec<Price>) -> Result<Vec<CampaignDiff>, MoneyError> {
    let mut known: HashMap<String, Vec<Price>> = HashMap::new();
    for price in on_sale {
        known.entry(price.campaign.clone()).or_default().push(price);
    }
    let mut changes = Vec::new();
    for campaign in &seed.campaigns {
        let before = known.remove(&campaign.code).unwrap_or_default();
        let wanted = campaign::terms_of(campaign)?;
        let stays = |price: &Price| wanted.contains(&price.terms);
        let new = wanted
            .iter()
            .filter(|terms| !before.iter().any(|price| price.terms == **terms))
            .cloned()
            .collect();
        let outdated = before.iter().filter(|price| !stays(price)).cloned().collect();
        changes.push(CampaignDiff {
            campaign: campaign.code.clone(),
            new,
            outdated,
        });
    }
    let mut gone: Vec<CampaignDiff> = known
        .into_iter()
        .map(|(campaign, outdated)| CampaignDiff {
            campaign,
            new: Vec::new(),
            outdated,
        })
        .collect();
    gone.sort_by(|one, other| one.campaign.cmp(&other.campaign));
    changes.extend(gone);
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use kit::money::{Currency, Money};

    use super::*;
    use crate::domain::fixtures::noon;
    use crate::domain::ids::{CampaignId, PriceId};
    use crate::domain::pricing::seed::{SeedFile, read};

    fn seed(amount: &str) -> Seed {
        let file = |name: &str, text: String| SeedFile {
            name: name.into(),
            text,
        };
        let currencies = "kind: currencies\ndefault: USD\nby_language: {}\n".to_owned();
        let campaign = format!(
            "kind: campaign\ncode: monthly\nproduct: premium\nperiod_months: 1\nprices: {{USD: {{amount: '{amount}'}}}}\n"
        );
        read(&[
            file("currencies.yaml", currencies),
            file(
                "products.yaml",
                "kind: products\nproducts: [{code: premium, opens: [premium]}]\n".to_owned(),
            ),
            file("monthly.yaml", campaign),
        ])
        .unwrap()
    }

    fn on_sale(change: &CampaignDiff) -> Vec<Price> {
        let price = |terms: &Terms| Price {
            price_id: PriceId::new(noon()),
            campaign_id: CampaignId::new(noon()),
            campaign: change.campaign.clone(),
            terms: terms.clone(),
            stripe_price_id: None,
            paypal_plan_id: None,
        };
        change.new.iter().map(price).collect()
    }

    #[test]
    fn publishing_the_same_again_changes_nothing() {
        let first = diff(&seed("9.99"), Vec::new()).unwrap().remove(0);
        assert_eq!(first.new.len(), 1);
        let again = diff(&seed("9.99"), on_sale(&first)).unwrap();
        assert!(again.iter().all(CampaignDiff::is_empty));
    }

    #[test]
    fn changed_amount_is_a_new_row_beside_the_old_one() {
        let first = diff(&seed("9.99"), Vec::new()).unwrap().remove(0);
        let change = diff(&seed("8.99"), on_sale(&first)).unwrap().remove(0);
        let usd = Currency::parse("USD").unwrap();
        assert_eq!(change.new[0].amount, Money::new(899, usd));
        assert_eq!(change.outdated[0].terms.amount, Money::new(999, usd));
    }

    #[test]
    fn a_product_that_opens_something_else_is_sold_by_a_new_row() {
        let mut first = on_sale(&diff(&seed("9.99"), Vec::new()).unwrap().remove(0));
        first[0].terms.opens = crate::domain::pricing::opens::Opens::default();
        let change = diff(&seed("9.99"), first).unwrap().remove(0);
        assert_eq!((change.new.len(), change.outdated.len()), (1, 1));
    }

    #[test]
    fn what_is_in_no_file_any_more_goes_off_sale() {
        let mut gone = on_sale(&diff(&seed("9.99"), Vec::new()).unwrap().remove(0));
        gone[0].campaign = "older".into();
        let changes = diff(&seed("9.99"), gone).unwrap();
        assert_eq!(
            (changes[1].campaign.as_str(), changes[1].outdated.len()),
            ("older", 1)
        );
    }
}

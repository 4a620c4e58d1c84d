//! Files of kind `currencies` and `bin_offer`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kit::money::Currency;

use super::amounts::{Problem, currency, problem};
use super::{ErrorCollector, SourceFile, country, documents, slug};
use crate::domain::pricing::bin::{Bin, BinOffer, BinRange};
use crate::domain::pricing::currency_table::CurrencyTable;

pub fn read_currencies(
    files: &[(SourceFile<'_>, documents::Currencies)],
    errors: &mut ErrorCollector,
) -> Option<CurrencyTable> {
    let Some(((sheet, document), others)) = files.split_first() else {
        let nowhere = SourceFile {
            name: "currencies.yaml",
            lines: super::Lines::default(),
        };
        let why = "no file is of kind currencies".to_owned();
        errors.error(&nowhere, "", (why, "write one.".to_owned()));
        return None;
    };
    for (other, _) in others {
        let why = format!("currencies are already given by {}", sheet.name);
        errors.error(other, "kind", (why, "keep one of the two.".to_owned()));
    }
    for code in document.by_country.keys() {
        errors.take(sheet, format!("by_country.{code}"), country(code));
    }
    let by_language = table(sheet, "by_language", &document.by_language, errors);
    let by_country = table(sheet, "by_country", &document.by_country, errors);
    let default = errors.take(sheet, "default", currency(&document.default))?;
    Some(CurrencyTable {
        default,
        by_language,
        by_country,
    })
}

fn table(
    sheet: &SourceFile<'_>,
    field: &str,
    written: &BTreeMap<String, String>,
    errors: &mut ErrorCollector,
) -> HashMap<String, Currency> {
    let mut found = HashMap::new();
    for (name, code) in written {
        let read = errors.take(sheet, format!("{field}.{name}"), currency(code));
        found.extend(read.map(|currency| (name.clone(), currency)));
    }
    found
}

pub fn read_bin_offers(
    files: &[(SourceFile<'_>, documents::BinOffer)],
    campaigns: &BTreeSet<&str>,
    errors: &mut ErrorCollector,
) -> Vec<BinOffer> {
    let mut offers = Vec::new();
    for (sheet, document) in files {
        errors.take(sheet, "code", slug(&document.code));
        if !campaigns.contains(document.campaign.as_str()) {
            let why = format!("there is no campaign {:?}", document.campaign);
            errors.error(sheet, "campaign", (why, "name the campaign it opens.".to_owned()));
        }
        let mut ranges = Vec::new();
        for (index, written) in document.bins.iter().enumerate() {
            ranges.extend(errors.take(sheet, format!("bins.{index}"), range(written)));
        }
        let mut countries = Vec::new();
        for (index, written) in document.countries.iter().enumerate() {
            countries.extend(errors.take(sheet, format!("countries.{index}"), country(written)));
        }
        offers.push(BinOffer {
            code: document.code.clone(),
            campaign: document.campaign.clone(),
            countries,
            ranges,
        });
    }
    offers
}

fn range(text: &str) -> Result<BinRange, Problem> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let ends = Bin::parse(from).ok().zip(Bin::parse(to).ok());
    match ends.and_then(|(from, to)| BinRange::new(from, to)) {
        Some(range) => Ok(range),
        None => problem(
            format!("{text:?} are no beginnings of cards"),
            "write six to eight digits in quotes, or two such with a hyphen.",
        ),
    }
}

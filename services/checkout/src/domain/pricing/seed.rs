//! The seed files of the catalogue. All errors are returned at once, with file, line and
//! fix.

mod amounts;
mod campaigns;
mod coupons;
mod documents;
mod lines;
mod products;
mod rules;

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use kit::money::{Currency, Money};

use super::bin::BinOffer;
use super::campaign::Campaign;
use super::coupon::Coupon;
use crate::domain::pricing::currency_table::CurrencyTable;
use amounts::Problem;
use documents::Document;
use lines::Lines;

/// An amount as people and providers write it; `None` for what is none.
pub fn amount(text: &str, currency: Currency) -> Option<Money> {
    amounts::parse(text, currency).ok()
}

/// One file: its name, for the errors, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedFile {
    pub name: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    pub currencies: CurrencyTable,
    pub coupons: Vec<Coupon>,
    pub campaigns: Vec<Campaign>,
    pub bin_offers: Vec<BinOffer>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedError {
    pub file: String,
    pub line: usize,
    /// `prices.TRY.amount`; empty: the file as a whole.
    pub field: String,
    pub message: String,
    pub fix: String,
}

impl fmt::Display for SeedError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            field,
            message,
            fix,
        } = self;
        let colon = if field.is_empty() { "" } else { ": " };
        write!(formatter, "{file}:{line}: {field}{colon}{message}; {fix}")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedErrors(pub Vec<SeedError>);

impl fmt::Display for SeedErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the campaign files cannot be used:")?;
        for error in &self.0 {
            write!(formatter, "\n  {error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SeedErrors {}

/// Reads all files together: campaigns refer to coupons and currencies of other files.
pub fn read(files: &[SeedFile]) -> Result<Seed, SeedErrors> {
    let mut errors = ErrorCollector::default();
    let mut pile = DocumentsByKind::default();
    for file in files {
        let sheet = SourceFile {
            name: &file.name,
            lines: Lines::of(&file.text),
        };
        match serde_yaml_ng::from_str::<Document>(&file.text) {
            Ok(Document::Currencies(document)) => pile.currencies.push((sheet, document)),
            Ok(Document::Coupons(document)) => pile.coupons.push((sheet, document)),
            Ok(Document::Products(document)) => pile.products.push((sheet, document)),
            Ok(Document::Campaign(document)) => pile.campaigns.push((sheet, document)),
            Ok(Document::BinOffer(document)) => pile.bin_offers.push((sheet, document)),
            Err(error) => errors.unreadable(&sheet, &error),
        }
    }
    let currencies = rules::read_currencies(&pile.currencies, &mut errors);
    let coupons = coupons::read(&pile.coupons, &mut errors);
    let products = products::read(&pile.products, &mut errors);
    let campaigns = campaigns::read(
        &pile.campaigns,
        currencies.as_ref(),
        &coupons,
        &products,
        &mut errors,
    );
    let codes: BTreeSet<&str> = campaigns.iter().map(|campaign| campaign.code.as_str()).collect();
    let bin_offers = rules::read_bin_offers(&pile.bin_offers, &codes, &mut errors);

    match (currencies, errors.0.is_empty()) {
        (Some(currencies), true) => Ok(Seed {
            currencies,
            coupons: in_order(coupons),
            campaigns,
            bin_offers,
        }),
        _ => Err(SeedErrors(errors.0)),
    }
}

fn in_order(coupons: HashMap<String, Coupon>) -> Vec<Coupon> {
    let mut all: Vec<Coupon> = coupons.into_values().collect();
    all.sort_by(|one, other| one.code.cmp(&other.code));
    all
}

/// The files by their kind.
#[derive(Default)]
struct DocumentsByKind<'a> {
    currencies: Vec<(SourceFile<'a>, documents::Currencies)>,
    coupons: Vec<(SourceFile<'a>, documents::Coupons)>,
    products: Vec<(SourceFile<'a>, documents::Products)>,
    campaigns: Vec<(SourceFile<'a>, documents::Campaign)>,
    bin_offers: Vec<(SourceFile<'a>, documents::BinOffer)>,
}

/// One source file with its line numbers.
struct SourceFile<'a> {
    name: &'a str,
    lines: Lines,
}

/// Collects the errors of all files.
#[derive(Default)]
struct ErrorCollector(Vec<SeedError>);

impl ErrorCollector {
    fn error(&mut self, sheet: &SourceFile<'_>, field: impl Into<String>, (message, fix): Problem) {
        let field = field.into();
        self.0.push(SeedError {
            file: sheet.name.to_owned(),
            line: sheet.lines.find(&field),
            field,
            message,
            fix,
        });
    }

    /// Returns the valid value, or collects its error.
    fn take<T>(
        &mut self,
        sheet: &SourceFile<'_>,
        field: impl Into<String>,
        read: Result<T, Problem>,
    ) -> Option<T> {
        read.map_err(|complaint| self.error(sheet, field, complaint)).ok()
    }

    fn unreadable(&mut self, sheet: &SourceFile<'_>, error: &serde_yaml_ng::Error) {
        let message = error.to_string();
        // The reader names the field it stumbled over in such quotes, and the line only of broken text.
        let named = message
            .split('`')
            .nth(1)
            .and_then(|name| sheet.lines.find_named(name));
        let located = error.location().map(|location| location.line());
        self.0.push(SeedError {
            file: sheet.name.to_owned(),
            line: named.or(located).unwrap_or(1),
            field: String::new(),
            message,
            fix: "write it as the files beside it are written.".to_owned(),
        });
    }
}

fn is_slug(text: &str) -> bool {
    let word = |word: &str| {
        let plain = word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        plain && !word.is_empty()
    };
    text.len() <= 64 && text.split('-').all(word)
}

fn slug(text: &str) -> Result<(), Problem> {
    if is_slug(text) {
        return Ok(());
    }
    amounts::problem(
        format!("{text:?} is no name"),
        "use lower-case words and digits, joined by hyphens.",
    )
}

fn country(text: &str) -> Result<String, Problem> {
    if text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Ok(text.to_owned());
    }
    amounts::problem(
        format!("{text:?} is no country"),
        "use its two capitals of ISO 3166, such as TR.",
    )
}

#[cfg(test)]
mod tests;

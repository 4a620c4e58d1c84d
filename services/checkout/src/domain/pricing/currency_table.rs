//! Which currency a visitor is quoted in.

use std::collections::HashMap;

use kit::money::Currency;

/// Which currency a visitor is quoted in: by their country where it is named, else by the language of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencyTable {
    pub default: Currency,
    pub by_language: HashMap<String, Currency>,
    pub by_country: HashMap<String, Currency>,
}

impl CurrencyTable {
    /// Takes `pt` as well as `pt-BR`.
    pub fn currency(&self, country: &str, language: &str) -> Currency {
        let primary = language.split(['-', '_']).next().unwrap_or_default();
        let named = self.by_country.get(country);
        named
            .or_else(|| self.by_language.get(primary))
            .copied()
            .unwrap_or(self.default)
    }

    /// Every currency a campaign must have a price in.
    pub fn required(&self) -> Vec<Currency> {
        let named = self.by_language.values().chain(self.by_country.values());
        let mut all: Vec<Currency> = named.copied().chain([self.default]).collect();
        all.sort_by_key(|currency| currency.code());
        all.dedup_by_key(|currency| currency.code());
        all
    }
}

//! The countries a visitor can choose from, as ISO 3166 codes with the names that a language gives them (Unicode CLDR).
use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::Json;
use axum::extract::Query;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::protocol::locale;

/// Locale → code and name: Türkiye first, the others in the order of the language.
static NAMES: LazyLock<BTreeMap<String, Vec<CountryName>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("countries.json")).unwrap_or_default());

#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
pub struct CountriesQuery {
    /// Left out or unknown: the language the browser prefers.
    #[param(example = "tr")]
    lang: String,
}

// The file has arrays: serde reads a struct from an array of its fields as well.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
pub struct CountryName {
    /// ISO 3166 alpha-2.
    #[schema(example = "TR")]
    code: String,
    #[schema(example = "Türkiye")]
    name: String,
}

#[derive(Serialize, ToSchema)]
pub struct Countries {
    #[schema(value_type = Vec<CountryName>)]
    countries: &'static [CountryName],
}

/// All countries, Türkiye first.
#[utoipa::path(
    get, path = "/api/countries", tag = "country", params(CountriesQuery),
    responses((status = 200, body = Countries))
)]
pub async fn countries(Query(wanted): Query<CountriesQuery>, headers: HeaderMap) -> Response {
    let locale = locale::supported(&wanted.lang).unwrap_or_else(|| locale::preferred(&headers));
    let countries = NAMES.get(locale.code()).map(Vec::as_slice).unwrap_or_default();
    let headers = [(CACHE_CONTROL, "private, max-age=86400")];
    (headers, Json(Countries { countries })).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use blocks::Locale;

    use super::*;

    #[test]
    fn every_locale_names_every_country_once_and_turkey_first() {
        for locale in Locale::ALL {
            let countries = &NAMES[locale.code()];
            let codes: BTreeSet<_> = countries.iter().map(|country| &country.code).collect();
            assert_eq!((countries.len(), codes.len()), (249, 249), "{locale}");
            assert_eq!(countries[0].code, "TR", "{locale}");
            assert!(countries.iter().all(|country| !country.name.is_empty()));
        }
        assert_eq!(NAMES["de"][0].name, "Türkei");
        assert!(NAMES["ja"].iter().any(|country| country.name == "ドイツ"));
    }
}

//! Which language a visitor reads: the chosen one, else what the browser prefers.
use axum::http::HeaderMap;
use blocks::Locale;
use http::header::ACCEPT_LANGUAGE;

use crate::protocol::cookie_header;
use crate::protocol::quality_values::thousandths;

/// The web app writes it where a visitor chooses a language.
const COOKIE: &str = "locale";

/// The language that the visitor chose on this site, if any.
pub fn chosen(headers: &HeaderMap) -> Option<Locale> {
    cookie_header::read(headers, COOKIE)?.parse().ok()
}

/// The chosen language before the browser's.
pub fn negotiate(headers: &HeaderMap) -> Locale {
    chosen(headers).unwrap_or_else(|| preferred(headers))
}

/// The site's locale that `Accept-Language` weighs highest; `en` if it names none of ours.
pub fn preferred(headers: &HeaderMap) -> Locale {
    let ranges = headers
        .get(ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut best = (Locale::default(), 0);
    for range in ranges.split(',').take(32) {
        let (tag, weight) = weighed(range);
        match supported(tag) {
            Some(locale) if weight > best.1 => best = (locale, weight),
            _ => {}
        }
    }
    best.0
}

/// `pt-BR` and `PT` are our `pt`.
pub fn supported(tag: &str) -> Option<Locale> {
    tag.trim().split('-').next()?.to_ascii_lowercase().parse().ok()
}

/// Weights in thousandths, as the header allows three digits.
fn weighed(range: &str) -> (&str, u32) {
    let Some((tag, parameters)) = range.split_once(';') else {
        return (range, 1000);
    };
    let weight = parameters
        .trim()
        .strip_prefix("q=")
        .and_then(thousandths)
        .unwrap_or(0);
    (tag, weight)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn check(ranges: &'static str, expected: Locale) {
        let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, HeaderValue::from_static(ranges))]);
        assert_eq!(preferred(&headers), expected, "{ranges}");
    }

    #[test]
    fn heaviest_of_our_locales_wins() {
        check("tr-TR,tr;q=0.9,en;q=0.8", Locale::Tr);
        check("en;q=0.7, ar;q=0.75", Locale::Ar);
        check("zh-CN,zh;q=0.9,ja;q=0.1", Locale::Ja);
        check("pt-BR", Locale::Pt);
        check("en;q=0.5,tr;q=0.5", Locale::En);
    }

    #[test]
    fn english_when_nothing_fits() {
        for ranges in ["", "zh", "*", "tr;q=0", "tr;q=x", ";;;,,,", "tr;q=99999999999"] {
            check(ranges, Locale::En);
        }
        assert_eq!(preferred(&HeaderMap::new()), Locale::En);
    }
}

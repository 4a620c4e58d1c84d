//! Quality values of `Accept…` headers.

/// In thousandths, as the headers allow three digits; `None` for what is no weight.
pub fn thousandths(text: &str) -> Option<u32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole: u32 = whole.parse().ok()?;
    let digits: u32 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    Some((whole.min(1) * 1000 + digits).min(1000))
}

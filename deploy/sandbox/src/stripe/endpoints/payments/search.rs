//! Search for payment intents by one metadata entry; no other queries.

use serde_json::json;

use crate::stripe::{
    context::without_private_fields,
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

pub fn payment_intents(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let query = params.required("query")?;
    let limit = params.integer_within("limit", 1..=100)?.unwrap_or(10);
    params.finish()?;
    let (name, value) = read(&query).ok_or_else(|| {
        ApiError::invalid(format!(
            "The sandbox searches by metadata['name']:'value' only, not by {query}."
        ))
        .param("query")
    })?;
    let found = ctx
        .state
        .newest_first(Kind::PaymentIntent, None)
        .filter(|intent| intent["metadata"][name] == value);
    let mut data: Vec<_> = found.map(without_private_fields).collect();
    let limit = usize::try_from(limit).unwrap_or_default();
    let has_more = data.len() > limit;
    data.truncate(limit);
    Ok(json!({
        "object": "search_result",
        "url": "/v1/payment_intents/search",
        "has_more": has_more,
        "next_page": null,
        "data": data,
    }))
}

/// `metadata['name']:'value'`, in either kind of quotes.
fn read(query: &str) -> Option<(&str, &str)> {
    let (name, value) = query.trim().strip_prefix("metadata[")?.split_once("]:")?;
    Some((unquoted(name)?, unquoted(value)?))
}

fn unquoted(text: &str) -> Option<&str> {
    ['\'', '"']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
        .filter(|inner| !inner.contains(['\'', '"', '\\']))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn query_names_one_entry_of_the_metadata() {
        assert_eq!(read("metadata['order_id']:'ord_1'"), Some(("order_id", "ord_1")));
        assert_eq!(
            read(r#"metadata["order_id"]:"ord_1""#),
            Some(("order_id", "ord_1"))
        );
        for other in [
            "status:'succeeded'",
            "metadata['a']:'b' AND currency:'usd'",
            "metadata[a]:b",
            "",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}

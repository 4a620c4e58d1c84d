//! Stripe's form encoding: flat pairs whose names carry the nesting.

use std::borrow::Cow;

use url::form_urlencoded;

#[derive(Default)]
pub struct Form {
    pairs: Vec<(Cow<'static, str>, String)>,
}

impl Form {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.pairs.push((Cow::Borrowed(name), value.to_owned()));
        self
    }

    /// Leaves out an empty value: to Stripe that would mean "unset".
    pub fn filled(self, name: &'static str, value: &str) -> Self {
        if value.is_empty() {
            self
        } else {
            self.with(name, value)
        }
    }

    pub fn expand(mut self, paths: &[&str]) -> Self {
        let named = paths
            .iter()
            .map(|path| (Cow::Borrowed("expand[]"), (*path).to_owned()));
        self.pairs.extend(named);
        self
    }

    pub fn encode(&self) -> String {
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&self.pairs)
            .finish()
    }
}

/// An id from outside must not reach another path.
pub fn path_segment(id: &str) -> String {
    form_urlencoded::byte_serialize(id.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_in_the_names() {
        let form = Form::new()
            .with("items[0][price]", "price_1")
            .filled("name", "")
            .expand(&["latest_invoice"]);
        assert_eq!(
            form.encode(),
            "items%5B0%5D%5Bprice%5D=price_1&expand%5B%5D=latest_invoice"
        );
    }

    #[test]
    fn ids_cannot_leave_their_path() {
        assert_eq!(path_segment("pm_1/../../customers"), "pm_1%2F..%2F..%2Fcustomers");
    }
}

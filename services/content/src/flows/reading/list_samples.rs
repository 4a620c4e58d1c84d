//! Lists the meditation samples of a category.

use serde_json::Value;

use crate::error::Error;
use crate::flows::Flows;
use crate::flows::reading::get_page::parse_locale;
use crate::flows::reading::read_validation::readable_record;
use crate::store;

/// Category of requests without one.
pub const DEFAULT_CATEGORY: i32 = 101;

impl Flows {
    /// The samples of a category, and whose words they are.
    pub async fn samples(&self, locale: &str, category: i32) -> Result<(Vec<Value>, String), Error> {
        let locale = parse_locale(locale)?;
        let mut connection = self.pool.acquire().await?;
        let records = store::record::of_category(&mut connection, category, locale).await?;
        drop(connection);
        let content_locale = records.first().map(|record| record.content_locale.clone());
        let mut items = Vec::new();
        for record in records.into_iter().filter_map(readable_record) {
            let mut document: Value = serde_json::from_str(&record.document)?;
            if let Some(Value::Array(found)) = document.get_mut("items").map(Value::take) {
                items.extend(found);
            }
        }
        Ok((items, content_locale.unwrap_or_else(|| locale.to_string())))
    }
}

//! Files of kind `products`: what is sold, and what it opens.

use std::collections::HashMap;

use super::amounts::problem;
use super::{ErrorCollector, SourceFile, documents, slug};
use crate::domain::pricing::opens::Opens;

pub fn read(
    files: &[(SourceFile<'_>, documents::Products)],
    errors: &mut ErrorCollector,
) -> HashMap<String, Opens> {
    let mut products = HashMap::new();
    for (sheet, document) in files {
        for (index, product) in document.products.iter().enumerate() {
            let field = |name: &str| format!("products.{index}.{name}");
            errors.take(sheet, field("code"), slug(&product.code));
            let opens = Opens::parse(product.opens.iter().map(String::as_str)).or_else(|unknown| {
                let known = Opens::NAMES.join(", ");
                problem(
                    format!("{unknown:?} is nothing that a product opens"),
                    format!("use some of {known}."),
                )
            });
            let opens = errors.take(sheet, field("opens"), opens).unwrap_or_default();
            if products.insert(product.code.clone(), opens).is_some() {
                let why = format!("{} is given twice", product.code);
                errors.error(sheet, field("code"), (why, "keep one of the two.".to_owned()));
            }
        }
    }
    products
}

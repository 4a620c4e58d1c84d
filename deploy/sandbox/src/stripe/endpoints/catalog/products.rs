//! Products.

use serde_json::{Map, Value, json};

use crate::stripe::{
    context::{Named, merge_metadata},
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

const IGNORED: [&str; 9] = [
    "images",
    "marketing_features",
    "package_dimensions",
    "shippable",
    "statement_descriptor",
    "tax_code",
    "tax_details",
    "unit_label",
    "url",
];

/// The parameters that `product_data` of a price shares with `products`.
pub struct NewProduct {
    id: Option<String>,
    name: String,
    description: Option<String>,
    active: bool,
    metadata: Option<Map<String, Value>>,
}

impl NewProduct {
    pub fn read(params: &mut Params) -> Result<Self, ApiError> {
        params.ignore(&IGNORED);
        params.refuse(&["default_price_data"])?;
        params.ignore(&["type"]);
        Ok(Self {
            id: params.text("id")?,
            name: params.required("name")?,
            description: params.text("description")?,
            active: params.flag("active")?.unwrap_or(true),
            metadata: params.metadata()?,
        })
    }

    pub fn store(self, ctx: &mut Context<'_>) -> Result<String, ApiError> {
        let id = self.id.unwrap_or_else(|| Kind::Product.new_id());
        if ctx.state.get(Kind::Product, &id).is_some() {
            return Err(ApiError::invalid("Product already exists.").code("resource_already_exists"));
        }
        let mut product = json!({
            "id": id,
            "object": "product",
            "active": self.active,
            "created": ctx.now,
            "default_price": null,
            "description": self.description,
            "images": [],
            "livemode": false,
            "marketing_features": [],
            "metadata": {},
            "name": self.name,
            "package_dimensions": null,
            "shippable": null,
            "statement_descriptor": null,
            "tax_code": null,
            "tax_details": null,
            "type": "service",
            "unit_label": null,
            "updated": ctx.now,
            "url": null,
        });
        merge_metadata(&mut product["metadata"], self.metadata);
        ctx.insert(Kind::Product, product);
        ctx.emit(Kind::Product, &id, "product.created");
        Ok(id)
    }
}

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let new = NewProduct::read(&mut params)?;
    params.finish()?;
    let id = new.store(ctx)?;
    Ok(ctx.public_json(Kind::Product, &id))
}

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::Product, id, Named::Url)?;
    Ok(ctx.public_json(Kind::Product, id))
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    params.ignore(&IGNORED);
    let name = params.text("name")?;
    let description = params.clearable("description")?;
    let active = params.flag("active")?;
    let metadata = params.metadata()?;
    params.finish()?;
    ctx.find(Kind::Product, id, Named::Url)?;

    let now = ctx.now;
    ctx.change_and_emit(Kind::Product, id, "product.updated", |product| {
        if let Some(name) = name {
            product["name"] = json!(name);
        }
        if let Some(description) = description {
            product["description"] = json!(description);
        }
        if let Some(active) = active {
            product["active"] = json!(active);
        }
        merge_metadata(&mut product["metadata"], metadata);
        product["updated"] = json!(now);
    });
    Ok(ctx.public_json(Kind::Product, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let active = params.flag("active")?;
    let ids = params.texts("ids")?;
    params.finish()?;
    list(ctx, &ListScope::all(Kind::Product), &page, |product| {
        active.is_none_or(|active| product["active"] == active)
            && (ids.is_empty() || ids.iter().any(|id| product["id"] == **id))
    })
}

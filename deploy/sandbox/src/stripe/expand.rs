//! `expand[]`: an id becomes its object, up to four levels deep; some fields exist only when asked for.

use serde_json::Value;

use super::{
    books::id_of,
    ctx::{Ctx, shown},
    error::ApiError,
    kinds::Kind,
    verbs::{charges, invoices},
};

const DEPTH_MAX: usize = 4;

pub fn apply(ctx: &Ctx<'_>, value: &mut Value, paths: &[String]) -> Result<(), ApiError> {
    for path in paths {
        let steps: Vec<&str> = path.split('.').collect();
        let depth = steps.iter().filter(|step| **step != "data").count();
        if depth > DEPTH_MAX {
            return Err(ApiError::invalid(format!(
                "You cannot expand more than {DEPTH_MAX} levels of a property (attempted to expand {path})."
            )));
        }
        walk(ctx, value, &steps).map_err(|NotExpandable| {
            ApiError::invalid(format!("This property cannot be expanded ({path}).")).param("expand")
        })?;
    }
    Ok(())
}

struct NotExpandable;

fn walk(ctx: &Ctx<'_>, value: &mut Value, steps: &[&str]) -> Result<(), NotExpandable> {
    let Some((step, rest)) = steps.split_first() else {
        return Ok(());
    };
    match value {
        Value::Null => Ok(()),
        Value::Array(items) => items.iter_mut().try_for_each(|item| walk(ctx, item, steps)),
        Value::Object(_) => {
            let inner = field(ctx, value, step)?;
            walk(ctx, inner, rest)
        }
        _ => Err(NotExpandable),
    }
}

fn field<'v>(ctx: &Ctx<'_>, owner: &'v mut Value, name: &str) -> Result<&'v mut Value, NotExpandable> {
    if let Some(extra) = on_request(ctx, owner, name) {
        owner[name] = extra;
    }
    let inner = owner
        .get_mut(name)
        .filter(|_| name != "id")
        .ok_or(NotExpandable)?;
    if let Value::String(id) = inner {
        let object = Kind::of_id(id).and_then(|kind| ctx.books.get(kind, id));
        *inner = shown(object.ok_or(NotExpandable)?);
    }
    Ok(inner)
}

/// Fields that Stripe leaves out unless they are expanded.
fn on_request(ctx: &Ctx<'_>, owner: &Value, name: &str) -> Option<Value> {
    match (owner["object"].as_str()?, name) {
        ("invoice", "confirmation_secret") => Some(invoices::confirmation_secret(ctx, owner)),
        ("invoice", "payments") => Some(invoices::payments_of(ctx, id_of(owner))),
        ("charge", "refunds") => Some(charges::refunds_of(ctx, id_of(owner))),
        _ => None,
    }
}

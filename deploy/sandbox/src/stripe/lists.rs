//! List objects: newest first, with cursors.

use serde_json::{Value, json};

use super::{
    context::{Named, without_private_fields},
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
    state::{created, id_of},
};

const LIMIT_DEFAULT: i64 = 10;
const LIMIT_MAX: i64 = 100;

/// The parameters of every list.
pub struct Page {
    limit: usize,
    starting_after: Option<String>,
    ending_before: Option<String>,
    created: Range,
}

#[derive(Default)]
struct Range {
    from: Option<i64>,
    until: Option<i64>,
}

impl Range {
    fn contains(&self, at: i64) -> bool {
        self.from.is_none_or(|from| at >= from) && self.until.is_none_or(|until| at <= until)
    }
}

impl Page {
    pub fn read(params: &mut Params) -> Result<Self, ApiError> {
        let limit = params
            .integer_within("limit", 1..=LIMIT_MAX)?
            .unwrap_or(LIMIT_DEFAULT);
        Ok(Self {
            limit: usize::try_from(limit).unwrap_or_default(),
            starting_after: params.text("starting_after")?,
            ending_before: params.text("ending_before")?,
            created: read_range(params)?,
        })
    }
}

fn read_range(params: &mut Params) -> Result<Range, ApiError> {
    let Ok(Some(mut inner)) = params.clone().nested("created") else {
        let exact = params.integer("created")?;
        return Ok(Range {
            from: exact,
            until: exact,
        });
    };
    params.nested("created")?;
    let from = match inner.integer("gte")? {
        Some(at) => Some(at),
        None => inner.integer("gt")?.map(|at| at + 1),
    };
    let until = match inner.integer("lte")? {
        Some(at) => Some(at),
        None => inner.integer("lt")?.map(|at| at - 1),
    };
    inner.finish()?;
    Ok(Range { from, until })
}

/// The objects to list: all of a kind, or one customer's.
pub struct ListScope<'a> {
    pub kind: Kind,
    pub url: String,
    pub customer: Option<&'a str>,
}

impl<'a> ListScope<'a> {
    pub fn all(kind: Kind) -> Self {
        Self {
            kind,
            url: kind.url(),
            customer: None,
        }
    }

    pub fn of(kind: Kind, customer: Option<&'a str>) -> Self {
        Self {
            kind,
            url: kind.url(),
            customer,
        }
    }
}

pub fn list(
    ctx: &Context<'_>,
    scope: &ListScope<'_>,
    page: &Page,
    matches: impl Fn(&Value) -> bool,
) -> ApiResult {
    for (param, cursor) in [
        ("starting_after", &page.starting_after),
        ("ending_before", &page.ending_before),
    ] {
        if let Some(cursor) = cursor {
            ctx.find(scope.kind, cursor, Named::Param(param))?;
        }
    }

    let rows = ctx
        .state
        .newest_first(scope.kind, scope.customer)
        .filter(|value| page.created.contains(created(value)) && matches(value));
    let (data, has_more) = cut(rows, page);
    Ok(json!({ "object": "list", "url": scope.url, "has_more": has_more, "data": data }))
}

fn cut<'a>(rows: impl Iterator<Item = &'a Value>, page: &Page) -> (Vec<Value>, bool) {
    if let Some(before) = &page.ending_before {
        let newer: Vec<_> = rows
            .take_while(|value| id_of(value) != before)
            .map(without_private_fields)
            .collect();
        let start = newer.len().saturating_sub(page.limit);
        return (newer[start..].to_vec(), start > 0);
    }
    let mut rows: Box<dyn Iterator<Item = &Value>> = match &page.starting_after {
        None => Box::new(rows),
        Some(after) => Box::new(rows.skip_while(move |value| id_of(value) != after).skip(1)),
    };
    let data = rows
        .by_ref()
        .take(page.limit)
        .map(without_private_fields)
        .collect();
    (data, rows.next().is_some())
}

/// A list inside another object.
pub fn embedded(url: &str, data: &[Value]) -> Value {
    json!({ "object": "list", "data": data, "has_more": false, "url": url })
}

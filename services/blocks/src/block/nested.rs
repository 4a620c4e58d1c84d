//! Blocks inside blocks: stored inline as `{componentName, id?, …props}`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::block::{self, Block};
use crate::error::{BlockError, BlockErrorCode};
use crate::model::Model;

/// A block inside another block.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inline<'a, M> {
    component_name: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'a str,
    #[serde(flatten)]
    props: &'a M,
}

impl<'a, M: Model> Inline<'a, M> {
    pub fn write<S: Serializer>(id: &'a str, props: &'a M, serializer: S) -> Result<S::Ok, S::Error> {
        let inline = Self {
            component_name: M::NAME,
            id,
            props,
        };
        inline.serialize(serializer)
    }
}

/// Reads the blocks of a container. Unreadable blocks are skipped; the others are kept.
pub fn read_all<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Block>, D::Error> {
    let found = Vec::<Value>::deserialize(deserializer)?;
    Ok(found.into_iter().filter_map(read_part).collect())
}

/// Reads the single block of a container; `None` if it is unreadable.
pub fn read_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<Block>>, D::Error> {
    let found = Option::<Value>::deserialize(deserializer)?;
    Ok(found.and_then(read_part).map(Box::new))
}

/// Reads the required block of a record. It may be a container.
pub fn read_whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<Block>, D::Error> {
    let found = Inner::of(Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)?;
    let block = block::parse_value(&found.component_name, &found.props).map_err(serde::de::Error::custom)?;
    Ok(Box::new(block.named(found.id)))
}

fn read_part(value: Value) -> Option<Block> {
    let found = Inner::of(value).ok()?;
    if block::is_container(&found.component_name) {
        return None;
    }
    let read = block::parse_value(&found.component_name, &found.props).ok()?;
    Some(read.named(found.id))
}

/// Errors of the blocks inside a block or record. Reading skips unreadable blocks, so this inspects the raw value.
pub fn errors<M: Model>(given: &Value) -> Vec<BlockError> {
    let mut errors = Vec::new();
    for &field in M::NESTED {
        match given.get(field) {
            Some(Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    errors.append(&mut errors_of_one::<M>(&format!("{field}[{index}]"), item));
                }
            }
            Some(item @ Value::Object(_)) => errors.append(&mut errors_of_one::<M>(field, item)),
            _ => {}
        }
    }
    errors
}

fn errors_of_one<M: Model>(place: &str, given: &Value) -> Vec<BlockError> {
    let error = |field: &str, code, message: String| BlockError {
        component: M::NAME.to_owned(),
        field: join(place, field),
        code,
        message,
    };
    let found = match Inner::of(given.clone()) {
        Ok(found) => found,
        Err(why) => return vec![error("", BlockErrorCode::Malformed, why.to_owned())],
    };
    if block::is_block(M::NAME) && block::is_container(&found.component_name) {
        let message = "is a container, which cannot stand in another one".to_owned();
        return vec![error("", BlockErrorCode::NotAllowed, message)];
    }
    let inside = block::check_value(&found.component_name, &found.props).err();
    let inside = inside.unwrap_or_default().into_iter();
    inside
        .map(|inner| error(&inner.field, inner.code, inner.message))
        .collect()
}

/// Removes the nested blocks that [`errors`] inspects.
pub fn without_nested<M: Model>(mut given: Value) -> Value {
    if let Value::Object(fields) = &mut given {
        for field in M::NESTED {
            fields.shift_remove(*field);
        }
    }
    given
}

/// Whether a field belongs to a block inside this one.
pub fn is_inside<M: Model>(field: &str) -> bool {
    M::NESTED.iter().any(|nested| {
        let rest = field.strip_prefix(nested);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })
}

fn join(place: &str, field: &str) -> String {
    if field.is_empty() {
        place.to_owned()
    } else {
        format!("{place}.{field}")
    }
}

/// The parts of a nested block.
struct Inner {
    component_name: String,
    id: String,
    props: Value,
}

impl Inner {
    fn of(value: Value) -> Result<Self, &'static str> {
        let Value::Object(mut props) = value else {
            return Err("must be an object");
        };
        let mut text = |field: &str| match Map::shift_remove(&mut props, field) {
            None => Ok(String::new()),
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err("its componentName and id must be texts"),
        };
        let (component_name, id) = (text("componentName")?, text("id")?);
        if component_name.is_empty() {
            return Err("must say its componentName");
        }
        Ok(Self {
            component_name,
            id,
            props: Value::Object(props),
        })
    }
}

impl JsonSchema for Block {
    fn schema_name() -> Cow<'static, str> {
        "Block".into()
    }

    /// Schema of a nested block: only its name. The schemas of blocks would otherwise be repeated in every container.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A block inside this one, with the fields of its own schema.",
            "type": "object",
            "required": ["componentName"],
            "properties": {
                "componentName": {"enum": block::COMPONENTS},
                "id": {"type": "string", "description": "Unique in the page; generated if absent."},
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::block::{check, parse};
    use crate::locale::Locale;

    use super::*;

    fn success_hero(sections: &Value) -> String {
        json!({"sections": sections}).to_string()
    }

    fn ids(block: &Block) -> Vec<&str> {
        block.nested().into_iter().map(Block::own_id).collect()
    }

    #[test]
    fn blocks_inside_are_stored_inline_and_read_back_the_same() {
        let props = success_hero(&json!([
            {"componentName": "Tag", "id": "new", "text": "New"},
            {"componentName": "HorizontalRule"},
        ]));
        let block = check("SuccessHero", &props).unwrap();
        let stored = block.to_props().unwrap();
        assert_eq!(stored["sections"][0]["componentName"], "Tag");
        assert_eq!(stored["sections"][0]["id"], "new");
        assert_eq!(stored["sections"][1], json!({"componentName": "HorizontalRule"}));
        assert_eq!(parse("SuccessHero", &stored.to_string()).unwrap(), block);
    }

    #[test]
    fn errors_inside_are_all_returned_with_their_place() {
        let hero = json!({"componentName": "Hero", "title": "Hi"});
        let props = success_hero(&json!([
            {"componentName": "Hologram"},
            hero,
            {"componentName": "Tag", "tone": "warm"},
            {"text": "Whose?"},
            "Tag",
            {"componentName": "Tag", "id": 7},
        ]));
        let errors = check("SuccessHero", &props).unwrap_err();
        let found: Vec<_> = errors
            .iter()
            .map(|error| (error.field.as_str(), error.code))
            .collect();
        assert_eq!(
            found,
            [
                ("sections[0]", BlockErrorCode::UnknownComponent),
                ("sections[1]", BlockErrorCode::NotAllowed),
                ("sections[2].tone", BlockErrorCode::UnknownField),
                ("sections[2].text", BlockErrorCode::Required),
                ("sections[3]", BlockErrorCode::Malformed),
                ("sections[4]", BlockErrorCode::Malformed),
                ("sections[5]", BlockErrorCode::Malformed),
            ]
        );
        assert!(errors.iter().all(|error| error.component == "SuccessHero"));
    }

    #[test]
    fn ids_inside_are_unique_and_plain() {
        let tag = |id: &str| json!({"componentName": "Tag", "id": id, "text": "New"});
        let props = success_hero(&json!([tag("a"), tag("a"), tag("b c")]));
        let errors = check("SuccessHero", &props).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["sections[2].id", "sections[1].id"]);
    }

    #[test]
    fn what_cannot_be_read_inside_a_stored_block_is_passed_over() {
        let props = json!({
            "title": "Hi",
            "sections": [
                {"componentName": "Hologram"},
                {"componentName": "Tag", "id": "new", "text": "New", "shimmer": true},
                {"componentName": "Tag", "text": 7},
                {"componentName": "Hero", "title": "Again"},
                null,
            ],
            "backgroundSection": {"componentName": "Hologram"},
        });
        let hero = parse("Hero", &props.to_string()).unwrap();
        assert_eq!(ids(&hero), ["new"]);
    }

    #[test]
    fn blocks_inside_are_numbered_after_the_one_around_them() {
        let props = success_hero(&json!([
            {"componentName": "HorizontalRule"},
            {"componentName": "Tag", "id": "new", "text": "New"},
            {"componentName": "HorizontalRule"},
        ]));
        let placed = parse("SuccessHero", &props)
            .unwrap()
            .placed("thanks".to_owned(), Locale::En);
        assert_eq!(ids(&placed), ["thanks-1", "new", "thanks-3"]);
    }

    #[test]
    fn prices_inside_are_those_of_the_pages_locale() {
        let props = success_hero(&json!([
            {"componentName": "PaymentPrice", "campaignName": "web-annual", "couponCode": "WELCOME20"},
        ]));
        let block = parse("SuccessHero", &props).unwrap();
        assert_eq!(block.offer_keys(), []);
        let keys = block.placed("thanks".to_owned(), Locale::Ja).offer_keys();
        let asked: Vec<_> = keys
            .iter()
            .map(|key| (key.campaign.as_str(), key.coupon_code.as_str(), key.locale))
            .collect();
        assert_eq!(asked, [("web-annual", "WELCOME20", Locale::Ja)]);
    }
}

//! Rules of every block.

use std::collections::BTreeSet;

use super::*;

#[test]
fn an_unknown_component_is_named() {
    let error = parse("Hologram", "{}").unwrap_err();
    assert_eq!(
        (error.component.as_str(), error.code),
        ("Hologram", BlockErrorCode::UnknownComponent)
    );
    assert!(error.to_string().starts_with("Hologram: "), "{error}");
}

#[test]
fn what_is_not_an_object_is_refused() {
    for props in ["", "[]", "null", "{"] {
        assert_eq!(
            parse("Hero", props).unwrap_err().code,
            BlockErrorCode::Malformed,
            "{props}"
        );
    }
}

#[test]
fn a_stored_block_may_have_fields_of_a_newer_version_but_a_new_one_may_not() {
    let props = r#"{"title": "Hello", "parallax": true}"#;
    assert!(parse("Hero", props).is_ok());
    assert_eq!(check("Hero", props).unwrap_err()[0].field, "parallax");
}

#[test]
fn all_errors_of_a_block_are_returned_at_once() {
    let props = r#"{"buttons": [{"text": "Go"}], "artSeed": "A B", "tone": "warm"}"#;
    let errors = check("Hero", props).unwrap_err();
    let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(fields, ["tone", "title", "buttons[0].url", "artSeed"]);
}

#[test]
fn what_is_stored_reads_back_the_same() {
    let block = check("Heading", r#"{"text": "Plans", "sub": "Two of them"}"#).unwrap();
    let stored = block.to_props().unwrap().to_string();
    assert_eq!(parse("Heading", &stored).unwrap(), block);
}

#[test]
fn links_into_the_site_are_found_and_others_are_not() {
    let props = r#"{"title": "Hi", "buttons": [
        {"text": "A", "url": "/signup?plan=annual"}, {"text": "B", "url": "https://www.stillpoint.example/"}]}"#;
    let links = check("Hero", props).unwrap().links();
    assert_eq!(
        links,
        [LinkFound {
            field: "buttons[0].url".to_owned(),
            path: "/signup".to_owned()
        }]
    );
}

/// The schema states what the rules require.
#[test]
fn what_the_schema_requires_is_what_the_rules_require() {
    for name in COMPONENTS {
        let schema = serde_json::to_value(schema(name).unwrap()).unwrap();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let required: BTreeSet<&str> = required.iter().filter_map(Value::as_str).collect();
        let errors = check(name, "{}").err().unwrap_or_default();
        let outermost = |field| str::split(field, '.').next();
        let missing: BTreeSet<&str> = errors
            .iter()
            .filter_map(|error| outermost(&error.field))
            .collect();
        assert_eq!(required, missing, "{name}");
    }
}

#[test]
fn every_schema_describes_its_fields_in_camel_case() {
    let schema = serde_json::to_value(schema("PaymentForm").unwrap()).unwrap();
    let fields = schema["properties"].as_object().unwrap();
    assert!(fields.contains_key("termsAndConditionsCheckbox"));
    assert!(
        !fields.contains_key("id"),
        "the id belongs to the place in the page"
    );
}

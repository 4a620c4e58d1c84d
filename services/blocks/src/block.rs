//! The list of all block types, and the way from a component name to one of them.

use async_graphql::{ComplexObject, Interface};
use schemars::Schema;

use crate::accordion::Accordion;
use crate::fault::{BlockFault, FaultCode};
use crate::feature_cards::FeatureCards;
use crate::heading::Heading;
use crate::hero::Hero;
use crate::inspection::{Inspection, LinkFound};
use crate::locale::Locale;
use crate::login_register::LoginRegister;
use crate::markdown_text::MarkdownText;
use crate::model::{Model, check_record, parse_record, record_schema};
use crate::payment_form::PaymentForm;
use crate::plan_list::PlanList;
use crate::success_page::SuccessPage;
use crate::testimonials::Testimonials;

/// Writes, for every block type, what follows from its being one: so a type is named here once and nowhere else.
macro_rules! blocks {
    ($($name:ident),+ $(,)?) => {
        /// A part of a page. `componentName` says which kind.
        #[derive(Clone, Debug, PartialEq, Interface)]
        #[graphql(field(name = "id", ty = "&String"), field(name = "component_name", ty = "&'static str"))]
        pub enum Block {
            $($name($name),)+
        }

        /// Every known component name.
        pub const COMPONENTS: &[&str] = &[$($name::NAME),+];

        $(
            #[ComplexObject]
            impl $name {
                async fn component_name(&self) -> &'static str {
                    Self::NAME
                }
            }
        )+

        /// Reads a stored block. Fields this version does not know are passed over: a newer writer may have stored them.
        pub fn parse(component_name: &str, props_json: &str) -> Result<Block, BlockFault> {
            match component_name {
                $($name::NAME => parse_record(props_json).map(Block::$name),)+
                unknown => Err(unknown_component(unknown)),
            }
        }

        /// Reads a block somebody wants to publish: nothing unknown, every rule held, all faults at once.
        pub fn check(component_name: &str, props_json: &str) -> Result<Block, Vec<BlockFault>> {
            match component_name {
                $($name::NAME => check_record(props_json).map(Block::$name),)+
                unknown => Err(vec![unknown_component(unknown)]),
            }
        }

        /// The JSON Schema of a block type, for editors.
        pub fn schema(component_name: &str) -> Option<Schema> {
            match component_name {
                $($name::NAME => Some(record_schema::<$name>()),)+
                _ => None,
            }
        }

        impl Block {
            pub fn component(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $name::NAME,)+
                }
            }

            /// Puts the block where it stands: its id in the page, and the locale whose prices it shows.
            #[must_use]
            pub fn placed(mut self, id: String, locale: Locale) -> Self {
                match &mut self {
                    $(Self::$name(block) => block.id = id,)+
                }
                if let Self::PlanList(plans) = &mut self {
                    plans.price_for(locale);
                }
                self
            }

            /// Fills the `…Html` fields from the Markdown beside them.
            pub fn render(&mut self, to_html: &dyn Fn(&str) -> String) {
                match self {
                    $(Self::$name(block) => block.render(to_html),)+
                }
            }

            /// The links into this site.
            pub fn links(&self) -> Vec<LinkFound> {
                match self {
                    $(Self::$name(block) => Inspection::of(block).links(),)+
                }
            }

            /// What is stored: the block without its id and kind.
            pub fn to_props(&self) -> Result<serde_json::Value, serde_json::Error> {
                match self {
                    $(Self::$name(block) => serde_json::to_value(block),)+
                }
            }
        }
    };
}

blocks![
    Accordion,
    FeatureCards,
    Heading,
    Hero,
    LoginRegister,
    MarkdownText,
    PaymentForm,
    PlanList,
    SuccessPage,
    Testimonials,
];

fn unknown_component(name: &str) -> BlockFault {
    BlockFault {
        component: name.to_owned(),
        field: String::new(),
        code: FaultCode::UnknownComponent,
        message: format!(
            "is not a block type; the known ones are {}",
            COMPONENTS.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_component_is_named() {
        let fault = parse("Carousel", "{}").unwrap_err();
        assert_eq!(
            (fault.component.as_str(), fault.code),
            ("Carousel", FaultCode::UnknownComponent)
        );
        assert!(fault.to_string().starts_with("Carousel: "), "{fault}");
    }

    #[test]
    fn what_is_not_an_object_is_refused() {
        for props in ["", "[]", "null", "{"] {
            assert_eq!(
                parse("Hero", props).unwrap_err().code,
                FaultCode::Malformed,
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
    fn all_faults_of_a_block_are_told_at_once() {
        let props = r#"{"buttons": [{"text": "Go"}], "artSeed": "A B", "tone": "warm"}"#;
        let faults = check("Hero", props).unwrap_err();
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
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

    /// The schema tells editors what the rules will ask for.
    #[test]
    fn what_the_schema_requires_is_what_the_rules_require() {
        for name in COMPONENTS {
            let schema = serde_json::to_value(schema(name).unwrap()).unwrap();
            let required = schema["required"].as_array().unwrap();
            let mut required: Vec<&str> = required.iter().filter_map(serde_json::Value::as_str).collect();
            let faults = check(name, "{}").unwrap_err();
            let mut missing: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
            required.sort_unstable();
            missing.sort_unstable();
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
}

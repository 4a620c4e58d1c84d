//! The first block of a page.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::block::Block;
use crate::block::nested;
use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;

/// The opening of a page: its `h1`, a sentence and buttons.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
#[graphql(complex)]
pub struct Hero {
    #[serde(skip)]
    pub id: String,
    pub eyebrow: Option<String>,
    pub title: String,
    pub description: Option<String>,
    pub buttons: Vec<Button>,
    /// A line of social proof beside the buttons.
    pub proof_line: Option<String>,
    /// The price as a text.
    pub price_note: Option<String>,
    /// Seed of the drawing: the same seed draws the same picture. Absent: the block's id.
    pub art_seed: Option<String>,
    pub layout: HeroLayout,
    /// The texts are animated when the page opens.
    pub fade_in_up: bool,
    /// Blocks beside the texts; they replace the drawing.
    #[serde(deserialize_with = "nested::read_all")]
    pub sections: Vec<Block>,
    /// A block behind the others, as background.
    #[serde(deserialize_with = "nested::read_one")]
    pub background_section: Option<Box<Block>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum HeroLayout {
    Centered,
    #[default]
    TwoColumn,
}

impl Model for Hero {
    const NAME: &'static str = "Hero";
    const NESTED: &'static [&'static str] = &["sections", "backgroundSection"];

    fn inspect(&self, at: &mut Inspection) {
        at.optional("eyebrow", self.eyebrow.as_deref());
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.each("buttons", &self.buttons);
        at.optional("proofLine", self.proof_line.as_deref());
        at.optional("priceNote", self.price_note.as_deref());
        at.optional_slug("artSeed", self.art_seed.as_deref());
        at.blocks("sections", &self.sections);
        at.block_if_present("backgroundSection", self.background_section.as_deref());
    }

    fn nested(&self) -> Vec<&Block> {
        self.sections
            .iter()
            .chain(self.background_section.as_deref())
            .collect()
    }

    fn nested_mut(&mut self) -> Vec<&mut Block> {
        self.sections
            .iter_mut()
            .chain(self.background_section.as_deref_mut())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn reads_a_hero_with_its_buttons() {
        let json = r#"{
            "eyebrow": "Meditation, coaching, therapy", "title": "A quieter mind, in ten minutes",
            "description": "Short practices.", "buttons": [{"text": "Start", "url": "/signup", "primary": true}],
            "proofLine": "Rated 4.8", "priceNote": "Cancel any time", "artSeed": "dusk"
        }"#;
        let hero: Hero = check_record(json).unwrap();
        assert_eq!(hero.buttons[0].url, "/signup");
        assert_eq!(hero.art_seed.as_deref(), Some("dusk"));
    }

    #[test]
    fn names_the_button_that_lacks_its_url() {
        let json = r#"{"title": "Hello", "buttons": [{"text": "A", "url": "/"}, {"text": "B"}]}"#;
        assert_eq!(check_record::<Hero>(json).unwrap_err()[0].field, "buttons[1].url");
    }

    #[test]
    fn a_field_it_does_not_have_is_named() {
        let errors =
            check_record::<Hero>(r#"{"title": "Hello", "buttons": [{"text": "A", "url": "/", "tone": 1}]}"#);
        assert_eq!(errors.unwrap_err()[0].field, "buttons[0].tone");
    }
}

//! The menu at the top of every page.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;
use crate::parts::image::Image;
use crate::parts::link::Link;

/// The menu at the top of every page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["logo"]))]
pub struct Navigation {
    pub logo: Image,
    /// The logo on the home page, if it differs.
    pub home_page_logo: Option<Image>,
    /// Whether the menu is shown.
    pub is_menu: bool,
    pub menu: Vec<MenuItem>,
    /// Whether the buttons beside the menu are shown.
    pub is_navigation_buttons: bool,
    pub navigation_buttons: Vec<Button>,
    pub mobile_menu_buttons: Vec<Button>,
    pub text_color: Option<String>,
    pub background_color: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "category", "categoryUrl"]))]
pub struct MenuItem {
    pub id: String,
    pub category: String,
    pub category_url: String,
    /// Opens in a new tab.
    pub external: bool,
    /// Search engines do not follow it.
    pub no_follow: bool,
    pub sub_category: Vec<SubCategory>,
}

/// One column of an item's panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["name", "links"]))]
pub struct SubCategory {
    pub name: String,
    pub links: Vec<Link>,
}

impl Model for Navigation {
    const NAME: &'static str = "Navigation";

    fn inspect(&self, at: &mut Inspection) {
        at.nested("logo", &self.logo);
        at.nested_if_present("homePageLogo", self.home_page_logo.as_ref());
        at.each("menu", &self.menu);
        at.unique_ids("menu", self.menu.iter().map(|item| item.id.as_str()));
        at.each("navigationButtons", &self.navigation_buttons);
        at.each("mobileMenuButtons", &self.mobile_menu_buttons);
        at.colours(
            ("textColor", self.text_color.as_deref(), "ink"),
            ("backgroundColor", self.background_color.as_deref(), "paper"),
        );
    }
}

impl Model for MenuItem {
    const NAME: &'static str = "MenuItem";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.required("category", &self.category);
        at.required_link("categoryUrl", &self.category_url);
        at.each("subCategory", &self.sub_category);
    }
}

impl Model for SubCategory {
    const NAME: &'static str = "SubCategory";

    fn inspect(&self, at: &mut Inspection) {
        at.required("name", &self.name);
        at.some_of_each("links", &self.links);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    fn navigation() -> serde_json::Value {
        let button = json!({"text": "Sign in", "url": "/signin"});
        json!({
            "logo": {"url": "/favicon.svg", "alt": "Stillpoint"}, "isMenu": true, "isNavigationButtons": true,
            "menu": [{
                "id": "practice", "category": "Practice", "categoryUrl": "/", "external": false, "noFollow": false,
                "subCategory": [{"name": "Daily", "links": [{"text": "Sleep", "url": "https://www.stillpoint.example/sleep/"}]}],
            }],
            "navigationButtons": [button], "mobileMenuButtons": [button], "textColor": "ink", "backgroundColor": "paper",
        })
    }

    #[test]
    fn reads_menu_panels_and_buttons() {
        let read: Navigation = check_record(&navigation().to_string()).unwrap();
        assert_eq!(read.menu[0].sub_category[0].links[0].text, "Sleep");
    }

    #[test]
    fn names_the_invalid_link_inside_a_panel() {
        let mut given = navigation();
        given["menu"][0]["subCategory"][0]["links"][0]["url"] = json!("http://plain.example");
        let errors = check_record::<Navigation>(&given.to_string()).unwrap_err();
        assert_eq!(errors[0].field, "menu[0].subCategory[0].links[0].url");
    }

    #[test]
    fn needs_a_logo() {
        let errors = check_record::<Navigation>("{}").unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["logo.url", "logo.alt"]);
    }
}

//! Quotes of members.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// A slider with one quote per slide.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["testimonials"]))]
#[graphql(complex)]
pub struct Testimonials {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub testimonials: Vec<Testimonial>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "quote", "personName"]))]
pub struct Testimonial {
    pub id: String,
    pub quote: String,
    pub video_url: Option<String>,
    pub image: Option<Image>,
    pub company_logo: Option<Image>,
    pub person_name: String,
    pub person_title: Option<String>,
    pub person_image: Option<Image>,
}

impl Model for Testimonials {
    const NAME: &'static str = "Testimonials";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.some_of_each("testimonials", &self.testimonials);
        at.unique_ids(
            "testimonials",
            self.testimonials
                .iter()
                .map(|testimonial| testimonial.id.as_str()),
        );
    }
}

impl Model for Testimonial {
    const NAME: &'static str = "Testimonial";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.required("quote", &self.quote);
        at.optional_source("videoUrl", self.video_url.as_deref());
        at.nested_if_present("image", self.image.as_ref());
        at.nested_if_present("companyLogo", self.company_logo.as_ref());
        at.required("personName", &self.person_name);
        at.optional("personTitle", self.person_title.as_deref());
        at.nested_if_present("personImage", self.person_image.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    #[test]
    fn reads_the_eight_fields() {
        let picture = json!({"url": "/a.webp", "alt": "Deniz", "width": 96, "height": 96});
        let testimonial = json!({
            "id": "deniz", "quote": "I sleep again.", "videoUrl": "https://video.example/1", "image": picture,
            "companyLogo": picture, "personName": "Deniz", "personTitle": "Nurse", "personImage": picture,
        });
        let block: Testimonials = check_record(&json!({"testimonials": [testimonial]}).to_string()).unwrap();
        assert_eq!(serde_json::to_value(&block.testimonials[0]).unwrap(), testimonial);
    }

    #[test]
    fn two_with_one_id_are_refused() {
        let one = json!({"id": "deniz", "quote": "Good.", "personName": "Deniz"});
        let errors =
            check_record::<Testimonials>(&json!({"testimonials": [one, one]}).to_string()).unwrap_err();
        assert_eq!(errors[0].field, "testimonials[1].id");
    }

    #[test]
    fn names_the_picture_without_alternative_text() {
        let one = json!({"id": "deniz", "quote": "Good.", "personName": "Deniz", "personImage": {"url": "/a.webp"}});
        let errors = check_record::<Testimonials>(&json!({"testimonials": [one]}).to_string()).unwrap_err();
        assert_eq!(errors[0].field, "testimonials[0].personImage.alt");
    }
}

//! Links, texts and headings that an inspection finds in a block, beside its errors. The content lint reads them.

/// Everything found, in the order of the block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    pub links: Vec<LinkFound>,
    pub campaigns: Vec<CampaignUse>,
    pub headings: Vec<HeadingFound>,
    pub images: Vec<ImageFound>,
    pub colours: Vec<ColourPair>,
    pub grounds: Vec<GroundFound>,
    pub texts: Vec<TextFound>,
}

/// A link inside the site, with the field that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkFound {
    pub field: String,
    pub path: String,
}

/// A campaign the block sells or shows the price of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignUse {
    pub field: String,
    pub campaign: String,
    pub coupon_code: Option<String>,
}

/// A heading in the page's outline, from 1 (the page's own) to 6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadingFound {
    pub field: String,
    pub level: u8,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageFound {
    pub field: String,
    pub url: String,
    pub alt: String,
}

/// The colour of a text and of its background, each a hex colour or a token name. An editor chose at least one of
/// them; the
/// other may be the design's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColourPair {
    pub field: String,
    pub foreground: String,
    pub background: String,
}

/// A ground that an editor chose, of one colour or of a gradient's. The text on it is white or ink, as the design's contrast
/// allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundFound {
    pub field: String,
    pub colours: Vec<String>,
}

/// A text for readers, as written by its editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFound {
    pub field: String,
    pub text: String,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::block::check;

    use super::*;

    fn findings(component: &str, props: &Value) -> Findings {
        check(component, &props.to_string()).unwrap().findings()
    }

    fn levels(findings: &Findings) -> Vec<(u8, &str)> {
        let headings = findings.headings.iter();
        headings
            .map(|heading| (heading.level, heading.text.as_str()))
            .collect()
    }

    #[test]
    fn headings_are_found_in_order_inside_markdown_and_inside_blocks_too() {
        let found = findings(
            "Hero",
            &json!({"title": "Sleep", "sections": [
                {"componentName": "MarkdownText", "markdown": "## Why\n\n```\n# no heading\n```\n### How"},
                {"componentName": "FeatureCards", "items": [{"icon": "moon", "heading": "Night", "text": "Dark."}]},
                {"componentName": "FeatureCards", "title": "More", "items": [{"icon": "sun", "heading": "Day", "text": "Light."}]},
            ]}),
        );
        assert_eq!(
            levels(&found),
            [
                (1, "Sleep"),
                (2, "Why"),
                (3, "How"),
                (2, "Night"),
                (2, "More"),
                (3, "Day")
            ]
        );
        assert_eq!(found.headings[3].field, "sections[1].items[0].heading");
    }

    #[test]
    fn a_campaign_is_found_with_its_coupon() {
        let plan = json!({"title": "Annual", "button": {"text": "Go", "url": "/pay"},
            "price": {"campaignName": "web-annual", "couponCode": "WELCOME20"}});
        let found = findings("PlanList", &json!({"plans": [plan]}));
        assert_eq!(
            found.campaigns,
            [CampaignUse {
                field: "plans[0].price.campaignName".to_owned(),
                campaign: "web-annual".to_owned(),
                coupon_code: Some("WELCOME20".to_owned()),
            }]
        );
    }

    #[test]
    fn chosen_colour_is_paired_with_the_designs_other_one() {
        let found = findings("Tag", &json!({"text": "New", "backgroundColor": "#ffffff"}));
        assert_eq!(
            found.colours,
            [ColourPair {
                field: "backgroundColor".to_owned(),
                foreground: "ink".to_owned(),
                background: "#ffffff".to_owned(),
            }]
        );
        assert_eq!(findings("Tag", &json!({"text": "New"})).colours, []);
    }

    #[test]
    fn every_colour_of_a_heading_is_paired_with_the_page() {
        let found = findings("Heading", &json!({"text": "Plans", "gradient": "#2f2a63, gold"}));
        let pairs: Vec<(&str, &str)> = found
            .colours
            .iter()
            .map(|pair| (pair.foreground.as_str(), pair.background.as_str()))
            .collect();
        assert_eq!(pairs, [("#2f2a63", "paper"), ("gold", "paper")]);
    }

    #[test]
    fn stars_are_paired_with_the_page_unless_they_have_the_designs_own_colour() {
        let comments = |colour: &str| {
            let comment = json!({"starCount": 5, "starColor": colour, "name": "Ada", "comment": "Calm."});
            findings("CommentBox", &json!({"comments": [comment]})).colours
        };
        assert_eq!(comments("gold")[0].field, "comments[0].starColor");
        assert_eq!(comments("star"), []);
    }

    #[test]
    fn grounds_below_the_designs_text_are_found() {
        let banner =
            json!({"title": "Begin", "button": {"text": "Go", "url": "/pay"}, "background": "#7d7a8c"});
        let badge = json!({"badge": {"discountText": "Half", "gradient": "#fff3d6,#f2c76e"}});
        for (component, props, field, colours) in [
            ("CallToActionBanner", banner, "background", &["#7d7a8c"][..]),
            ("PriceBadge", badge, "badge.gradient", &["#fff3d6", "#f2c76e"]),
        ] {
            let found = findings(component, &props).grounds;
            assert_eq!(found.len(), 1, "{component}");
            assert_eq!(found[0].field, field);
            assert_eq!(found[0].colours, colours);
        }
    }

    #[test]
    fn texts_people_read_are_found_and_codes_are_not() {
        let button =
            json!({"text": "Try free", "url": "/pay", "eventName": "plan_click", "info": "Seven days"});
        let found = findings("ButtonRow", &json!({"buttons": [button]}));
        let texts: Vec<&str> = found.texts.iter().map(|found| found.text.as_str()).collect();
        assert_eq!(texts, ["Try free", "Seven days"]);
    }

    #[test]
    fn pictures_are_found_where_they_are() {
        let found = findings(
            "Picture",
            &json!({"image": {"url": "/art/waves/a.svg", "alt": "Waves"}}),
        );
        let picture = &found.images[0];
        assert_eq!((picture.field.as_str(), picture.alt.as_str()), ("image", "Waves"));
    }
}

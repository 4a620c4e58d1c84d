//! Random pages, generated from the schemas of the block types.
use proto::content::v1::{Block, GetPageResponse, Page, Seo, seo};
use serde_json::{Map, Value, json};

use super::Rng;

const TEXTS: [&str; 6] = [
    "",
    "Calm",
    "a \"quoted\"\\ line\nand more",
    "<p>Zażółć &amp; 静けさ</p>",
    "{\"a\": [",
    "0",
];
const ATTEMPTS: usize = 50;

pub fn random(rng: &mut Rng, components: &[&'static str]) -> GetPageResponse {
    let sections: Vec<(String, &str, Value)> = components
        .iter()
        .enumerate()
        .map(|(index, component)| (format!("section-{index}"), *component, props(rng, component)))
        .collect();
    let stored: Vec<Value> = sections
        .iter()
        .map(|(id, component, props)| {
            let mut section = json!({"__typename": component, "id": id, "componentName": component});
            let fields = section.as_object_mut().unwrap();
            fields.extend(props.as_object().unwrap().clone());
            section
        })
        .collect();
    let blocks = sections.into_iter().map(|(id, component_name, props)| Block {
        id,
        component_name: component_name.into(),
        props_json: props.to_string(),
    });
    let seo = random_seo(rng);
    let document = json!({
        "urlPath": "/a", "contentLocale": "en", "template": "Page", "pageType": "article", "className": "", "favicon": "/f.svg",
        "seo": stored_seo(&seo), "sections": stored,
    });
    GetPageResponse {
        page: Some(Page {
            url_path: "/a".into(),
            locale: "tr".into(),
            content_locale: "en".into(),
            template: "Page".into(),
            page_type: "article".into(),
            favicon: "/f.svg".into(),
            seo: Some(seo),
            sections: blocks.collect(),
            snapshot_id: "snp_1".into(),
            published_at: Some(proto::Timestamp {
                seconds: 1_800_000_000,
                nanos: 120_000_000,
            }),
            available_locales: vec!["en".into(), "tr".into()],
            ..Page::default()
        }),
        document: document.to_string().into_bytes(),
    }
}

fn random_seo(rng: &mut Rng) -> Seo {
    let mut text = || (*rng.one_of(&TEXTS)).to_owned();
    let mut seo = Seo {
        title: text(),
        description: text(),
        image_url: text(),
        canonical_path: text(),
        breadcrumbs: vec![seo::Breadcrumb {
            name: text(),
            url: text(),
        }],
        article: Some(seo::Article {
            headline: text(),
            author_name: text(),
            date_published: text(),
            date_modified: text(),
        }),
        video: Some(seo::Video {
            name: text(),
            description: text(),
            duration_secs: 0,
            ..seo::Video::default()
        }),
        ..Seo::default()
    };
    if rng.once_in(2) {
        seo.article = None;
        seo.how_to = Some(seo::HowTo {
            name: "How".into(),
            steps: vec!["a".into()],
        });
        seo.job = Some(seo::Job {
            title: "Guide".into(),
            country: "TR".into(),
            ..seo::Job::default()
        });
    }
    seo
}

/// As stored by content: unset fields are absent.
fn stored_seo(seo: &Seo) -> Value {
    let article = seo.article.as_ref().map(|it| {
        json!({"headline": it.headline, "authorName": it.author_name, "datePublished": it.date_published,
               "dateModified": it.date_modified})
    });
    let how_to = seo
        .how_to
        .as_ref()
        .map(|it| json!({"name": it.name, "steps": it.steps}));
    let video = seo.video.as_ref().map(|it| {
        json!({"name": it.name, "description": it.description, "thumbnailUrl": it.thumbnail_url, "uploadDate": it.upload_date,
               "contentUrl": it.content_url, "durationSecs": it.duration_secs})
    });
    let job = seo.job.as_ref().map(|it| {
        json!({"title": it.title, "description": it.description, "datePosted": it.date_posted, "validThrough": it.valid_through,
               "employmentType": it.employment_type, "country": it.country})
    });
    let breadcrumbs: Vec<Value> = seo
        .breadcrumbs
        .iter()
        .map(|it| json!({"name": it.name, "url": it.url}))
        .collect();
    without_nulls(json!({
        "title": seo.title, "description": seo.description, "noindex": seo.noindex, "nofollow": seo.nofollow,
        "imageUrl": seo.image_url, "canonicalPath": seo.canonical_path, "article": article, "breadcrumbs": breadcrumbs,
        "howTo": how_to, "speakable": seo.speakable, "video": video, "job": job, "organization": seo.organization,
    }))
}

/// The fields of a block as stored at publication.
fn props(rng: &mut Rng, component: &str) -> Value {
    let schema = serde_json::to_value(blocks::schema(component).unwrap()).unwrap();
    let mut error = None;
    for _ in 0..ATTEMPTS {
        let given = Sample { rng, root: &schema }.of(&schema);
        match blocks::parse(component, &given.to_string()) {
            Ok(block) => return without_nulls(block.to_props().unwrap()),
            Err(why) => error = Some(why),
        }
    }
    panic!("{component} cannot be made up: {error:?}")
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, without_nulls(value)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        plain => plain,
    }
}

/// A random value of a JSON Schema.
struct Sample<'s> {
    rng: &'s mut Rng,
    root: &'s Value,
}

impl Sample<'_> {
    fn of(&mut self, schema: &Value) -> Value {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.rsplit('/').next().unwrap();
            let referred = self.root["$defs"][name].clone();
            return if name == "Block" {
                self.block()
            } else {
                self.of(&referred)
            };
        }
        for choice in ["anyOf", "oneOf"] {
            if let Some(choices) = schema[choice].as_array() {
                let chosen = self.rng.one_of(choices).clone();
                return self.of(&chosen);
            }
        }
        if let Some(values) = schema["enum"].as_array() {
            return self.rng.one_of(values).clone();
        }
        if !schema["const"].is_null() {
            return schema["const"].clone();
        }
        let kinds = match &schema["type"] {
            Value::Array(kinds) => kinds.clone(),
            kind => vec![kind.clone()],
        };
        let kind = self.rng.one_of(&kinds).as_str().unwrap_or_default().to_owned();
        self.plain(&kind, schema)
    }

    fn plain(&mut self, kind: &str, schema: &Value) -> Value {
        match kind {
            "object" => self.object(schema),
            "array" => {
                let length = self.rng.below(4);
                (0..length).map(|_| self.of(&schema["items"])).collect()
            }
            "string" => (*self.rng.one_of(&TEXTS)).into(),
            "integer" => self.rng.below(100).into(),
            "boolean" => self.rng.once_in(2).into(),
            _ => Value::Null,
        }
    }

    fn object(&mut self, schema: &Value) -> Value {
        let mut object = Map::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, field) in schema["properties"].as_object().cloned().unwrap_or_default() {
            if required.contains(&name.as_str().into()) || !self.rng.once_in(4) {
                let value = self.of(&field);
                object.insert(name, value);
            }
        }
        object.into()
    }

    /// A nested block, with an id as given by content.
    fn block(&mut self) -> Value {
        let component = *self
            .rng
            .one_of(&["Heading", "MarkdownText", "PlanList", "Accordion"]);
        let id = format!("inner-{}", self.rng.below(1000));
        let mut block = json!({"componentName": component, "id": id});
        let props = props(self.rng, component);
        block
            .as_object_mut()
            .unwrap()
            .extend(props.as_object().unwrap().clone());
        block
    }
}

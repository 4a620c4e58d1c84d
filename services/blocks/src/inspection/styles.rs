//! Colours and pictures chosen by editors.

use super::Inspection;
use crate::design::{BADGE_ICONS, COLOUR_TOKENS, ICONS, is_colour};
use crate::error::BlockErrorCode;
use crate::inspection::findings::{ColourPair, GroundFound, ImageFound};

/// A colour of a block: its field, the editor's choice, and the design's default.
type Shade<'a> = (&'a str, Option<&'a str>, &'a str);

impl Inspection {
    /// A hex colour without opacity or the name of a design token. Other values are not rendered.
    pub(crate) fn colour(&mut self, field: &str, colour: Option<&str>) {
        if colour.is_some_and(|colour| !is_colour(colour)) {
            self.error(
                field,
                BlockErrorCode::NotAllowed,
                format!("must be a colour as #6953bb, or one of {}", token_names()),
            );
        }
    }

    /// Text on a background; the contrast must be sufficient.
    pub(crate) fn colours(&mut self, text: Shade<'_>, ground: Shade<'_>) {
        self.colour(text.0, text.1);
        self.colour(ground.0, ground.1);
        if text.1.is_some() || ground.1.is_some() {
            let field = self.locate(if text.1.is_some() { text.0 } else { ground.0 });
            self.findings.colours.push(ColourPair {
                field,
                foreground: text.1.unwrap_or(text.2).to_owned(),
                background: ground.1.unwrap_or(ground.2).to_owned(),
            });
        }
    }

    /// Text on the page's background.
    pub(crate) fn text_colour(&mut self, field: &str, colour: Option<&str>) {
        self.colours((field, colour, "ink"), ("", None, "paper"));
    }

    /// A ground below text in white or ink: one of them must be readable on it.
    pub(crate) fn text_ground(&mut self, field: &str, colour: Option<&str>) {
        self.colour(field, colour);
        if let Some(colour) = colour {
            self.ground(field, &[colour]);
        }
    }

    /// Text in a gradient, on the page's own ground: every colour must be readable.
    pub(crate) fn text_gradient(&mut self, field: &str, gradient: Option<&str>) {
        for colour in self.gradient(field, gradient) {
            self.text_colour(field, Some(colour));
        }
    }

    /// A gradient below text in white or ink: one of them must be readable on every colour.
    pub(crate) fn ground_gradient(&mut self, field: &str, gradient: Option<&str>) {
        let colours = self.gradient(field, gradient);
        if !colours.is_empty() {
            self.ground(field, &colours);
        }
    }

    /// The colours of a gradient: two or more with commas between them. Empty: no gradient, or an invalid one.
    fn gradient<'a>(&mut self, field: &str, gradient: Option<&'a str>) -> Vec<&'a str> {
        let Some(gradient) = gradient else {
            return Vec::new();
        };
        let colours: Vec<&str> = gradient.split(',').map(str::trim).collect();
        if colours.len() >= 2 && colours.iter().copied().all(is_colour) {
            return colours;
        }
        self.error(
            field,
            BlockErrorCode::NotAllowed,
            "must be two or more colours, as #2f2a63, #6953bb",
        );
        Vec::new()
    }

    fn ground(&mut self, field: &str, colours: &[&str]) {
        let field = self.locate(field);
        self.findings.grounds.push(GroundFound {
            field,
            colours: colours.iter().map(|&colour| colour.to_owned()).collect(),
        });
    }

    pub(crate) fn icon(&mut self, field: &str, name: &str) {
        if name.is_empty() {
            self.error(field, BlockErrorCode::Required, "must not be empty");
        } else {
            self.drawn(field, name, &[]);
        }
    }

    pub(crate) fn optional_icon(&mut self, field: &str, name: Option<&str>) {
        if let Some(name) = name {
            self.icon(field, name);
        }
    }

    /// Icon of a price badge, which also accepts the badge's own icons.
    pub(crate) fn badge_icon(&mut self, field: &str, name: Option<&str>) {
        if let Some(name) = name {
            self.drawn(field, name, &BADGE_ICONS);
        }
    }

    fn drawn(&mut self, field: &str, name: &str, more: &[&str]) {
        if !ICONS.contains(&name) && !more.contains(&name) {
            let known = [&ICONS[..], more].concat().join(", ");
            self.error(
                field,
                BlockErrorCode::NotAllowed,
                format!("must be one of {known}"),
            );
        }
    }

    /// A picture and its text alternative.
    pub(crate) fn picture(&mut self, url: &str, alt: &str) {
        self.source("url", url);
        self.required("alt", alt);
        let field = self.locate("");
        self.findings.images.push(ImageFound {
            field,
            url: url.to_owned(),
            alt: alt.to_owned(),
        });
    }
}

fn token_names() -> String {
    COLOUR_TOKENS.map(|(name, _)| name).join(", ")
}

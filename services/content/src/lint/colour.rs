//! Colours of the design and how well one can be read on another.
#![expect(
    clippy::float_arithmetic,
    reason = "luminance is defined by fractional powers, and no money is near"
)]

use std::fmt;

/// The tokens of `web/app/styles/tokens.css` that content may name.
const TOKENS: [(&str, &str); 34] = [
    ("white", "#ffffff"),
    ("paper", "#fbfaf7"),
    ("card", "#ffffff"),
    ("sand", "#f3efe6"),
    ("mist", "#eeecf8"),
    ("ink", "#1d1a3a"),
    ("muted", "#5c5872"),
    ("placeholder", "#6b667f"),
    ("hairline", "#d9d5e3"),
    ("field", "#857f9c"),
    ("action", "#6953bb"),
    ("action-hover", "#5843a6"),
    ("action-pressed", "#493690"),
    ("on-action", "#ffffff"),
    ("danger", "#b3261e"),
    ("danger-tint", "#fdecea"),
    ("success", "#1f6f4a"),
    ("success-tint", "#e6f4ec"),
    ("warn", "#7a4b00"),
    ("warn-tint", "#fff3dc"),
    ("star", "#a86a00"),
    ("night", "#2f2a63"),
    ("night-deep", "#1d1a3a"),
    ("lav", "#cfc6f2"),
    ("gold", "#f2c76e"),
    ("coral", "#f4a58a"),
    ("violet", "#6953bb"),
    ("cream", "#fff3d6"),
    ("mint", "#bfe6d2"),
    ("gift-forest", "#22533b"),
    ("gift-teal", "#084e41"),
    ("forest", "#22533b"),
    ("teal", "#084e41"),
    ("indigo", "#2f2a63"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

/// From 1 (the same) to 21 (black on white).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Contrast(f64);

impl Colour {
    /// A hex colour or the name of a token.
    pub fn parse(text: &str) -> Option<Self> {
        let Some(hex) = text.strip_prefix('#') else {
            let token = TOKENS.iter().find(|(name, _)| *name == text);
            return token.and_then(|(_, hex)| Self::parse(hex));
        };
        let digits: Vec<u8> = hex
            .chars()
            .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect::<Option<_>>()?;
        match digits.as_slice() {
            [r, g, b] | [r, g, b, _] => Some(Self([r * 17, g * 17, b * 17])),
            [r1, r0, g1, g0, b1, b0] | [r1, r0, g1, g0, b1, b0, _, _] => {
                Some(Self([r1 * 16 + r0, g1 * 16 + g0, b1 * 16 + b0]))
            }
            _ => None,
        }
    }

    pub fn tokens() -> String {
        let names: Vec<&str> = TOKENS.iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }

    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.040_45 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl Contrast {
    /// What WCAG 2.2 asks for text: 1.4.3, level AA.
    pub const ENOUGH: Self = Self(4.5);

    pub fn of(one: Colour, other: Colour) -> Self {
        let (one, other) = (one.luminance(), other.luminance());
        Self((one.max(other) + 0.05) / (one.min(other) + 0.05))
    }
}

impl fmt::Display for Contrast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contrast(one: &str, other: &str) -> Contrast {
        Contrast::of(Colour::parse(one).unwrap(), Colour::parse(other).unwrap())
    }

    #[test]
    fn contrasts_are_those_of_the_design() {
        for (one, other, expected) in [
            ("#000", "#fff", "21.00"),
            ("white", "action", "5.91"),
            ("action", "paper", "5.66"),
            ("gold", "violet", "3.70"),
            ("muted", "mist", "5.80"),
            ("#FFFFFFFF", "night", "12.87"),
        ] {
            let said = contrast(one, other).to_string();
            assert_eq!(said[..3], expected[..3], "{one} on {other}: {said}");
        }
        assert!(contrast("gold", "violet") < Contrast::ENOUGH);
        assert!(contrast("white", "action") > Contrast::ENOUGH);
    }

    #[test]
    fn what_is_no_colour_is_none() {
        for other in ["", "#", "#12", "#ggg", "hotpink"] {
            assert_eq!(Colour::parse(other), None, "{other}");
        }
    }

    /// The design is written down in the web app; here is only a copy.
    #[test]
    fn every_token_has_the_colour_it_has_in_the_web_app() {
        let css = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/app/styles/tokens.css");
        let css = std::fs::read_to_string(css).unwrap();
        for (name, hex) in TOKENS {
            let declared = css
                .lines()
                .find_map(|line| line.trim().strip_prefix(&format!("--color-{name}: ")));
            if let Some(declared) = declared {
                let declared = declared.trim_end_matches(';');
                assert_eq!(Colour::parse(declared), Colour::parse(hex), "{name}");
            }
        }
    }
}

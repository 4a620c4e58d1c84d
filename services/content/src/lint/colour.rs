//! Colours of the design and how well one can be read on another.
#![expect(
    clippy::float_arithmetic,
    reason = "luminance is defined by fractional powers, and no money is near"
)]

use std::fmt;

use blocks::design::COLOUR_TOKENS;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

/// From 1 (the same) to 21 (black on white).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Contrast(f64);

impl Colour {
    /// A hex colour or the name of a token.
    pub fn parse(text: &str) -> Option<Self> {
        let Some(hex) = text.strip_prefix('#') else {
            let token = COLOUR_TOKENS.iter().find(|(name, _)| *name == text);
            return token.and_then(|(_, hex)| Self::parse(hex));
        };
        let digits: Vec<u8> = hex
            .chars()
            .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect::<Option<_>>()?;
        match digits.as_slice() {
            [r, g, b] => Some(Self([r * 17, g * 17, b * 17])),
            [r1, r0, g1, g0, b1, b0] => Some(Self([r1 * 16 + r0, g1 * 16 + g0, b1 * 16 + b0])),
            _ => None,
        }
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
            ("#FFFFFF", "night", "12.87"),
        ] {
            let said = contrast(one, other).to_string();
            assert_eq!(said[..3], expected[..3], "{one} on {other}: {said}");
        }
        assert!(contrast("gold", "violet") < Contrast::ENOUGH);
        assert!(contrast("white", "action") > Contrast::ENOUGH);
    }

    #[test]
    fn what_is_no_colour_is_none() {
        for other in ["", "#", "#12", "#ggg", "#fff8", "hotpink"] {
            assert_eq!(Colour::parse(other), None, "{other}");
        }
    }
}

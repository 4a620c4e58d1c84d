//! What a product opens for its buyer: a field of the catalogue. Other services act on it and never on a product's name.

/// Part of a price's terms and of the order: what was agreed is what opens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Opens {
    pub premium: bool,
    pub coaching: bool,
    pub therapy: bool,
}

impl Opens {
    pub const NAMES: [&'static str; 3] = ["premium", "coaching", "therapy"];

    /// `Err`: the first name that is unknown.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, &'a str> {
        let mut opens = Self::default();
        for name in names {
            match name {
                "premium" => opens.premium = true,
                "coaching" => opens.coaching = true,
                "therapy" => opens.therapy = true,
                unknown => return Err(unknown),
            }
        }
        Ok(opens)
    }

    /// In the order of [`Self::NAMES`].
    pub fn names(self) -> Vec<String> {
        let all = [self.premium, self.coaching, self.therapy];
        let open = Self::NAMES.into_iter().zip(all).filter(|(_, is_open)| *is_open);
        open.map(|(name, _)| name.to_owned()).collect()
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            premium: self.premium || other.premium,
            coaching: self.coaching || other.coaching,
            therapy: self.therapy || other.therapy,
        }
    }

    /// Whether an owner of `owned` gains nothing by it. What opens nothing at all is sold for something else.
    pub fn adds_nothing_to(self, owned: Self) -> bool {
        self != Self::default() && self.and(owned) == owned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opens(names: &[&'static str]) -> Opens {
        Opens::parse(names.iter().copied()).unwrap()
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let all = opens(&["therapy", "premium", "coaching"]);
        assert_eq!(all.names(), Opens::NAMES);
        assert_eq!(opens(&["coaching"]).names(), ["coaching"]);
        assert!(opens(&[]).names().is_empty());
        assert_eq!(Opens::parse(["premium", "massage"]), Err("massage"));
    }

    #[test]
    fn an_owner_of_premium_gains_coaching_and_not_premium() {
        let owned = opens(&["premium"]);
        assert!(opens(&["premium"]).adds_nothing_to(owned));
        assert!(!opens(&["premium", "coaching"]).adds_nothing_to(owned));
        assert!(!opens(&["premium"]).adds_nothing_to(Opens::default()));
        assert!(
            !opens(&[]).adds_nothing_to(owned),
            "a gift opens nothing for its buyer"
        );
    }
}

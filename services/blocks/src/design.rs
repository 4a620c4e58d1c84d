//! Colour tokens and icons that content may use. The web app draws them; tests compare both lists.

/// The colour tokens of `web/app/styles/tokens.css`, with their values in the light scheme.
pub const COLOUR_TOKENS: [(&str, &str); 31] = [
    ("white", "#fff"),
    ("paper", "#fbfaf7"),
    ("card", "#fff"),
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
    ("on-action", "#fff"),
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
];

/// The icons of `web/app/ui/icon/feature-icon.tsx`.
pub const ICONS: [&str; 33] = [
    "lotus",
    "breath",
    "moon",
    "coach",
    "heart",
    "music",
    "focus",
    "sun",
    "calendar",
    "shield",
    "clock",
    "check",
    "meditation",
    "air",
    "breathing",
    "wind",
    "wave",
    "waves",
    "sleep",
    "night",
    "coaching",
    "chat",
    "therapy",
    "care",
    "sound",
    "sounds",
    "target",
    "morning",
    "day",
    "program",
    "programme",
    "privacy",
    "lock",
];

/// The additional icons of a price badge: a disc, and the logo of a partner.
pub const BADGE_ICONS: [&str; 2] = ["pacman", "turkcell"];

/// `#6953bb` or `#fff`: valid for every colour field.
pub fn is_hex(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

pub fn is_colour(text: &str) -> bool {
    is_hex(text) || COLOUR_TOKENS.iter().any(|(name, _)| *name == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_the_web_app(path: &str) -> String {
        let path = format!("{}/../../web/app/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_colour_is_hex_or_a_token() {
        for colour in ["#fff", "#6953bb", "#6953BB", "action"] {
            assert!(is_colour(colour), "{colour}");
        }
        for other in [
            "",
            "#",
            "#12",
            "#ggg",
            "#fff8",
            "#6953bb80",
            "hotpink",
            "red;position:fixed",
            "Action",
        ] {
            assert!(!is_colour(other), "{other}");
        }
    }

    #[test]
    fn every_token_has_its_colour_in_the_web_app() {
        let css = of_the_web_app("styles/tokens.css");
        for (name, hex) in COLOUR_TOKENS {
            let declared = css
                .lines()
                .find_map(|line| line.trim().strip_prefix(&format!("--color-{name}: ")));
            assert_eq!(declared.map(|hex| hex.trim_end_matches(';')), Some(hex), "{name}");
        }
    }

    #[test]
    fn icons_are_those_the_web_app_draws() {
        let source = of_the_web_app("ui/icon/feature-icon.tsx");
        let table = source.split_once("= {").unwrap().1.split_once("};").unwrap().0;
        let names = table.lines().filter_map(|line| line.trim().split_once(": "));
        let mut drawn: Vec<&str> = names.map(|(name, _)| name).collect();
        let mut known = ICONS.to_vec();
        known.sort_unstable();
        drawn.sort_unstable();
        assert_eq!(known, drawn);
        let badge = of_the_web_app("blocks/price-badge/badge-icon.tsx");
        for icon in BADGE_ICONS {
            assert!(badge.contains(&format!("name === \"{icon}\"")), "{icon}");
        }
    }
}

//! Reduces a user agent to browser and system family.

/// Both are empty for a program that does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Device {
    pub browser: String,
    pub system: String,
}

/// In this order: browsers name those they descend from as well.
const BROWSERS: [(&str, &str); 14] = [
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("YaBrowser/", "Yandex"),
    ("DuckDuckGo/", "DuckDuckGo"),
    ("Vivaldi/", "Vivaldi"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Chromium/", "Chrome"),
    ("Safari/", "Safari"),
];

const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
];

impl Device {
    pub fn from_user_agent(user_agent: &str) -> Self {
        Self {
            browser: family(&BROWSERS, user_agent),
            system: family(&SYSTEMS, user_agent),
        }
    }

    /// `Firefox, Android`; `None` for a program that does not say.
    pub fn name(&self) -> Option<String> {
        let known = [self.browser.as_str(), &self.system];
        let parts: Vec<&str> = known.into_iter().filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Whether the account was signed in to from a browser before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Familiarity {
    Known,
    New,
}

fn family(families: &[(&str, &str)], user_agent: &str) -> String {
    let known = families.iter().find(|(mark, _)| user_agent.contains(mark));
    known.map(|(_, name)| (*name).to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(user_agent: &str, browser: &str, system: &str) {
        let device = Device::from_user_agent(user_agent);
        assert_eq!(
            (device.browser.as_str(), device.system.as_str()),
            (browser, system)
        );
    }

    #[test]
    fn derived_browsers_are_distinguished() {
        let chrome = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
        check(chrome, "Chrome", "Android");
        check(&format!("{chrome} EdgA/142.0"), "Edge", "Android");
        check(
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
            "Safari",
            "iPhone",
        );
        check(
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0",
            "Firefox",
            "Mac",
        );
        check(
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 OPR/124.0.0.0",
            "Opera",
            "Windows",
        );
    }

    #[test]
    fn a_device_is_named_by_what_is_known() {
        let name = |browser: &str, system: &str| {
            let device = Device {
                browser: browser.to_owned(),
                system: system.to_owned(),
            };
            device.name()
        };
        assert_eq!(name("Firefox", "Android").as_deref(), Some("Firefox, Android"));
        assert_eq!(name("", "Linux").as_deref(), Some("Linux"));
        assert_eq!(name("", ""), None);
    }

    #[test]
    fn nothing_of_what_is_not_known_is_kept() {
        check("ada@example.com 10.0.0.7 Ada's phone", "", "");
        check("", "", "");
    }
}

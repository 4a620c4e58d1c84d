//! A directory of content for tests.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::domain::Locale;

const CHROME: &str = "logo: { url: /favicon.svg, alt: Stillpoint }\n";

/// Goes away with its test.
pub struct Dir(pub PathBuf);

impl Dir {
    /// With navigation and footer of these locales.
    pub fn with(locales: &[&str]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = Self(std::env::temp_dir().join(format!("stillpoint-dir-{}-{number}", std::process::id())));
        for locale in locales {
            dir.write(&format!("{locale}/navigation.yaml"), CHROME);
            dir.write(&format!("{locale}/footer.yaml"), CHROME);
        }
        dir
    }

    /// With navigation and footer of every locale.
    pub fn complete() -> Self {
        Self::with(&Locale::ALL.map(Locale::code))
    }

    pub fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A page with these sections, each a line of YAML.
    pub fn page(&self, file: &str, path: &str, sections: &[&str]) {
        let head = format!(
            "urlPath: {path}
template: Page
seo: {{ title: T }}
sections:
  - "
        );
        self.write(
            file,
            &format!(
                "{head}{}
",
                sections.join(
                    "
  - "
                )
            ),
        );
    }

    /// A page with one text.
    pub fn text(&self, file: &str, path: &str, markdown: &str) {
        let section = format!("{{ componentName: MarkdownText, id: text, markdown: \"{markdown}\" }}");
        self.page(file, path, &[&section]);
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

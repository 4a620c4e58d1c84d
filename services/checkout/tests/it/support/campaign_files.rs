//! A test's own folder of campaign files, a copy of the shipped ones.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::test_env::SEED_DIR;

pub struct Seeds {
    path: PathBuf,
}

impl Seeds {
    pub fn shipped() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("stillpoint-seeds-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        for entry in fs::read_dir(SEED_DIR).unwrap() {
            let file = entry.unwrap();
            fs::copy(file.path(), path.join(file.file_name())).unwrap();
        }
        Self { path }
    }

    pub fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path.join(name), text).unwrap();
    }

    pub fn change(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path.join(name)).unwrap();
        assert!(text.contains(from), "{name}:\n{text}");
        self.write(name, &text.replace(from, to));
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path.join(name)).unwrap();
    }
}

impl Drop for Seeds {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

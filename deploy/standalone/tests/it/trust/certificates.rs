//! `standalone access certificates` makes what services trust each other with, and renews it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use kit::clock::Clock;
use kit::tls::{Authority, CertificateFiles, Tls};

const NAMES: [&str; 7] = [
    "content",
    "auth",
    "checkout",
    "sessions",
    "analytics",
    "gateway",
    "editor",
];

struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("stillpoint-access-{test}-{}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    /// Whether the command succeeded.
    fn run(&self, more: &[&str]) -> bool {
        let outcome = Command::new(env!("CARGO_BIN_EXE_standalone"))
            .args(["access", "certificates"])
            .arg(&self.0)
            .args(more)
            .output();
        outcome.unwrap().status.success()
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).unwrap()
    }

    fn certificates(&self) -> Vec<String> {
        NAMES
            .iter()
            .map(|name| self.read(&format!("{name}/cert.pem")))
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn every_service_gets_a_certificate_of_its_name() {
    let folder = Folder::new("names");
    assert!(folder.run(&[]));
    for name in NAMES {
        let tls = Tls::load(CertificateFiles {
            certificate: folder.0.join(name).join("cert.pem"),
            key: folder.0.join(name).join("key.pem"),
            authorities: folder.0.join("ca.pem"),
        });
        assert_eq!(&*tls.unwrap().name(), name);
    }
    let keys = NAMES.iter().map(|name| format!("{name}/key.pem"));
    for key in keys.chain(["ca-key.pem".to_owned()]) {
        let mode = fs::metadata(folder.0.join(&key)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{key}");
    }
}

#[test]
fn valid_certificates_are_kept_and_renewed_on_request() {
    let folder = Folder::new("renewal");
    assert!(folder.run(&[]));
    let first = folder.certificates();
    let authority = folder.read("ca.pem");
    assert!(folder.run(&[]));
    assert_eq!(folder.certificates(), first);

    fs::remove_file(folder.0.join("auth/cert.pem")).unwrap();
    assert!(folder.run(&[]));
    let second = folder.certificates();
    let changed = |before: &[String], after: &[String]| -> Vec<&str> {
        let pairs = NAMES.iter().zip(before.iter().zip(after));
        pairs
            .filter(|(_, (before, after))| before != after)
            .map(|(name, _)| *name)
            .collect()
    };
    assert_eq!(changed(&first, &second), ["auth"]);

    assert!(folder.run(&["--renew"]));
    assert_eq!(changed(&second, &folder.certificates()), NAMES);
    assert_eq!(folder.read("ca.pem"), authority);
}

#[test]
fn a_certificate_is_renewed_in_the_last_third_of_its_life() {
    let folder = Folder::new("third");
    assert!(folder.run(&[]));
    let authority = Authority::restore(folder.read("ca.pem"), &folder.read("ca-key.pem")).unwrap();
    for (age_in_days, is_kept) in [(58, true), (62, false)] {
        let issued = authority
            .issue(
                "auth",
                Clock::system().now() - chrono::TimeDelta::days(age_in_days),
            )
            .unwrap();
        fs::write(folder.0.join("auth/key.pem"), &issued.key).unwrap();
        fs::write(folder.0.join("auth/cert.pem"), &issued.certificate).unwrap();
        assert!(folder.run(&[]));
        let is_same = folder.read("auth/cert.pem") == issued.certificate;
        assert_eq!(is_same, is_kept, "after {age_in_days} days");
    }
}

#[test]
fn half_an_authority_is_not_replaced() {
    let folder = Folder::new("half");
    assert!(folder.run(&[]));
    fs::remove_file(folder.0.join("ca-key.pem")).unwrap();
    assert!(!folder.run(&["--renew"]));
    assert!(!folder.run(&["--all"]));
}

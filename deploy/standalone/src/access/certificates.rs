//! A certificate authority, and a certificate for each service, the gateway and the editors.
//!
//! The directory holds `ca.pem` and `ca-key.pem`, and `cert.pem` and `key.pem` in a folder per name. A running process reads new files
//! within seconds, so the command can be repeated daily.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chrono::{DateTime, TimeDelta, Utc};
use kit::clock::Clock;
use kit::run::ServiceDefinition;
use kit::tls::{Authority, Pem, Tls};

/// Not a service: calls the editing RPCs of content.
const EDITOR: &str = "editor";

/// A certificate is valid for 90 days. Its last third is the time to notice that renewals fail.
const RENEWED_BEFORE: TimeDelta = TimeDelta::days(30);

const PUBLIC: u32 = 0o644;
const SECRET: u32 = 0o600;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Renewal {
    WhenDue,
    All,
}

struct Folder {
    path: PathBuf,
    now: DateTime<Utc>,
}

pub fn run(arguments: &[String], definitions: &[ServiceDefinition]) -> anyhow::Result<()> {
    let (path, renewal) = match arguments {
        [path] if !path.starts_with('-') => (path, Renewal::WhenDue),
        [path, flag] | [flag, path] if flag == "--renew" => (path, Renewal::All),
        _ => bail!("usage: standalone access certificates DIRECTORY [--renew]"),
    };
    let folder = Folder {
        path: PathBuf::from(path),
        now: Clock::system().now(),
    };
    let names = definitions.iter().map(ServiceDefinition::name).chain([EDITOR]);
    folder.provide(names, renewal)
}

impl Folder {
    fn provide<'n>(&self, names: impl Iterator<Item = &'n str>, renewal: Renewal) -> anyhow::Result<()> {
        let (authority, is_new) = match self.existing_authority()? {
            Some(authority) => (authority, false),
            None => (self.new_authority()?, true),
        };
        for name in names {
            let is_kept = renewal == Renewal::WhenDue && !is_new && self.is_valid(&authority, name);
            if !is_kept {
                self.issue(&authority, name)
                    .with_context(|| format!("issuing the certificate of {name}"))?;
                eprintln!("{name}: new certificate");
            }
        }
        Ok(())
    }

    fn existing_authority(&self) -> anyhow::Result<Option<Authority>> {
        let (certificate, key) = (self.path.join("ca.pem"), self.path.join("ca-key.pem"));
        if !certificate.exists() && !key.exists() {
            return Ok(None);
        }
        let read = |path: &Path| fs::read_to_string(path).with_context(|| path.display().to_string());
        let authority = Authority::restore(read(&certificate)?, &read(&key)?).context("ca-key.pem")?;
        let is_valid = authority
            .expires_at()
            .is_some_and(|at| at > self.now + RENEWED_BEFORE);
        if !is_valid {
            bail!("ca.pem expires within a month: replace the authority as described in docs/kit/calls.md");
        }
        Ok(Some(authority))
    }

    fn new_authority(&self) -> anyhow::Result<Authority> {
        let authority = Authority::create(self.now)?;
        fs::create_dir_all(&self.path).with_context(|| self.path.display().to_string())?;
        replace(&self.path.join("ca-key.pem"), &authority.key(), SECRET)?;
        replace(&self.path.join("ca.pem"), authority.certificate(), PUBLIC)?;
        eprintln!("new certificate authority");
        Ok(authority)
    }

    fn is_valid(&self, authority: &Authority, name: &str) -> bool {
        let folder = self.path.join(name);
        let read = |file: &str| fs::read(folder.join(file)).ok();
        let (Some(certificate), Some(key)) = (read("cert.pem"), read("key.pem")) else {
            return false;
        };
        let pem = Pem {
            certificate,
            key,
            authorities: authority.certificate().as_bytes().to_vec(),
        };
        Tls::from_pem(pem).is_ok_and(|tls| {
            let is_long = tls.expires_at().is_some_and(|at| at > self.now + RENEWED_BEFORE);
            &*tls.name() == name && is_long
        })
    }

    fn issue(&self, authority: &Authority, name: &str) -> anyhow::Result<()> {
        let folder = self.path.join(name);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let issued = authority.issue(name, self.now)?;
        replace(&folder.join("key.pem"), &issued.key, SECRET)?;
        replace(&folder.join("cert.pem"), &issued.certificate, PUBLIC)
    }
}

/// A reader finds the old or the new file, never a part of one.
fn replace(path: &Path, contents: &str, mode: u32) -> anyhow::Result<()> {
    let temporary = path.with_extension("new");
    let write = || {
        // Left by a killed run; its mode may differ.
        let _ = fs::remove_file(&temporary);
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(mode).open(&temporary)?;
        file.write_all(contents.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().with_context(|| path.display().to_string())
}

//! Forbidden imports between the modules of a crate.

use std::collections::BTreeSet;
use std::iter;
use std::path::{Path, PathBuf};

use crate::tree::sources;

pub type Rules = &'static [(&'static str, &'static [&'static str])];

const MAY_IMPORT_EVERYTHING: [&str; 3] = ["app", "main", "lib"];

/// Arrows of a service: `rpc | consumers -> flows -> { domain, store, emit, ports }`, `store | emit | ports -> domain`,
/// `clients | providers -> ports`. `cli` is called like `rpc` and wires its own dependencies. `mail`, `crypto`, `lint` and `seed_dir` compute
/// for the others. Only `app` and `main` may import everything.
pub const SERVICE: Rules = &[
    (
        "domain",
        &[
            "flows",
            "store",
            "emit",
            "ports",
            "clients",
            "providers",
            "rpc",
            "consumers",
            "app",
            "config",
            "error",
            "cli",
            "mail",
            "crypto",
            "lint",
            "seed_dir",
        ],
    ),
    (
        "store",
        &[
            "flows",
            "emit",
            "ports",
            "clients",
            "providers",
            "rpc",
            "consumers",
            "app",
            "config",
            "cli",
            "mail",
            "lint",
            "seed_dir",
        ],
    ),
    (
        "emit",
        &[
            "flows",
            "store",
            "ports",
            "clients",
            "providers",
            "rpc",
            "consumers",
            "app",
            "config",
            "cli",
            "mail",
            "lint",
            "seed_dir",
        ],
    ),
    (
        "ports",
        &[
            "flows",
            "store",
            "emit",
            "clients",
            "providers",
            "rpc",
            "consumers",
            "app",
            "config",
            "cli",
            "mail",
            "lint",
            "seed_dir",
        ],
    ),
    (
        "clients",
        &[
            "flows",
            "store",
            "emit",
            "rpc",
            "consumers",
            "app",
            "cli",
            "mail",
            "lint",
            "seed_dir",
        ],
    ),
    (
        "providers",
        &[
            "flows",
            "store",
            "emit",
            "rpc",
            "consumers",
            "app",
            "cli",
            "mail",
            "lint",
            "seed_dir",
        ],
    ),
    (
        "flows",
        &["clients", "providers", "rpc", "consumers", "app", "cli"],
    ),
    (
        "rpc",
        &[
            "store",
            "emit",
            "ports",
            "clients",
            "providers",
            "consumers",
            "app",
            "cli",
        ],
    ),
    (
        "consumers",
        &[
            "store",
            "emit",
            "ports",
            "clients",
            "providers",
            "rpc",
            "app",
            "cli",
        ],
    ),
    ("cli", &["store", "emit", "ports", "rpc", "consumers"]),
    (
        "mail",
        &[
            "flows",
            "store",
            "emit",
            "ports",
            "clients",
            "providers",
            "rpc",
            "consumers",
            "app",
            "config",
            "cli",
        ],
    ),
    (
        "crypto",
        &[
            "flows",
            "store",
            "emit",
            "ports",
            "clients",
            "providers",
            "rpc",
            "consumers",
            "app",
            "config",
            "cli",
            "mail",
        ],
    ),
    (
        "lint",
        &[
            "flows",
            "store",
            "emit",
            "ports",
            "clients",
            "providers",
            "rpc",
            "consumers",
            "app",
            "config",
            "cli",
        ],
    ),
    (
        "seed_dir",
        &[
            "flows",
            "store",
            "emit",
            "ports",
            "clients",
            "providers",
            "rpc",
            "consumers",
            "app",
            "config",
            "cli",
            "lint",
        ],
    ),
    // Settings contain the settings of clients and flows.
    ("config", &["store", "emit", "rpc", "consumers", "app", "cli"]),
    (
        "error",
        &[
            "flows",
            "emit",
            "clients",
            "providers",
            "rpc",
            "consumers",
            "app",
            "cli",
        ],
    ),
];

/// `rest`, `graphql` and `pages` do not import one another. `state` contains `graphql` and `pages`; their handlers are in `server`, which
/// has the routes and may import everything but `app`. `protocol` has the wire formats and errors of all of them.
pub const GATEWAY: Rules = &[
    (
        "security",
        &[
            "config",
            "state",
            "rest",
            "graphql",
            "pages",
            "middleware",
            "app",
            "server",
        ],
    ),
    ("middleware", &["rest", "graphql", "pages", "app", "server"]),
    (
        "cache",
        &["rest", "graphql", "pages", "middleware", "state", "app", "server"],
    ),
    (
        "pages",
        &["state", "rest", "graphql", "middleware", "app", "server"],
    ),
    (
        "graphql",
        &["state", "rest", "pages", "middleware", "app", "server"],
    ),
    ("rest", &["graphql", "pages", "middleware", "app", "server"]),
    (
        "openapi",
        &["rest", "graphql", "pages", "middleware", "state", "app", "server"],
    ),
    ("state", &["rest", "middleware", "app", "server"]),
    (
        "clients",
        &[
            "state",
            "rest",
            "graphql",
            "pages",
            "security",
            "middleware",
            "app",
            "server",
        ],
    ),
    (
        "protocol",
        &[
            "state",
            "rest",
            "graphql",
            "pages",
            "cache",
            "clients",
            "config",
            "security",
            "middleware",
            "openapi",
            "app",
            "server",
        ],
    ),
    (
        "config",
        &["state", "rest", "graphql", "pages", "middleware", "app", "server"],
    ),
    ("server", &["app"]),
];

/// `src/store/order.rs` and `src/store.rs` are both of the layer `store`.
pub fn layer(krate: &Path, file: &Path) -> String {
    let path = file.strip_prefix(krate.join("src")).unwrap_or(file);
    let first = path.iter().next().unwrap_or_default().to_string_lossy();
    first.strip_suffix(".rs").unwrap_or(&first).to_owned()
}

/// None: the rules do not name the layer.
pub fn forbidden_imports(rules: Rules, layer: &str) -> Option<&'static [&'static str]> {
    if MAY_IMPORT_EVERYTHING.contains(&layer) {
        return Some(&[]);
    }
    let found = rules.iter().find(|(name, _)| *name == layer);
    found.map(|(_, forbidden)| *forbidden)
}

/// The names in the rules that are no layer of any of the crates.
pub fn stale_names(rules: Rules, crates: &[PathBuf]) -> Vec<&'static str> {
    let mut layers = BTreeSet::new();
    for krate in crates {
        let files = sources(&krate.join("src"), &["rs"]);
        layers.extend(files.iter().map(|file| layer(krate, file)));
    }
    let mut stale = Vec::new();
    for (name, forbidden) in rules {
        let named = iter::once(name).chain(*forbidden);
        stale.extend(named.filter(|name| !layers.contains(**name)));
    }
    stale
}

#[test]
fn a_layer_without_a_rule_is_not_allowed_everything() {
    assert_eq!(forbidden_imports(SERVICE, "helpers"), None);
    assert_eq!(forbidden_imports(GATEWAY, "store"), None);
    assert_eq!(forbidden_imports(GATEWAY, "main"), Some::<&[&str]>(&[]));
    assert!(forbidden_imports(GATEWAY, "protocol").unwrap().contains(&"rest"));
}

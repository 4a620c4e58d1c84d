//! Forbidden imports between the modules of a crate.

use std::path::Path;

type Rules = &'static [(&'static str, &'static [&'static str])];

/// Arrows of a service: `rpc | consumers -> flows -> { domain, store, emit, ports }`, `store | emit | ports -> domain`,
/// `clients -> ports`. `cli` is called like `rpc` and wires its own dependencies. `mail`, `crypto`, `lint` and `seed_dir` compute
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
    ("flows", &["clients", "rpc", "consumers", "app", "cli"]),
    (
        "rpc",
        &["store", "emit", "ports", "clients", "consumers", "app", "cli"],
    ),
    (
        "consumers",
        &["store", "emit", "ports", "clients", "rpc", "app", "cli"],
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
        &["flows", "emit", "clients", "rpc", "consumers", "app", "cli"],
    ),
];

/// `rest`, `graphql` and `pages` do not import one another. `state` names what they share; `router` and `app` import everything.
pub const GATEWAY: Rules = &[
    (
        "security",
        &[
            "rest",
            "graphql",
            "pages",
            "middleware",
            "router",
            "app",
            "server",
        ],
    ),
    (
        "middleware",
        &["rest", "graphql", "pages", "router", "app", "server"],
    ),
    (
        "cache",
        &[
            "rest",
            "graphql",
            "pages",
            "middleware",
            "state",
            "router",
            "app",
            "server",
        ],
    ),
    (
        "pages",
        &["rest", "graphql", "middleware", "router", "app", "server"],
    ),
    ("graphql", &["rest", "router", "app", "server"]),
    ("rest", &["graphql", "middleware", "router", "app", "server"]),
    (
        "openapi",
        &[
            "rest",
            "graphql",
            "pages",
            "middleware",
            "state",
            "router",
            "app",
            "server",
        ],
    ),
    ("state", &["rest", "middleware", "router", "app", "server"]),
    (
        "clients",
        &[
            "state",
            "rest",
            "graphql",
            "pages",
            "security",
            "middleware",
            "router",
            "app",
            "server",
        ],
    ),
    (
        "error",
        &[
            "state",
            "rest",
            "graphql",
            "pages",
            "security",
            "middleware",
            "router",
            "app",
            "server",
        ],
    ),
    (
        "config",
        &[
            "state",
            "rest",
            "graphql",
            "pages",
            "middleware",
            "router",
            "app",
            "server",
        ],
    ),
];

/// `src/store/order.rs` and `src/store.rs` are both of the layer `store`.
pub fn layer(krate: &Path, file: &Path) -> String {
    let path = file.strip_prefix(krate.join("src")).unwrap_or(file);
    let first = path.iter().next().unwrap_or_default().to_string_lossy();
    first.strip_suffix(".rs").unwrap_or(&first).to_owned()
}

pub fn forbidden_imports(rules: Rules, layer: &str) -> &'static [&'static str] {
    let found = rules.iter().find(|(name, _)| *name == layer);
    found.map(|(_, forbidden)| *forbidden).unwrap_or_default()
}

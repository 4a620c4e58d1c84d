//! All of Stillpoint on one machine: which processes, with which settings, in which order.

pub mod certificates;
pub mod nats;
mod passwords;
pub mod postgres;
pub mod probe;
pub mod process;
pub mod process_group;
mod roles;
mod sandbox_settings;

use std::{
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use nix::sys::signal::Signal;

use self::{
    nats::Users,
    postgres::{Durability, Postgres},
    probe::PortUse,
    process::{Identity, Launch},
    process_group::{ProcessGroup, Ready},
    roles::Roles,
};
use crate::{
    build::{self, Profile},
    context::Context,
    failure::Failure,
    paths::Paths,
    settings::{Mode, Ports, Service},
    tools::{self, node::Node},
};

const ENGINES_LIMIT: Duration = Duration::from_secs(30);
const SERVICES_LIMIT: Duration = Duration::from_secs(90);
/// Services drain in this time; `ProcessGroup` waits a little longer before it kills them.
const GRACE_SECS: &str = "4";

// Postgres and NATS have stage 0.
const STAGE_OUTSIDE: u8 = 1;
const STAGE_SERVICES: u8 = 2;
const STAGE_EDGE: u8 = 3;

/// One instance: a `make run`, or one pass of the journeys.
pub struct Stack<'a> {
    pub context: &'a Context,
    pub paths: &'a Paths,
    pub mode: Mode,
    pub profile: Profile,
    pub ports: Ports,
    pub durability: Durability,
    /// Addresses of an external Postgres and NATS. `None` starts our own.
    pub database_url: Option<String>,
    pub nats_url: Option<String>,
    /// Settings of this instance beside the defaults.
    pub extra: &'static [(&'static str, &'static str)],
}

/// What the processes of the product share.
struct Product {
    programs: PathBuf,
    node: Node,
    settings: Settings,
    /// In our own Postgres. An external one has the roles that its address names.
    roles: Option<Roles>,
    /// Of our own NATS server.
    nats_users: Option<Users>,
}

impl Product {
    fn settings_of(&self, process: &str) -> Result<Settings, Failure> {
        let databases = self.roles.iter().flat_map(|roles| roles.settings_of(process));
        let user = if process == "standalone" {
            nats::ONE_PROCESS
        } else {
            process
        };
        let nats_url = self.nats_users.as_ref().map(|users| users.url(user));
        let nats_url = nats_url.transpose()?.map(|url| setting("NATS_URL", url));
        Ok(self
            .settings
            .iter()
            .cloned()
            .chain(databases)
            .chain(nats_url)
            .collect())
    }

    fn settings_of_tools(self) -> Settings {
        let databases = self.roles.iter().flat_map(Roles::settings_of_tools);
        self.settings.into_iter().chain(databases).collect()
    }
}

pub type Settings = Vec<(String, String)>;

impl Stack<'_> {
    pub fn require_free_ports(&self) -> Result<(), Failure> {
        let ports = &self.ports;
        let want = |port, purpose, variable: &str| PortUse {
            port,
            purpose,
            variable: variable.to_owned(),
        };
        let mut wanted = vec![
            want(ports.gateway, "the gateway", "GATEWAY_PORT"),
            want(ports.ops, "health and metrics", "OPS_PORT"),
            want(ports.web, "the web renderer", "WEB_PORT"),
            want(ports.sandbox, "the sandbox", "SANDBOX_PORT"),
            want(ports.smtp, "mail in the sandbox", "SMTP_PORT"),
        ];
        if self.database_url.is_none() {
            wanted.push(want(ports.postgres, "Postgres", "POSTGRES_PORT"));
        }
        if self.nats_url.is_none() {
            wanted.push(want(ports.nats, "NATS", "NATS_PORT"));
        }
        if self.mode == Mode::Services {
            for service in &ports.services {
                let name = service.name.to_uppercase();
                wanted.push(want(service.grpc, service.name, &format!("{name}_PORT")));
                wanted.push(want(service.ops, service.name, &format!("{name}_OPS_PORT")));
            }
        }
        probe::require_free(&wanted)
    }

    /// Fetches, builds and starts everything. Returns the settings for other tools once the home page responds.
    ///
    /// Only the calling thread starts children: the kernel stops them when that thread ends.
    pub fn start(&self, processes: &mut ProcessGroup<'_>) -> Result<Settings, Failure> {
        let (context, cancel) = (self.context, self.context.cancel);
        let started = thread::scope(|scope| {
            let binaries = scope.spawn(|| cancel.guard(|| build::binaries(context, self.mode, self.profile)));
            let pages = scope.spawn(|| {
                cancel.guard(|| {
                    let node = tools::node::ensure(context)?;
                    build::pages(context, &node)?;
                    Ok(node)
                })
            });
            let server = scope.spawn(|| {
                let ours = self.nats_url.is_none();
                cancel.guard(|| ours.then(|| tools::nats::ensure(context)).transpose())
            });
            let roles = cancel.guard(|| self.start_postgres(processes))?;
            let (programs, server) = (join_step(binaries)?, join_step(server)?);
            // One of our programs makes the server's permissions.
            let nats_users = cancel.guard(|| self.start_nats(processes, server, &programs))?;
            let product = Product {
                node: join_step(pages)?,
                settings: self.shared_settings(nats_users.as_ref())?,
                programs,
                roles,
                nats_users,
            };
            cancel.guard(|| self.start_product(processes, &product))?;
            Ok(product.settings_of_tools())
        });
        started.map_err(|failure| cancel.take_root_cause(failure))
    }

    /// Returns the roles of our own Postgres.
    fn start_postgres(&self, processes: &mut ProcessGroup<'_>) -> Result<Option<Roles>, Failure> {
        if self.database_url.is_some() {
            return Ok(None);
        }
        let postgres = self.prepare_postgres()?;
        processes.start(&postgres.launch)?;
        processes.wait_until_ready(&[("postgres", postgres.ready.clone())], ENGINES_LIMIT)?;
        Roles::prepare(&self.paths.postgres_home(), &postgres.url).map(Some)
    }

    /// Nothing is started without a `server`.
    fn start_nats(
        &self,
        processes: &mut ProcessGroup<'_>,
        server: Option<PathBuf>,
        programs: &Path,
    ) -> Result<Option<Users>, Failure> {
        let Some(server) = server else {
            return Ok(None);
        };
        let programs = nats::Programs {
            server,
            own: programs.to_path_buf(),
        };
        let nats = nats::prepare(self.context, self.paths, &programs, self.ports.nats)?;
        processes.start(&nats.launch)?;
        processes.wait_until_ready(&[("nats", Ready::Listening(self.ports.nats))], ENGINES_LIMIT)?;
        Ok(Some(nats.users))
    }

    fn prepare_postgres(&self) -> Result<Postgres, Failure> {
        let programs = tools::postgres::ensure(self.context)?;
        postgres::prepare(
            self.context,
            self.paths,
            &programs,
            self.ports.postgres,
            self.durability,
        )
    }

    fn start_product(&self, processes: &mut ProcessGroup<'_>, product: &Product) -> Result<(), Failure> {
        if let Some(roles) = &product.roles {
            roles.create(self.context, &product.programs)?;
        }
        let mut checks = vec![("sandbox", Ready::Http(self.ports.sandbox, "/sandbox/".to_owned()))];
        processes.start(&rust_process("sandbox", product, self.paths, &[])?)?;
        let is_ready = |port| Ready::Http(port, "/readyz".to_owned());
        match self.mode {
            Mode::One => {
                let own = [address("OPS_ADDR", self.ports.ops)];
                processes.start(&rust_process("standalone", product, self.paths, &own)?)?;
                checks.push(("standalone", is_ready(self.ports.ops)));
            }
            Mode::Services => {
                certificates::make(self.context, self.paths, &product.programs)?;
                for Service { name, grpc, ops } in self.ports.services {
                    let mut own = certificates::settings(self.paths, name);
                    own.extend([address("GRPC_ADDR", grpc), address("OPS_ADDR", ops)]);
                    processes.start(&rust_process(name, product, self.paths, &own)?)?;
                    checks.push((name, is_ready(ops)));
                }
                let mut own = certificates::settings(self.paths, "gateway");
                own.push(address("OPS_ADDR", self.ports.ops));
                processes.start(&rust_process("gateway", product, self.paths, &own)?)?;
                checks.push(("gateway", is_ready(self.ports.ops)));
            }
        }
        processes.start(&self.web(product))?;
        checks.push(("web", Ready::Http(self.ports.web, "/healthz".to_owned())));
        let front = if self.mode == Mode::One {
            "standalone"
        } else {
            "gateway"
        };
        checks.push((front, Ready::Http(self.ports.gateway, "/en/".to_owned())));
        processes.wait_until_ready(&checks, SERVICES_LIMIT)
    }

    fn web(&self, product: &Product) -> Launch {
        let mut env = product.settings.clone();
        env.extend(web_settings(self.ports.web));
        Launch {
            name: "web",
            program: product.node.program.clone(),
            args: vec![Path::new("build/server/index.js").display().to_string()],
            env,
            folder: self.paths.web(),
            identity: Identity::Caller,
            stop_signal: Signal::SIGTERM,
            stage: STAGE_EDGE,
        }
    }

    /// One set of settings for all processes; each reads its own. `NATS_URL` is a reader's: each process of the product gets one of
    /// its own.
    fn shared_settings(&self, nats_users: Option<&Users>) -> Result<Settings, Failure> {
        let reader = nats_users.map(|users| users.url(nats::READER)).transpose()?;
        let nats_url = self.nats_url.clone().or(reader).unwrap_or_default();
        let mut settings = self.addresses();
        settings.push(setting("NATS_URL", nats_url));
        let external = self.database_url.iter();
        settings.extend(external.map(|url| setting("DATABASE_URL", url.as_str())));
        settings.extend(self.defaults());
        settings.extend(self.extra.iter().map(|(name, value)| setting(name, *value)));
        if self.mode == Mode::Services {
            settings.extend(self.ports.services.iter().map(|service| {
                let name = format!("{}_URL", service.name.to_uppercase());
                (name, format!("https://127.0.0.1:{}", service.grpc))
            }));
        }
        Ok(settings)
    }

    fn addresses(&self) -> Settings {
        let ports = &self.ports;
        vec![
            setting("HTTP_ADDR", format!("127.0.0.1:{}", ports.gateway)),
            setting("PUBLIC_URL", format!("http://localhost:{}", ports.gateway)),
            setting(
                "GRAPHQL_URL",
                format!("http://127.0.0.1:{}/graphql", ports.gateway),
            ),
            setting("WEB_URL", format!("http://127.0.0.1:{}", ports.web)),
            setting("SANDBOX_ADDR", format!("127.0.0.1:{}", ports.sandbox)),
            setting("SANDBOX_SMTP_ADDR", format!("127.0.0.1:{}", ports.smtp)),
            setting(
                "SANDBOX_PUBLIC_URL",
                format!("http://localhost:{}", ports.sandbox),
            ),
            setting(
                "SANDBOX_STATE_DIR",
                self.paths.state.join("sandbox").display().to_string(),
            ),
            setting(
                "STRIPE_WEBHOOK_URL",
                format!("http://127.0.0.1:{}/webhooks/stripe", ports.gateway),
            ),
            setting("STRIPE_WEBHOOK_EVENTS", sandbox_settings::STRIPE_EVENTS),
            setting(
                "PAYPAL_WEBHOOK_URL",
                format!("http://127.0.0.1:{}/webhooks/paypal", ports.gateway),
            ),
            setting(
                "YOOKASSA_WEBHOOK_URL",
                format!("http://127.0.0.1:{}/webhooks/yookassa", ports.gateway),
            ),
        ]
    }

    /// Defaults for variables that the caller's environment does not set.
    fn defaults(&self) -> impl Iterator<Item = (String, String)> {
        let sandbox = format!("http://localhost:{}", self.ports.sandbox);
        let seed = |kind: &str| {
            self.paths
                .repo
                .join("deploy/seed")
                .join(kind)
                .display()
                .to_string()
        };
        let defaults = [
            setting("STILLPOINT_ENV", "development"),
            setting("CLOCK_BUCKET", "clock"),
            setting("LOG_FORMAT", "text"),
            // The logs are files.
            setting("NO_COLOR", "1"),
            setting("SHUTDOWN_GRACE_SECS", GRACE_SECS),
            setting("CONTENT_SEED_DIR", seed("content")),
            setting("CHECKOUT_SEED_DIR", seed("campaigns")),
            setting("STRIPE_API_BASE", format!("{sandbox}/stripe")),
            setting("AI_API_BASE", format!("{sandbox}/ai/v1")),
            setting("SMTP_URL", format!("smtp://127.0.0.1:{}", self.ports.smtp)),
            setting("STRIPE_JS_URL", format!("{sandbox}/stripe/js/stripe.js")),
            setting(
                "YOOKASSA_WIDGET_URL",
                format!("{sandbox}/yookassa/checkout-widget/v1/checkout-widget.js"),
            ),
            setting("AUTOLOGIN_URL", format!("{sandbox}/app/autologin")),
        ];
        defaults
            .into_iter()
            .chain(sandbox_settings::settings(&sandbox))
            .filter(|(name, _)| self.context.vars.get(name).is_none())
    }
}

pub fn setting(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}

fn rust_process(
    name: &'static str,
    product: &Product,
    paths: &Paths,
    own: &[(String, String)],
) -> Result<Launch, Failure> {
    Ok(Launch {
        name,
        program: product.programs.join(name),
        args: Vec::new(),
        env: [product.settings_of(name)?.as_slice(), own].concat(),
        folder: paths.repo.clone(),
        identity: Identity::Caller,
        stop_signal: Signal::SIGTERM,
        stage: match name {
            "sandbox" => STAGE_OUTSIDE,
            "gateway" => STAGE_EDGE,
            _ => STAGE_SERVICES,
        },
    })
}

fn web_settings(port: u16) -> [(String, String); 3] {
    [
        setting("HOST", "127.0.0.1"),
        setting("PORT", port.to_string()),
        setting("NODE_ENV", "production"),
    ]
}

fn address(name: &str, port: u16) -> (String, String) {
    setting(name, format!("127.0.0.1:{port}"))
}

pub fn join_step<T>(step: thread::ScopedJoinHandle<'_, Result<T, Failure>>) -> Result<T, Failure> {
    step.join().unwrap_or_else(|_| {
        Err(Failure::new(
            "A step of deploy/local panicked; see the lines above.",
        ))
    })
}

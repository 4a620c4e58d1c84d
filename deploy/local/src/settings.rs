//! Settings: the mode, the ports, external engines.

use std::{collections::BTreeMap, env, net::TcpListener};

use crate::failure::Failure;

/// A service with its own process in services mode, and the ports it listens on by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Service {
    pub name: &'static str,
    pub grpc: u16,
    pub ops: u16,
}

pub const SERVICES: [Service; 5] = [
    Service {
        name: "content",
        grpc: 50051,
        ops: 9091,
    },
    Service {
        name: "auth",
        grpc: 50052,
        ops: 9092,
    },
    Service {
        name: "checkout",
        grpc: 50053,
        ops: 9093,
    },
    Service {
        name: "sessions",
        grpc: 50057,
        ops: 9097,
    },
    Service {
        name: "analytics",
        grpc: 50058,
        ops: 9098,
    },
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// All services and the gateway in one process.
    One,
    /// Every service its own process, as in production.
    Services,
}

impl Mode {
    pub fn parse(text: &str) -> Result<Self, Failure> {
        match text {
            "one" => Ok(Self::One),
            "services" => Ok(Self::Services),
            other => Err(Failure::new(format!(
                "There is no mode \"{other}\": choose MODE=one or MODE=services."
            ))),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ports {
    pub gateway: u16,
    pub ops: u16,
    pub web: u16,
    pub sandbox: u16,
    /// SMTP of the sandbox.
    pub smtp: u16,
    pub postgres: u16,
    pub nats: u16,
    pub services: [Service; 5],
}

/// The environment as it was when the command started.
#[derive(Debug, Clone, Default)]
pub struct Vars(BTreeMap<String, String>);

impl Vars {
    pub fn from_process() -> Self {
        Self(
            env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                .collect(),
        )
    }

    /// Set and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    fn port(&self, name: &str, default: u16) -> Result<u16, Failure> {
        let Some(text) = self.get(name) else {
            return Ok(default);
        };
        text.parse().ok().filter(|port| *port > 0).ok_or_else(|| {
            Failure::new(format!(
                "{name}=\"{text}\" is not a port: use a number from 1 to 65535."
            ))
        })
    }
}

impl Ports {
    pub fn read(vars: &Vars) -> Result<Self, Failure> {
        let mut services = SERVICES;
        for service in &mut services {
            let name = service.name.to_uppercase();
            service.grpc = vars.port(&format!("{name}_PORT"), service.grpc)?;
            service.ops = vars.port(&format!("{name}_OPS_PORT"), service.ops)?;
        }
        Ok(Self {
            gateway: vars.port("GATEWAY_PORT", 8080)?,
            ops: vars.port("OPS_PORT", 9090)?,
            web: vars.port("WEB_PORT", 3000)?,
            sandbox: vars.port("SANDBOX_PORT", 8090)?,
            smtp: vars.port("SMTP_PORT", 8025)?,
            postgres: vars.port("POSTGRES_PORT", 54330)?,
            nats: vars.port("NATS_PORT", 42220)?,
            services,
        })
    }

    /// Free ports, for a test run beside a running Stillpoint.
    pub fn free() -> Result<Self, Failure> {
        // All stay bound until the last one is known, so that no port is returned twice.
        let mut held = Vec::new();
        let mut next = || -> Result<u16, Failure> {
            let no_port = |error| Failure::new(format!("No free port on 127.0.0.1: {error}."));
            let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(no_port)?;
            let port = listener.local_addr().map_err(no_port)?.port();
            held.push(listener);
            Ok(port)
        };
        let mut services = SERVICES;
        for service in &mut services {
            service.grpc = next()?;
            service.ops = next()?;
        }
        Ok(Self {
            gateway: next()?,
            ops: next()?,
            web: next()?,
            sandbox: next()?,
            smtp: next()?,
            postgres: next()?,
            nats: next()?,
            services,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vars(pairs: &[(&str, &str)]) -> Vars {
        Vars(
            pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        )
    }

    #[test]
    fn ports_have_defaults_and_can_be_moved() {
        let ports = Ports::read(&vars(&[("GATEWAY_PORT", "18080"), ("AUTH_OPS_PORT", "19092")]));
        let ports = ports.expect("valid ports");
        assert_eq!((ports.gateway, ports.web), (18080, 3000));
        assert_eq!(
            ports.services[1],
            Service {
                name: "auth",
                grpc: 50052,
                ops: 19092
            }
        );
    }

    #[test]
    fn an_empty_variable_counts_as_unset() {
        assert_eq!(
            Ports::read(&vars(&[("WEB_PORT", "")])).expect("valid ports").web,
            3000
        );
    }

    #[test]
    fn a_port_that_is_none_is_named() {
        let failure = Ports::read(&vars(&[("WEB_PORT", "0")])).expect_err("refused");
        assert!(failure.to_string().contains("WEB_PORT=\"0\" is not a port"));
    }

    #[test]
    fn free_ports_are_all_different() {
        let ports = Ports::free().expect("free ports");
        let mut all = vec![
            ports.gateway,
            ports.ops,
            ports.web,
            ports.sandbox,
            ports.smtp,
            ports.postgres,
            ports.nats,
        ];
        all.extend(
            ports
                .services
                .iter()
                .flat_map(|service| [service.grpc, service.ops]),
        );
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn an_unknown_mode_is_refused() {
        assert!(Mode::parse("all").is_err());
        assert_eq!(Mode::parse("services"), Ok(Mode::Services));
    }
}

//! Who may call which RPC.

use crate::error::{ErrorCode, Failure, Kind};
use crate::tls::Peer;

/// The RPCs of one gRPC service that one caller may use.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// The name in the caller's certificate: a service, or `editor`.
    pub name: &'static str,
    /// `stillpoint.checkout.v1.CheckoutService`
    pub grpc_service: &'static str,
    pub rpcs: &'static [&'static str],
}

/// The rule of one service. What is not declared is forbidden.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallerRules {
    callers: &'static [Caller],
    exempt: Exempt,
}

/// Callers that need no declaration. Only `kit::testing` exempts any.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exempt {
    None,
    /// The test itself, by this name.
    Name(&'static str),
    /// All, of a stand-in for another service.
    All,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Denial {
    CallerUnknown,
    NotAllowed { caller: String },
}

impl CallerRules {
    pub const fn new(callers: &'static [Caller]) -> Self {
        Self {
            callers,
            exempt: Exempt::None,
        }
    }

    pub const fn exempting(self, exempt: Exempt) -> Self {
        Self { exempt, ..self }
    }

    /// `path` is `/<gRPC service>/<RPC>`.
    pub fn check(&self, peer: Option<&Peer>, path: &str) -> Result<(), Denial> {
        let name = peer.and_then(Peer::name);
        let is_exempt = match self.exempt {
            Exempt::None => false,
            Exempt::Name(exempt) => name == Some(exempt),
            Exempt::All => true,
        };
        let caller = match name {
            _ if is_exempt => return Ok(()),
            None => return Err(Denial::CallerUnknown),
            Some(caller) => caller,
        };
        let is_allowed = |declared: &Caller| declared.name == caller && declared.rpc(path).is_some();
        if self.callers.iter().any(is_allowed) {
            Ok(())
        } else {
            let caller = caller.to_owned();
            Err(Denial::NotAllowed { caller })
        }
    }

    /// The RPC of a path, if any caller may use it.
    pub fn declared_rpc(&self, path: &str) -> Option<&'static str> {
        self.callers.iter().find_map(|declared| declared.rpc(path))
    }
}

impl Caller {
    fn rpc(&self, path: &str) -> Option<&'static str> {
        let (grpc_service, rpc) = path.strip_prefix('/')?.split_once('/')?;
        let is_of_service = grpc_service == self.grpc_service;
        let found = self.rpcs.iter().find(|declared| **declared == rpc);
        found.copied().filter(|_| is_of_service)
    }
}

impl Denial {
    pub fn failure(&self) -> Failure {
        match self {
            Self::CallerUnknown => Failure::new(
                Kind::Unauthenticated,
                ErrorCode::CallerUnknown,
                "The caller has no certificate.",
            ),
            Self::NotAllowed { .. } => Failure::new(
                Kind::Forbidden,
                ErrorCode::CallerNotAllowed,
                "The caller may not use this call.",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: CallerRules = CallerRules::new(&[
        Caller {
            name: "gateway",
            grpc_service: "stillpoint.shop.v1.ShopService",
            rpcs: &["Buy", "List"],
        },
        Caller {
            name: "auth",
            grpc_service: "stillpoint.shop.v1.ShopService",
            rpcs: &["GetGuest"],
        },
        Caller {
            name: "auth",
            grpc_service: "stillpoint.shop.v1.EditingService",
            rpcs: &["List"],
        },
    ]);

    fn check(rules: CallerRules, name: &str, path: &str) -> Result<(), Denial> {
        rules.check(Some(&Peer::named(name)), path)
    }

    fn not_allowed(caller: &str) -> Result<(), Denial> {
        Err(Denial::NotAllowed {
            caller: caller.to_owned(),
        })
    }

    #[test]
    fn only_declared_calls_are_allowed() {
        let allowed = [
            ("gateway", "/stillpoint.shop.v1.ShopService/Buy"),
            ("gateway", "/stillpoint.shop.v1.ShopService/List"),
            ("auth", "/stillpoint.shop.v1.ShopService/GetGuest"),
            ("auth", "/stillpoint.shop.v1.EditingService/List"),
        ];
        for (name, path) in allowed {
            assert_eq!(check(RULES, name, path), Ok(()), "{name} {path}");
        }
        let denied = [
            ("gateway", "/stillpoint.shop.v1.ShopService/GetGuest"),
            ("gateway", "/stillpoint.shop.v1.EditingService/List"),
            ("gateway", "/stillpoint.shop.v1.ShopService/buy"),
            ("gateway", "/stillpoint.shop.v1.ShopService/Buy/"),
            ("gateway", "//stillpoint.shop.v1.ShopService/Buy"),
            ("gateway", "Buy"),
            ("gateway", ""),
            ("auth", "/stillpoint.shop.v1.ShopService/Buy"),
            ("shop", "/stillpoint.shop.v1.ShopService/Buy"),
            ("test", "/stillpoint.shop.v1.ShopService/Buy"),
            ("", "/stillpoint.shop.v1.ShopService/Buy"),
        ];
        for (name, path) in denied {
            assert_eq!(check(RULES, name, path), not_allowed(name), "{name} {path}");
        }
    }

    #[test]
    fn a_caller_without_a_name_is_unknown() {
        let path = "/stillpoint.shop.v1.ShopService/Buy";
        for peer in [None, Some(&Peer::UNKNOWN)] {
            assert_eq!(RULES.check(peer, path), Err(Denial::CallerUnknown));
        }
    }

    #[test]
    fn an_exempt_caller_may_do_all() {
        let path = "/stillpoint.shop.v1.ShopService/Sell";
        let of_test = RULES.exempting(Exempt::Name("test"));
        assert_eq!(check(of_test, "test", path), Ok(()));
        assert_eq!(check(of_test, "auth", path), not_allowed("auth"));
        assert_eq!(of_test.check(None, path), Err(Denial::CallerUnknown));
        assert_eq!(RULES.exempting(Exempt::All).check(None, path), Ok(()));
    }

    #[test]
    fn only_declared_rpcs_become_labels() {
        assert_eq!(
            RULES.declared_rpc("/stillpoint.shop.v1.ShopService/Buy"),
            Some("Buy")
        );
        assert_eq!(RULES.declared_rpc("/stillpoint.shop.v1.ShopService/Sell"), None);
    }
}

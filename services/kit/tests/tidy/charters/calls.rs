//! Calls between services: each is declared in the `access.rs` of the called service. Before adding one, consider an event.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::report;
use super::super::scan::{own_code, snake_case};
use super::super::tree::{name, read, root, services, sources};
use super::contract;

/// Not a crate: a person with a certificate.
const EDITOR: &str = "editor";

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    caller: String,
    callee: String,
    /// `EditingService`
    server: String,
    rpc: String,
}

#[test]
fn every_rpc_of_the_contract_has_a_caller_and_the_reverse() {
    let mut errors = Vec::new();
    for service in services() {
        let declared: BTreeSet<_> = declared(&service)
            .into_iter()
            .map(|call| (call.server, call.rpc))
            .collect();
        let contract: BTreeSet<_> = contract(&service).into_iter().collect();
        let wrong = declared.symmetric_difference(&contract);
        errors.extend(wrong.map(|(server, rpc)| format!("{}: {server}/{rpc}", name(&service))));
    }
    report("contracts and the callers in access.rs differ", &errors);
}

#[test]
fn services_make_exactly_the_declared_calls() {
    let declared: BTreeSet<Call> = services()
        .iter()
        .flat_map(|service| declared(service))
        .filter(|call| call.caller != EDITOR)
        .collect();
    let made: BTreeSet<Call> = services()
        .iter()
        .chain([&root().join("gateway")])
        .flat_map(|krate| made(krate))
        .collect();
    assert!(made.len() > 10, "this test does not find the calls");
    let undeclared = made.difference(&declared);
    let unused = declared.difference(&made);
    let errors: Vec<String> = undeclared
        .map(|call| format!("undeclared: {call:?}"))
        .chain(unused.map(|call| format!("never made: {call:?}")))
        .collect();
    report("calls and the callers in access.rs differ", &errors);
}

/// The callers in the service's `access.rs`.
fn declared(service: &Path) -> Vec<Call> {
    let text = own_code(&read(&service.join("src/app/access.rs")));
    callers(&text)
        .into_iter()
        .flat_map(|(caller, server, rpcs)| {
            let server = contract(service)
                .into_iter()
                .map(|(known, _)| known)
                .find(|known| snake_case(known) == server)
                .unwrap_or(server);
            let callee = name(service);
            rpcs.into_iter().map(move |rpc| Call {
                caller: caller.clone(),
                callee: callee.clone(),
                server: server.clone(),
                rpc,
            })
        })
        .collect()
}

/// Of each `Caller { … }`: its name, the service in snake case, the RPCs.
fn callers(text: &str) -> Vec<(String, String, Vec<String>)> {
    let blocks = text.split("Caller {").skip(1);
    blocks
        .filter_map(|block| {
            let (_, rest) = block.split_once("name: \"")?;
            let (caller, rest) = rest.split_once('"')?;
            let (_, rest) = rest.split_once("grpc_service: ")?;
            let (server, rest) = rest.split_once("_server::SERVICE_NAME")?;
            let (_, rest) = rest.split_once("rpcs: &[")?;
            let (rpcs, _) = rest.split_once(']')?;
            let rpcs = rpcs.split('"').skip(1).step_by(2).map(str::to_owned);
            Some((caller.to_owned(), server.to_owned(), rpcs.collect()))
        })
        .collect()
}

/// The calls in the sources of a crate: `checkout().check_bin(…)`, or `.get_guest(…)` in a file that names the client.
fn made(krate: &Path) -> Vec<Call> {
    let files: Vec<String> = sources(&krate.join("src"), &["rs"])
        .iter()
        .map(|file| own_code(&read(file)).split_whitespace().collect())
        .collect();
    let mut found = Vec::new();
    for service in services() {
        let callee = name(&service);
        for (server, rpc) in contract(&service) {
            let method = snake_case(&rpc);
            let is_in = |text: &String| {
                let of_client = text.contains(&format!("{server}Client")) && !text.contains("Clients{");
                text.contains(&format!("{callee}().{method}("))
                    || (of_client && text.contains(&format!(".{method}(")))
            };
            if files.iter().any(is_in) {
                found.push(Call {
                    caller: name(krate),
                    callee: callee.clone(),
                    server,
                    rpc,
                });
            }
        }
    }
    found
}

#[test]
fn callers_are_read_from_declarations() {
    let text = "callers: &[Caller {\n name: \"auth\",\n grpc_service: shop_service_server::SERVICE_NAME,\n rpcs: &[\"Buy\", \"List\"],\n}]";
    let expected = (
        "auth".to_owned(),
        "shop_service".to_owned(),
        vec!["Buy".to_owned(), "List".to_owned()],
    );
    assert_eq!(callers(text), [expected]);
}

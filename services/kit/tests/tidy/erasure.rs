//! Auth waits for the reports of exactly those services that erase members.

use std::collections::BTreeSet;
use std::path::Path;

use super::report;
use super::scan::own_code;
use super::tree::{name, read, root, services, sources};

/// It closes its own erasures, so it waits for no report of its own.
const REQUESTER: &str = "auth";

#[test]
fn auth_waits_for_every_service_that_erases_members() {
    let listed = awaited(&read(&root().join("services/auth/src/domain/erasure.rs")));
    let erasing = services_with("Erasure::handler(");
    let missing = erasing
        .difference(&listed)
        .map(|service| format!("{service} is not in OTHER_SERVICES: no one waits for its report"));
    let silent = listed.difference(&erasing).map(|service| {
        format!("{service} is in OTHER_SERVICES and registers no handler: erasures never close")
    });
    let errors: Vec<String> = missing.chain(silent).collect();
    report(
        "OTHER_SERVICES of auth and the registered handlers differ",
        &errors,
    );
    assert_eq!(
        services_with("Erasure::own_requests("),
        BTreeSet::from([REQUESTER.to_owned()])
    );
}

fn services_with(registration: &str) -> BTreeSet<String> {
    let registers = |service: &Path| {
        let mut files = sources(&service.join("src"), &["rs"]).into_iter();
        files.any(|file| own_code(&read(&file)).contains(registration))
    };
    let found = services().into_iter().filter(|service| registers(service));
    found.map(|service| name(&service)).collect()
}

/// The names in the constant `OTHER_SERVICES`.
fn awaited(text: &str) -> BTreeSet<String> {
    let (_, list) = text.split_once("OTHER_SERVICES").unwrap();
    let (list, _) = list
        .split_once(';')
        .map(|(_, rest)| rest.split_once(';').unwrap())
        .unwrap();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_list_of_awaited_services_is_read() {
    let text = "pub const OTHER_SERVICES: [&str; 2] = [\"checkout\", \"sessions\"];\nlet x = \"other\";";
    assert_eq!(
        awaited(text),
        BTreeSet::from(["checkout".to_owned(), "sessions".to_owned()])
    );
}

//! The methods of a domain's types are in the domain.
//!
//! An `impl` block in another layer would let domain code call that layer without an import, which the import rules do not see.

use std::collections::BTreeSet;

use super::layers::layer;
use super::report;
use super::scan::{first_word, own_code};
use super::tree::{at, read, services, sources};

#[test]
fn only_the_domain_adds_methods_to_its_types() {
    let mut errors = Vec::new();
    for service in services() {
        let (domain, others): (Vec<_>, Vec<_>) = sources(&service.join("src"), &["rs"])
            .into_iter()
            .partition(|file| layer(&service, file) == "domain");
        let of_domain: BTreeSet<String> = domain.iter().flat_map(|file| types(&read(file))).collect();
        for file in others {
            let text = own_code(&read(&file));
            // A type of the same name that this layer declares itself is another one.
            let own = types(&text);
            let foreign = extended(&text)
                .into_iter()
                .filter(|(_, name)| of_domain.contains(*name) && !own.contains(*name));
            errors.extend(foreign.map(|(offset, name)| format!("{}: {name}", at(&file, &text, offset))));
        }
    }
    report(
        "move these methods to the domain, or make them functions",
        &errors,
    );
}

/// The types that a file declares at its top level.
fn types(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter_map(|line| {
            let item = line
                .strip_prefix("pub(crate) ")
                .or_else(|| line.strip_prefix("pub "));
            let item = item.unwrap_or(line);
            let rest = ["struct ", "enum "]
                .iter()
                .find_map(|word| item.strip_prefix(word))?;
            Some(first_word(rest).to_owned())
        })
        .collect()
}

/// The types of `impl Name {`, with their offsets. Implementations of traits are no methods of the type's own.
fn extended(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let head = line.strip_prefix("impl ").filter(|_| !line.contains(" for "));
        found.extend(head.map(|rest| (offset, first_word(rest))));
        offset += line.len();
    }
    found
}

#[test]
fn implementations_of_traits_are_no_findings() {
    let text = "pub enum Provider {\n}\nimpl Provider {\n}\nimpl Display for Provider {\n}\nstruct Own;\n";
    assert_eq!(
        extended(text),
        [(text.find("impl Provider").unwrap(), "Provider")]
    );
    assert_eq!(
        types(text),
        BTreeSet::from(["Own".to_owned(), "Provider".to_owned()])
    );
}

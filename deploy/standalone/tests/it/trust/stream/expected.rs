//! What each user is expected to do, from the declarations of the services.

use kit::consumer::ConsumerSpec;
use kit::run::ServiceDefinition;
use proto::events::v1::SUBJECTS;

pub const ONE_PROCESS: &str = "stillpoint";
/// The reader of the tests, and its filter.
pub const READER: &str = "bi";
pub const READS: &str = "stillpoint.checkout.>";

pub fn services() -> Vec<ServiceDefinition> {
    vec![
        content::definition(),
        auth::definition(),
        checkout::definition(),
        sessions::definition(),
        analytics::definition(),
        gateway::definition(),
    ]
}

/// What a user is expected to do: by name, filters of its subjects, durables with their filters, and filters it subscribes to.
#[derive(Default)]
pub struct Expected {
    pub name: String,
    pub publishes: Vec<String>,
    pub durables: Vec<(String, String)>,
    pub watches: Vec<String>,
}

impl Expected {
    fn of(service: &ServiceDefinition) -> Self {
        let access = service.granted();
        let durables = access.consumers.iter().flat_map(ConsumerSpec::durables);
        Self {
            name: service.name().to_owned(),
            publishes: access.publishes.iter().map(|token| all_of(token)).collect(),
            durables: durables
                .map(|durable| (durable.name, durable.filter.to_owned()))
                .collect(),
            watches: access.watches.iter().map(|&filter| filter.to_owned()).collect(),
        }
    }

    /// Every service alone, all in one process, the sandbox and a reader.
    pub fn users() -> Vec<Self> {
        let mut users: Vec<Self> = services().iter().map(Self::of).collect();
        let mut one = Self {
            name: ONE_PROCESS.to_owned(),
            ..Self::default()
        };
        for user in &users {
            one.publishes.extend(user.publishes.iter().cloned());
            one.durables.extend(user.durables.iter().cloned());
            one.watches.extend(user.watches.iter().cloned());
        }
        let sandbox = Self {
            name: "sandbox".to_owned(),
            ..Self::default()
        };
        let reader = Self {
            name: READER.to_owned(),
            durables: vec![(READER.to_owned(), READS.to_owned())],
            watches: vec![READS.to_owned()],
            ..Self::default()
        };
        users.extend([one, sandbox, reader]);
        users
    }
}

pub fn all_of(token: &str) -> String {
    ["stillpoint", token, ">"].join(".")
}

/// Every subject of the contract, with each service in place of a placeholder.
pub fn subjects() -> Vec<String> {
    let mut subjects = Vec::new();
    for (_, subject) in SUBJECTS {
        if subject.contains("{service}") {
            let names = services();
            let names = names.iter().map(ServiceDefinition::name);
            subjects.extend(names.map(|name| subject.replace("{service}", name)));
        } else {
            subjects.push(subject.replace("{event_name}", "page_view"));
        }
    }
    assert!(subjects.iter().all(|subject| !subject.contains('{')));
    subjects
}

pub fn covers(filter: &str, subject: &str) -> bool {
    let mut tokens = subject.split('.');
    for wanted in filter.split('.') {
        match (wanted, tokens.next()) {
            (">", Some(_)) => return true,
            ("*", Some(_)) => {}
            (_, Some(token)) if token == wanted => {}
            _ => return false,
        }
    }
    tokens.next().is_none()
}

pub fn any_covers(filters: &[String], subject: &str) -> bool {
    filters.iter().any(|filter| covers(filter, subject))
}

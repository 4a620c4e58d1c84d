//! One user of the event stream: what it may publish and what it may subscribe to.

use std::collections::BTreeSet;

use kit::bus::{DELETE_READERS, INBOX_PREFIX, STREAM};
use kit::consumer::ConsumerSpec;
use kit::run::Access;

/// The first token of all subjects.
const ROOT: &str = "stillpoint";
/// Consumers of a reader beside the one of its name.
const FURTHER_CONSUMERS: u8 = 3;

#[derive(Debug)]
pub struct User {
    pub name: String,
    pub publish: BTreeSet<String>,
    /// Beside the subjects that it reads, the inboxes that responses arrive in.
    pub subscribe: BTreeSet<String>,
}

impl User {
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            publish: BTreeSet::new(),
            subscribe: BTreeSet::from([format!("{INBOX_PREFIX}{name}.>")]),
        }
    }

    pub fn service(name: &str, access: &Access) -> Self {
        let mut user = Self::new(name);
        let owned = access.publishes.iter().map(|token| format!("{ROOT}.{token}.>"));
        user.publish.extend(owned);
        user.subscribe
            .extend(access.watches.iter().map(|filter| (*filter).to_owned()));
        user.may_call(&format!("STREAM.INFO.{STREAM}"));
        // Every service creates the stream unless it exists.
        user.may_call(&format!("STREAM.CREATE.{STREAM}"));
        for durable in access.consumers.iter().flat_map(ConsumerSpec::durables) {
            user.may_consume(&durable.name, durable.filter);
        }
        user
    }

    /// A reader of events outside of the services. Its consumers have fixed names: a user that may choose a name could change
    /// the consumer of another user.
    pub fn reader(name: &str, filters: &[String]) -> Self {
        let mut user = Self::new(name);
        user.may_call(&format!("STREAM.INFO.{STREAM}"));
        user.subscribe.extend(filters.iter().cloned());
        for consumer in consumers_of_reader(name) {
            for filter in filters {
                user.may_consume(&consumer, filter);
            }
            user.may_call(&format!("CONSUMER.DELETE.{STREAM}.{consumer}"));
        }
        user
    }

    /// All permissions of `other`, except for its inboxes.
    pub fn add_permissions_of(&mut self, other: &Self) {
        self.publish.extend(other.publish.iter().cloned());
        let read = other
            .subscribe
            .iter()
            .filter(|subject| !subject.starts_with(INBOX_PREFIX));
        self.subscribe.extend(read.cloned());
    }

    /// What `kit::bus::Bus::delete_matching` calls.
    pub fn delete_events(&mut self) {
        self.may_call(&format!("STREAM.MSG.DELETE.{STREAM}"));
        self.may_call(&format!("STREAM.MSG.GET.{STREAM}"));
        for reader in DELETE_READERS {
            for call in ["CREATE", "INFO", "MSG.NEXT", "DELETE"] {
                self.may_call(&format!("CONSUMER.{call}.{STREAM}.{reader}"));
            }
        }
    }

    /// What `kit::clock` calls to follow the virtual clock. The server chooses the names of its consumers.
    pub fn follow_clock(&mut self, bucket: &str) {
        let stream = format!("KV_{bucket}");
        self.may_call("INFO");
        self.may_call(&format!("STREAM.INFO.{stream}"));
        self.may_call(&format!("STREAM.CREATE.{stream}"));
        self.may_call(&format!("CONSUMER.CREATE.{stream}"));
        self.may_call(&format!("CONSUMER.CREATE.{stream}.>"));
        self.may_call(&format!("CONSUMER.INFO.{stream}.*"));
        self.may_call(&format!("CONSUMER.DELETE.{stream}.*"));
        // Responses to flow control.
        self.publish.insert(format!("$JS.FC.{stream}.>"));
    }

    pub fn move_clock(&mut self, bucket: &str) {
        self.publish.insert(format!("$KV.{bucket}.>"));
    }

    /// The filter is a part of the subject of the creation, so that the server checks it.
    fn may_consume(&mut self, consumer: &str, filter: &str) {
        self.may_call(&format!("CONSUMER.CREATE.{STREAM}.{consumer}.{filter}"));
        self.may_call(&format!("CONSUMER.INFO.{STREAM}.{consumer}"));
        self.may_call(&format!("CONSUMER.MSG.NEXT.{STREAM}.{consumer}"));
        self.publish.insert(format!("$JS.ACK.{STREAM}.{consumer}.>"));
    }

    fn may_call(&mut self, api: &str) {
        self.publish.insert(format!("$JS.API.{api}"));
    }
}

/// `bi`, `bi-1`, `bi-2` and `bi-3`.
pub fn consumers_of_reader(name: &str) -> Vec<String> {
    let further = (1..=FURTHER_CONSUMERS).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(further).collect()
}

//! Fault injection: the nth matching call gets an error, a delay or a cut connection; the nth matching webhook is
//! held, duplicated or reordered.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    #[serde(rename = "match")]
    pub target: Target,
    /// The first matching call that is affected, counted from 1.
    #[serde(default = "one")]
    pub nth: u32,
    /// How many calls in a row are affected; 0 means all later ones.
    #[serde(default = "one")]
    pub times: u32,
    pub action: Action,
}

const fn one() -> u32 {
    1
}

/// An absent field matches everything. `*` matches any run of characters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A webhook's event type, for the webhook actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Responds without executing the call. `stored` says whether Stripe stores the response under the
    /// idempotency key; by default it stores 5xx other than 503, as for a call whose execution had started.
    Error {
        status: u16,
        #[serde(default)]
        body: Option<Value>,
        #[serde(default)]
        stored: Option<bool>,
    },
    DelayBefore {
        ms: u64,
    },
    DropBefore {},
    DelayAfterCommit {
        ms: u64,
    },
    DropAfterCommit {},
    /// Held until the fault is removed, or for some virtual seconds.
    HoldWebhook {
        #[serde(default)]
        for_secs: Option<i64>,
    },
    DuplicateWebhook {
        #[serde(default = "one")]
        copies: u32,
    },
    /// Sent after the next webhook to the same endpoint, or after five virtual seconds.
    ReorderWebhook {},
}

impl Action {
    const fn is_for_webhooks(&self) -> bool {
        matches!(
            self,
            Self::HoldWebhook { .. } | Self::DuplicateWebhook { .. } | Self::ReorderWebhook {}
        )
    }
}

impl Fault {
    pub fn on(method: &str, path: &str, action: Action) -> Self {
        let target = Target {
            method: Some(method.into()),
            path: Some(path.into()),
            event: None,
        };
        Self {
            target,
            nth: 1,
            times: 1,
            action,
        }
    }

    pub fn on_event(event: &str, action: Action) -> Self {
        let target = Target {
            event: Some(event.into()),
            ..Target::default()
        };
        Self {
            target,
            nth: 1,
            times: 1,
            action,
        }
    }

    #[must_use]
    pub const fn nth(mut self, nth: u32) -> Self {
        self.nth = nth;
        self
    }

    #[must_use]
    pub const fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    const fn affects(&self, call: u32) -> bool {
        call >= self.nth && (self.times == 0 || call - self.nth < self.times)
    }
}

/// The result of a call that a fault prevents.
pub enum InjectedFailure {
    CutConnection,
    Error {
        status: u16,
        body: Option<Value>,
        stored: Option<bool>,
    },
}

/// Waits, and returns the failure that replaces the call.
pub async fn before(actions: &[Action]) -> Option<InjectedFailure> {
    for action in actions {
        match action {
            Action::DelayBefore { ms } => tokio::time::sleep(Duration::from_millis(*ms)).await,
            Action::DropBefore {} => return Some(InjectedFailure::CutConnection),
            Action::Error { status, body, stored } => {
                return Some(InjectedFailure::Error {
                    status: *status,
                    body: body.clone(),
                    stored: *stored,
                });
            }
            _ => {}
        }
    }
    None
}

/// Waits, and returns whether the response is lost.
pub async fn after(actions: &[Action]) -> bool {
    let mut is_lost = false;
    for action in actions {
        match action {
            Action::DelayAfterCommit { ms } => tokio::time::sleep(Duration::from_millis(*ms)).await,
            Action::DropAfterCommit {} => is_lost = true,
            _ => {}
        }
    }
    is_lost
}

/// An active fault and its counters.
#[derive(Clone, Debug, Serialize)]
pub struct ActiveFault {
    pub id: u64,
    #[serde(flatten)]
    pub fault: Fault,
    pub calls_matched: u32,
    pub calls_affected: u32,
}

#[derive(Default)]
pub struct Faults {
    list: Mutex<FaultList>,
}

#[derive(Default)]
struct FaultList {
    last_id: u64,
    faults: Vec<ActiveFault>,
}

impl Faults {
    pub fn add(&self, fault: Fault) -> u64 {
        let mut list = self.locked();
        list.last_id += 1;
        let id = list.last_id;
        list.faults.push(ActiveFault {
            id,
            fault,
            calls_matched: 0,
            calls_affected: 0,
        });
        id
    }

    pub fn list(&self) -> Vec<ActiveFault> {
        self.locked().faults.clone()
    }

    pub fn remove(&self, id: u64) -> bool {
        let mut list = self.locked();
        let before = list.faults.len();
        list.faults.retain(|active| active.id != id);
        list.faults.len() < before
    }

    /// Also releases every held webhook.
    pub fn clear(&self) {
        self.locked().faults.clear();
    }

    pub fn contains(&self, id: u64) -> bool {
        self.locked().faults.iter().any(|active| active.id == id)
    }

    /// Counts a request and returns the actions that apply to it.
    pub fn on_request(&self, method: &str, path: &str) -> Vec<Action> {
        self.matching(|fault| {
            let target = &fault.target;
            !fault.action.is_for_webhooks()
                && target
                    .method
                    .as_deref()
                    .is_none_or(|wanted| wanted.eq_ignore_ascii_case(method))
                && target.path.as_deref().is_none_or(|pattern| glob(pattern, path))
        })
        .into_iter()
        .map(|(_, action)| action)
        .collect()
    }

    /// Counts a webhook and returns the actions that apply to it, with the ids of their faults.
    pub fn on_webhook(&self, event: &str) -> Vec<(u64, Action)> {
        self.matching(|fault| {
            fault.action.is_for_webhooks()
                && fault
                    .target
                    .event
                    .as_deref()
                    .is_none_or(|pattern| glob(pattern, event))
        })
    }

    fn matching(&self, matches: impl Fn(&Fault) -> bool) -> Vec<(u64, Action)> {
        let mut actions = Vec::new();
        for active in &mut self.locked().faults {
            if !matches(&active.fault) {
                continue;
            }
            active.calls_matched += 1;
            if active.fault.affects(active.calls_matched) {
                active.calls_affected += 1;
                actions.push((active.id, active.fault.action.clone()));
            }
        }
        actions
    }

    fn locked(&self) -> MutexGuard<'_, FaultList> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `*` matches any run of characters, every other character itself.
pub fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_paths() {
        let cases = [
            ("/stripe/v1/subscriptions", "/stripe/v1/subscriptions", true),
            (
                "/stripe/v1/subscriptions",
                "/stripe/v1/subscriptions/sub_1",
                false,
            ),
            (
                "/stripe/v1/subscriptions*",
                "/stripe/v1/subscriptions/sub_1",
                true,
            ),
            ("*/confirm", "/stripe/v1/payment_intents/pi_1/confirm", true),
            (
                "*/payment_*/confirm",
                "/stripe/v1/payment_intents/pi_1/confirm",
                true,
            ),
            (
                "*/setup_*/confirm",
                "/stripe/v1/payment_intents/pi_1/confirm",
                false,
            ),
            ("*", "", true),
        ];
        for (pattern, path, expected) in cases {
            assert_eq!(glob(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn a_fault_affects_the_nth_call_and_those_after_it() {
        let faults = Faults::default();
        faults.add(
            Fault::on("POST", "/a", Action::DropAfterCommit {})
                .nth(2)
                .times(2),
        );
        let affected: Vec<bool> = (0..5)
            .map(|_| !faults.on_request("post", "/a").is_empty())
            .collect();
        assert_eq!(affected, [false, true, true, false, false]);
        assert_eq!(faults.list()[0].calls_matched, 5);
    }

    #[test]
    fn a_fault_is_read_from_json() {
        let fault: Fault = serde_json::from_str(
            r#"{"match":{"method":"POST","path":"/stripe/v1/subscriptions"},"action":{"type":"error","status":500}}"#,
        )
        .unwrap();
        let expected = Action::Error {
            status: 500,
            body: None,
            stored: None,
        };
        assert_eq!(fault, Fault::on("POST", "/stripe/v1/subscriptions", expected));
    }
}

//! A script of misfortunes: for the nth call that matches, answer an error, wait, drop the connection after the
//! work is done, or hold, repeat and swap webhooks.

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
    /// The first matching call it strikes, counted from 1.
    #[serde(default = "one")]
    pub nth: u32,
    /// How many calls in a row it strikes; 0 means every one from then on.
    #[serde(default = "one")]
    pub times: u32,
    pub action: Action,
}

const fn one() -> u32 {
    1
}

/// What is left out matches everything. `*` stands for any run of characters.
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
    /// Answers without doing the work. `kept` says whether the answer stays under the idempotency key;
    /// by default 5xx other than 503 do, as Stripe keeps the answers of work that had begun.
    Error {
        status: u16,
        #[serde(default)]
        body: Option<Value>,
        #[serde(default)]
        kept: Option<bool>,
    },
    DelayBefore {
        ms: u64,
    },
    DropBefore {},
    DelayAfterCommit {
        ms: u64,
    },
    DropAfterCommit {},
    /// Kept back until the fault is removed, or for some virtual seconds.
    HoldWebhook {
        #[serde(default)]
        for_secs: Option<i64>,
    },
    DuplicateWebhook {
        #[serde(default = "one")]
        copies: u32,
    },
    /// Sent after the next webhook to the same endpoint, or after five virtual seconds when none comes.
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

    const fn strikes(&self, call: u32) -> bool {
        call >= self.nth && (self.times == 0 || call - self.nth < self.times)
    }
}

/// What strikes a call instead of its work.
pub enum Misfortune {
    Cut,
    Error {
        status: u16,
        body: Option<Value>,
        kept: Option<bool>,
    },
}

/// Waits, and says what happens instead of the work.
pub async fn before(actions: &[Action]) -> Option<Misfortune> {
    for action in actions {
        match action {
            Action::DelayBefore { ms } => tokio::time::sleep(Duration::from_millis(*ms)).await,
            Action::DropBefore {} => return Some(Misfortune::Cut),
            Action::Error { status, body, kept } => {
                return Some(Misfortune::Error {
                    status: *status,
                    body: body.clone(),
                    kept: *kept,
                });
            }
            _ => {}
        }
    }
    None
}

/// Waits, and says whether the answer is lost on its way.
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

/// A fault in the script, with what has become of it.
#[derive(Clone, Debug, Serialize)]
pub struct Scripted {
    pub id: u64,
    #[serde(flatten)]
    pub fault: Fault,
    pub calls_seen: u32,
    pub calls_struck: u32,
}

#[derive(Default)]
pub struct Faults {
    script: Mutex<Script>,
}

#[derive(Default)]
struct Script {
    last_id: u64,
    faults: Vec<Scripted>,
}

impl Faults {
    pub fn add(&self, fault: Fault) -> u64 {
        let mut script = self.script();
        script.last_id += 1;
        let id = script.last_id;
        script.faults.push(Scripted {
            id,
            fault,
            calls_seen: 0,
            calls_struck: 0,
        });
        id
    }

    pub fn list(&self) -> Vec<Scripted> {
        self.script().faults.clone()
    }

    pub fn remove(&self, id: u64) -> bool {
        let mut script = self.script();
        let before = script.faults.len();
        script.faults.retain(|scripted| scripted.id != id);
        script.faults.len() < before
    }

    /// Also lets go every webhook that was held.
    pub fn clear(&self) {
        self.script().faults.clear();
    }

    pub fn holds(&self, id: u64) -> bool {
        self.script().faults.iter().any(|scripted| scripted.id == id)
    }

    /// Counts a request and says what strikes it.
    pub fn strike_request(&self, method: &str, path: &str) -> Vec<Action> {
        self.strike(|fault| {
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

    /// Counts a webhook and says what strikes it, with the id of the fault.
    pub fn strike_webhook(&self, event: &str) -> Vec<(u64, Action)> {
        self.strike(|fault| {
            fault.action.is_for_webhooks()
                && fault
                    .target
                    .event
                    .as_deref()
                    .is_none_or(|pattern| glob(pattern, event))
        })
    }

    fn strike(&self, matches: impl Fn(&Fault) -> bool) -> Vec<(u64, Action)> {
        let mut struck = Vec::new();
        for scripted in &mut self.script().faults {
            if !matches(&scripted.fault) {
                continue;
            }
            scripted.calls_seen += 1;
            if scripted.fault.strikes(scripted.calls_seen) {
                scripted.calls_struck += 1;
                struck.push((scripted.id, scripted.fault.action.clone()));
            }
        }
        struck
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `*` matches any run of characters, everything else itself.
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
    fn a_fault_strikes_the_nth_call_and_those_after_it() {
        let faults = Faults::default();
        faults.add(
            Fault::on("POST", "/a", Action::DropAfterCommit {})
                .nth(2)
                .times(2),
        );
        let struck: Vec<bool> = (0..5)
            .map(|_| !faults.strike_request("post", "/a").is_empty())
            .collect();
        assert_eq!(struck, [false, true, true, false, false]);
        assert_eq!(faults.list()[0].calls_seen, 5);
    }

    #[test]
    fn the_wire_form_is_readable() {
        let fault: Fault = serde_json::from_str(
            r#"{"match":{"method":"POST","path":"/stripe/v1/subscriptions"},"action":{"type":"error","status":500}}"#,
        )
        .unwrap();
        let expected = Action::Error {
            status: 500,
            body: None,
            kept: None,
        };
        assert_eq!(fault, Fault::on("POST", "/stripe/v1/subscriptions", expected));
    }
}

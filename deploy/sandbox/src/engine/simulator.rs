//! A simulator of a payment provider: its state, its timers on the virtual clock, and its webhooks to the merchant.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use super::{
    environment::Environment,
    http::{
        call::{Call, Reply},
        idempotency::{Begin, IdempotencyKeys, StoredResponse},
    },
    timers::Timers,
    webhooks::queue::{Delivery, NewDelivery, WebhookQueue},
};

/// A provider: its settings, and what differs from other providers.
pub trait Provider: Send + Sync + Sized + 'static {
    type State: ProviderState;
    /// The API call that causes events; a timer has the default.
    type Trigger: Default;

    /// Virtual seconds before each further attempt to deliver a webhook.
    const RETRY_DELAYS_SECS: &'static [i64];

    /// Called when the timer of this object is due.
    fn on_timer(ctx: &mut Context<'_, Self>, id: &str);

    /// The request that delivers a webhook; `None` if its event or its endpoint no longer exists.
    fn webhook_request(&self, state: &Self::State, delivery: &Delivery, now: i64) -> Option<WebhookRequest>;

    /// Applies the merchant's response and returns whether it acknowledges the webhook.
    fn on_webhook_response(
        _ctx: &mut Context<'_, Self>,
        _delivery: &Delivery,
        response: Option<&WebhookResponse>,
    ) -> bool {
        response.is_some_and(WebhookResponse::is_success)
    }
}

pub struct WebhookRequest {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

pub struct WebhookResponse {
    pub status: u16,
    pub body: Vec<u8>,
}

impl WebhookResponse {
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }
}

pub trait ProviderState: Send + 'static {
    fn runtime(&mut self) -> &mut Runtime;
}

/// The part of a provider's state that the engine works on.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Runtime {
    pub webhooks: WebhookQueue,
    pub timers: Timers,
    idempotency_keys: IdempotencyKeys,
    #[serde(skip)]
    revision: u64,
}

impl Runtime {
    /// Grows with every change; the snapshot is written when it has changed.
    pub const fn revision(&self) -> u64 {
        self.revision
    }
}

/// Exclusive access to the state for one API call or timer, at one moment.
pub struct Context<'a, P: Provider> {
    pub state: &'a mut P::State,
    pub now: i64,
    pub trigger: P::Trigger,
    pub provider: &'a P,
    environment: &'a Environment,
}

impl<P: Provider> Context<'_, P> {
    /// Replaces the object's timer; `None` removes it.
    pub fn set_timer(&mut self, id: &str, at: Option<i64>) {
        self.state.runtime().timers.set(id, at);
    }

    pub fn enqueue_webhook(&mut self, event: &str, event_type: &str, endpoint: &str) {
        let delivery = NewDelivery {
            event,
            event_type,
            endpoint,
            now: self.now,
        };
        let faults = &self.environment.faults;
        self.state.runtime().webhooks.enqueue(&delivery, faults);
    }

    /// Executes a call once per idempotency key and replays its response. A failed call releases the key.
    pub fn idempotent(
        &mut self,
        request: &IdempotentCall<'_>,
        work: impl FnOnce(&mut Self) -> Reply,
    ) -> Result<Reply, KeyReused> {
        let (key, now) = (request.key, self.now);
        let fingerprint = request.call.fingerprint();
        match self.keys().begin(key, &fingerprint, now, request.ttl_secs) {
            Begin::OtherRequest => return Err(KeyReused),
            Begin::Replay(stored) => {
                let reply = Reply::text(stored.status, "application/json", stored.body);
                return Ok(Reply {
                    is_replayed: true,
                    ..reply
                });
            }
            // The state is locked while a call is executed, so that no call is ever in progress here.
            Begin::Fresh | Begin::InProgress => {}
        }
        let reply = work(self);
        if reply.status < 400 {
            let response = StoredResponse {
                status: reply.status,
                body: reply.body.clone(),
                request_id: request.call.id.clone(),
            };
            self.keys().finish(key, response);
        } else {
            self.keys().release(key);
        }
        Ok(reply)
    }

    fn keys(&mut self) -> &mut IdempotencyKeys {
        &mut self.state.runtime().idempotency_keys
    }
}

/// A call with an idempotency key.
pub struct IdempotentCall<'a> {
    pub key: &'a str,
    pub call: &'a Call,
    pub ttl_secs: i64,
}

/// The key belongs to a call with other parameters.
pub struct KeyReused;

pub struct Simulator<P: Provider> {
    pub provider: P,
    pub environment: Arc<Environment>,
    state: Mutex<P::State>,
    /// Notified after every change, for the dispatcher.
    pub changed: Notify,
}

impl<P: Provider> Simulator<P> {
    /// Continues from a snapshot: open deliveries are sent again, and unfinished idempotency keys are free.
    pub fn new(provider: P, environment: Arc<Environment>, mut state: P::State) -> Self {
        let runtime = state.runtime();
        runtime.webhooks.recover();
        runtime.idempotency_keys.release_unfinished();
        Self {
            provider,
            environment,
            state: Mutex::new(state),
            changed: Notify::new(),
        }
    }

    /// Fires due timers, then does the given work.
    pub fn work<R>(&self, now: i64, work: impl FnOnce(&mut Context<'_, P>) -> R) -> R {
        self.work_for(now, P::Trigger::default(), work)
    }

    /// As [`Self::work`], for the API call that causes the events.
    pub fn work_for<R>(
        &self,
        now: i64,
        trigger: P::Trigger,
        work: impl FnOnce(&mut Context<'_, P>) -> R,
    ) -> R {
        let mut state = self.advanced_to(now);
        let result = work(&mut Context {
            state: &mut state,
            now,
            trigger,
            provider: &self.provider,
            environment: &self.environment,
        });
        state.runtime().revision += 1;
        drop(state);
        self.changed.notify_one();
        result
    }

    /// Changes the state without firing timers.
    pub fn update<R>(&self, change: impl FnOnce(&mut P::State) -> R) -> R {
        let mut state = self.state();
        let result = change(&mut state);
        state.runtime().revision += 1;
        result
    }

    /// Works on the idempotency keys apart from the call: see the Stripe simulator.
    pub fn with_keys<R>(&self, work: impl FnOnce(&mut IdempotencyKeys) -> R) -> R {
        self.update(|state| work(&mut state.runtime().idempotency_keys))
    }

    /// Fires due timers and wakes the dispatcher.
    pub fn catch_up(&self, now: i64) {
        self.work(now, |_| ());
    }

    pub fn state(&self) -> MutexGuard<'_, P::State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn deliveries(&self) -> Vec<Delivery> {
        self.state().runtime().webhooks.list().cloned().collect()
    }

    /// Fires due timers, then works on the webhook queue.
    pub fn with_webhooks<R>(&self, now: i64, work: impl FnOnce(&mut WebhookQueue) -> R) -> R {
        work(&mut self.advanced_to(now).runtime().webhooks)
    }

    /// When the next timer or delivery is due.
    pub fn next_due(&self) -> Option<i64> {
        let mut state = self.state();
        let runtime = state.runtime();
        let timer = runtime.timers.next_due();
        timer.into_iter().chain(runtime.webhooks.next_due()).min()
    }

    /// The state after every timer up to now, each fired at its own moment.
    fn advanced_to(&self, now: i64) -> MutexGuard<'_, P::State> {
        let mut state = self.state();
        while let Some((at, id)) = state.runtime().timers.first_due(now) {
            state.runtime().timers.set(&id, None);
            state.runtime().revision += 1;
            P::on_timer(
                &mut Context {
                    state: &mut state,
                    now: at,
                    trigger: P::Trigger::default(),
                    provider: &self.provider,
                    environment: &self.environment,
                },
                &id,
            );
            let next = state.runtime().timers.first_due(now);
            if next.is_some_and(|next| next == (at, id.clone())) {
                tracing::error!(id, at, "timer set to the same moment again; timer removed");
                state.runtime().timers.set(&id, None);
            }
        }
        state
    }
}

impl<P: Provider> AsRef<Environment> for Simulator<P> {
    fn as_ref(&self) -> &Environment {
        &self.environment
    }
}

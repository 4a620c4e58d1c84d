//! Open webhook deliveries in order of their due time, and the most recent closed ones.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::engine::faults::{Action, Faults};

const CLOSED_MAX: usize = 500;
const REORDER_SECS: i64 = 5;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Delivery {
    pub id: u64,
    pub event: String,
    pub event_type: String,
    pub endpoint: String,
    pub due: i64,
    pub attempts: u32,
    pub state: DeliveryState,
    /// The endpoint's last response: its status, or the network error.
    pub last_response: Option<String>,
}

impl Delivery {
    /// In flight, or to be sent by `now`.
    pub fn is_due(&self, now: i64) -> bool {
        match self.state {
            DeliveryState::InFlight => true,
            DeliveryState::Waiting | DeliveryState::Reordered => self.due <= now,
            DeliveryState::HeldBy(_) | DeliveryState::Delivered | DeliveryState::GivenUp => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    Waiting,
    InFlight,
    /// Until this fault is removed.
    HeldBy(u64),
    /// Sent after the next delivery to the same endpoint.
    Reordered,
    Delivered,
    GivenUp,
}

#[derive(Default, Serialize, Deserialize)]
pub struct WebhookQueue {
    last_id: u64,
    open: BTreeMap<u64, Delivery>,
    closed: VecDeque<Delivery>,
    #[serde(skip)]
    ready: BTreeSet<(i64, u64)>,
    /// Ids of held and reordered deliveries, so that a release does not scan all open ones.
    #[serde(skip)]
    held: BTreeSet<u64>,
    #[serde(skip)]
    open_by_event: HashMap<String, usize>,
}

/// One event for one endpoint.
pub struct NewDelivery<'a> {
    pub event: &'a str,
    pub event_type: &'a str,
    pub endpoint: &'a str,
    pub now: i64,
}

impl WebhookQueue {
    /// Adds a delivery; matching faults hold, delay, duplicate or reorder it.
    pub fn enqueue(&mut self, new: &NewDelivery<'_>, faults: &Faults) {
        let mut state = DeliveryState::Waiting;
        let mut delay_secs = 0;
        let mut copies = 1;
        for (fault, action) in faults.on_webhook(new.event_type) {
            match action {
                Action::HoldWebhook { for_secs: Some(secs) } => delay_secs = secs,
                Action::HoldWebhook { for_secs: None } => state = DeliveryState::HeldBy(fault),
                Action::DuplicateWebhook { copies: more } => copies += more,
                Action::ReorderWebhook {} => state = DeliveryState::Reordered,
                _ => {}
            }
        }
        for _ in 0..copies {
            self.add(new, state, delay_secs);
        }
    }

    fn add(&mut self, new: &NewDelivery<'_>, state: DeliveryState, delay_secs: i64) {
        self.last_id += 1;
        let delay_secs = if state == DeliveryState::Reordered {
            REORDER_SECS
        } else {
            delay_secs
        };
        let delivery = Delivery {
            id: self.last_id,
            event: new.event.to_owned(),
            event_type: new.event_type.to_owned(),
            endpoint: new.endpoint.to_owned(),
            due: new.now + delay_secs,
            attempts: 0,
            state,
            last_response: None,
        };
        if !matches!(state, DeliveryState::HeldBy(_)) {
            self.ready.insert((delivery.due, delivery.id));
        }
        if state != DeliveryState::Waiting {
            self.held.insert(delivery.id);
        }
        *self.open_by_event.entry(delivery.event.clone()).or_default() += 1;
        self.open.insert(delivery.id, delivery);
    }

    /// Takes due deliveries for sending, earliest first.
    pub fn take_due(&mut self, now: i64, limit: usize) -> Vec<Delivery> {
        let due: Vec<_> = self
            .ready
            .iter()
            .take_while(|(at, _)| *at <= now)
            .take(limit)
            .copied()
            .collect();
        let taken = due.into_iter().filter_map(|position| {
            self.ready.remove(&position);
            self.held.remove(&position.1);
            let delivery = self.open.get_mut(&position.1)?;
            delivery.state = DeliveryState::InFlight;
            delivery.attempts += 1;
            Some(delivery.clone())
        });
        taken.collect()
    }

    pub fn succeed(&mut self, id: u64, response: String, now: i64) {
        let Some(mut delivery) = self.open.remove(&id) else {
            return;
        };
        self.release_reordered(&delivery.endpoint, now);
        delivery.state = DeliveryState::Delivered;
        delivery.last_response = Some(response);
        self.close(delivery);
    }

    /// Schedules the next attempt after the delay at its index, in virtual seconds; after the last the delivery is given up.
    pub fn fail(&mut self, id: u64, response: String, now: i64, delays_secs: &[i64]) {
        let Some(mut delivery) = self.open.remove(&id) else {
            return;
        };
        delivery.last_response = Some(response);
        let attempts = usize::try_from(delivery.attempts).unwrap_or(usize::MAX);
        match delays_secs.get(attempts.saturating_sub(1)) {
            None => {
                delivery.state = DeliveryState::GivenUp;
                self.close(delivery);
            }
            Some(delay) => {
                delivery.state = DeliveryState::Waiting;
                delivery.due = now + delay;
                self.ready.insert((delivery.due, id));
                self.open.insert(id, delivery);
            }
        }
    }

    pub fn give_up(&mut self, id: u64, reason: String) {
        let Some(mut delivery) = self.open.remove(&id) else {
            return;
        };
        delivery.state = DeliveryState::GivenUp;
        delivery.last_response = Some(reason);
        self.close(delivery);
    }

    /// Makes deliveries due whose fault was removed.
    pub fn release(&mut self, now: i64, is_active: impl Fn(u64) -> bool) {
        self.make_due(
            now,
            |delivery| matches!(delivery.state, DeliveryState::HeldBy(fault) if !is_active(fault)),
        );
    }

    /// Drops the open deliveries to a deleted endpoint.
    pub fn remove_endpoint(&mut self, endpoint: &str) {
        self.open.retain(|_, delivery| delivery.endpoint != endpoint);
        self.index();
    }

    pub fn open_count(&self, event: &str) -> usize {
        self.open_by_event.get(event).copied().unwrap_or_default()
    }

    /// Open deliveries, then closed ones, newest first.
    pub fn list(&self) -> impl Iterator<Item = &Delivery> {
        self.open.values().chain(self.closed.iter().rev())
    }

    pub fn next_due(&self) -> Option<i64> {
        self.ready.first().map(|(at, _)| *at)
    }

    pub fn has_held(&self) -> bool {
        !self.held.is_empty()
    }

    /// After a restart no delivery is in flight, and the faults that held some are gone.
    pub fn recover(&mut self) {
        for delivery in self.open.values_mut() {
            delivery.state = DeliveryState::Waiting;
        }
        self.index();
    }

    fn index(&mut self) {
        self.ready.clear();
        self.held.clear();
        self.open_by_event.clear();
        for delivery in self.open.values() {
            if matches!(delivery.state, DeliveryState::Waiting | DeliveryState::Reordered) {
                self.ready.insert((delivery.due, delivery.id));
            }
            if matches!(
                delivery.state,
                DeliveryState::HeldBy(_) | DeliveryState::Reordered
            ) {
                self.held.insert(delivery.id);
            }
            *self.open_by_event.entry(delivery.event.clone()).or_default() += 1;
        }
    }

    fn release_reordered(&mut self, endpoint: &str, now: i64) {
        self.make_due(now, |delivery| {
            delivery.state == DeliveryState::Reordered && delivery.endpoint == endpoint
        });
    }

    fn make_due(&mut self, now: i64, chosen: impl Fn(&Delivery) -> bool) {
        for id in self.held.clone() {
            let Some(delivery) = self.open.get_mut(&id).filter(|delivery| chosen(delivery)) else {
                continue;
            };
            self.held.remove(&id);
            self.ready.remove(&(delivery.due, id));
            delivery.state = DeliveryState::Waiting;
            delivery.due = now;
            self.ready.insert((now, id));
        }
    }

    fn close(&mut self, delivery: Delivery) {
        if let Some(open) = self.open_by_event.get_mut(&delivery.event) {
            *open -= 1;
            if *open == 0 {
                self.open_by_event.remove(&delivery.event);
            }
        }
        self.closed.push_back(delivery);
        if self.closed.len() > CLOSED_MAX {
            self.closed.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivery(event: &str) -> NewDelivery<'_> {
        NewDelivery {
            event,
            event_type: "invoice.paid",
            endpoint: "we_1",
            now: 0,
        }
    }

    #[test]
    fn an_unacknowledged_webhook_is_retried_after_each_delay_and_then_given_up() {
        let mut queue = WebhookQueue::default();
        queue.add(&delivery("evt_1"), DeliveryState::Waiting, 0);
        let mut now = 0;
        let mut attempts = 0;
        while let Some((at, _)) = queue.ready.first().copied() {
            now = at;
            let taken = queue.take_due(now, 10);
            attempts += taken.len();
            queue.fail(taken[0].id, "503".into(), now, &[5, 60, 3_600]);
        }
        assert_eq!((attempts, now), (4, 3_665));
        assert_eq!(queue.list().next().unwrap().state, DeliveryState::GivenUp);
    }

    #[test]
    fn a_reordered_webhook_is_sent_after_the_next_one() {
        let mut queue = WebhookQueue::default();
        queue.add(&delivery("evt_1"), DeliveryState::Reordered, 0);
        queue.add(&delivery("evt_2"), DeliveryState::Waiting, 0);
        let first = queue.take_due(0, 10);
        assert_eq!(
            first
                .iter()
                .map(|delivery| delivery.event.as_str())
                .collect::<Vec<_>>(),
            ["evt_2"]
        );
        queue.succeed(first[0].id, "200".into(), 0);
        assert_eq!(queue.take_due(0, 10)[0].event, "evt_1");
    }

    #[test]
    fn a_held_webhook_is_due_once_its_fault_is_removed() {
        let mut queue = WebhookQueue::default();
        queue.add(&delivery("evt_1"), DeliveryState::HeldBy(7), 0);
        queue.release(1, |fault| fault == 7);
        assert!(queue.take_due(1_000_000, 10).is_empty());
        queue.release(2, |_| false);
        assert_eq!(queue.take_due(2, 10).len(), 1);
    }
}

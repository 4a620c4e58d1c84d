//! Webhook deliveries that wait for their time, and the last ones that were made.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::faults::{Action, Faults};

const DONE_KEPT: usize = 500;
const REORDER_SECS: i64 = 5;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Delivery {
    pub id: u64,
    pub event: String,
    pub event_type: String,
    pub endpoint: String,
    pub due: i64,
    pub attempts: u32,
    pub state: State,
    /// What the endpoint answered last: a status, or why there was none.
    pub last_answer: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Waiting,
    InFlight,
    HeldBy(u64),
    /// Waits for the next delivery to the same endpoint to go first.
    Overtaken,
    Delivered,
    GivenUp,
}

#[derive(Default, Serialize, Deserialize)]
pub struct Outbox {
    last_id: u64,
    open: BTreeMap<u64, Delivery>,
    done: VecDeque<Delivery>,
    #[serde(skip)]
    ready: BTreeSet<(i64, u64)>,
    /// Those held by a fault or waiting to be overtaken, so that the many others need not be looked at.
    #[serde(skip)]
    detained: BTreeSet<u64>,
    #[serde(skip)]
    open_by_event: HashMap<String, usize>,
}

/// What one event is to one endpoint.
pub struct Letter<'a> {
    pub event: &'a str,
    pub event_type: &'a str,
    pub endpoint: &'a str,
    pub now: i64,
}

impl Outbox {
    /// Adds a letter, with what the script of faults does to it.
    pub fn post(&mut self, letter: &Letter<'_>, faults: &Faults) {
        let mut state = State::Waiting;
        let mut delay_secs = 0;
        let mut copies = 1;
        for (fault, action) in faults.strike_webhook(letter.event_type) {
            match action {
                Action::HoldWebhook { for_secs: Some(secs) } => delay_secs = secs,
                Action::HoldWebhook { for_secs: None } => state = State::HeldBy(fault),
                Action::DuplicateWebhook { copies: more } => copies += more,
                Action::ReorderWebhook {} => state = State::Overtaken,
                _ => {}
            }
        }
        for _ in 0..copies {
            self.add(letter, state, delay_secs);
        }
    }

    fn add(&mut self, letter: &Letter<'_>, state: State, delay_secs: i64) {
        self.last_id += 1;
        let delay_secs = if state == State::Overtaken {
            REORDER_SECS
        } else {
            delay_secs
        };
        let delivery = Delivery {
            id: self.last_id,
            event: letter.event.to_owned(),
            event_type: letter.event_type.to_owned(),
            endpoint: letter.endpoint.to_owned(),
            due: letter.now + delay_secs,
            attempts: 0,
            state,
            last_answer: None,
        };
        if !matches!(state, State::HeldBy(_)) {
            self.ready.insert((delivery.due, delivery.id));
        }
        if state != State::Waiting {
            self.detained.insert(delivery.id);
        }
        *self.open_by_event.entry(delivery.event.clone()).or_default() += 1;
        self.open.insert(delivery.id, delivery);
    }

    /// Hands out what is due, earliest first.
    pub fn take_due(&mut self, now: i64, limit: usize) -> Vec<Delivery> {
        let due: Vec<_> = self
            .ready
            .iter()
            .take_while(|(at, _)| *at <= now)
            .take(limit)
            .copied()
            .collect();
        let taken = due.into_iter().filter_map(|place| {
            self.ready.remove(&place);
            self.detained.remove(&place.1);
            let delivery = self.open.get_mut(&place.1)?;
            delivery.state = State::InFlight;
            delivery.attempts += 1;
            Some(delivery.clone())
        });
        taken.collect()
    }

    pub fn succeed(&mut self, id: u64, answer: String, now: i64) {
        let Some(mut delivery) = self.open.remove(&id) else {
            return;
        };
        self.let_pass(&delivery.endpoint, now);
        delivery.state = State::Delivered;
        delivery.last_answer = Some(answer);
        self.close(delivery);
    }

    /// `waits` are the virtual seconds before each further try; after the last the letter is given up.
    pub fn fail(&mut self, id: u64, answer: String, now: i64, waits: &[i64]) {
        let Some(mut delivery) = self.open.remove(&id) else {
            return;
        };
        delivery.last_answer = Some(answer);
        let tries = usize::try_from(delivery.attempts).unwrap_or(usize::MAX);
        match waits.get(tries.saturating_sub(1)) {
            None => {
                delivery.state = State::GivenUp;
                self.close(delivery);
            }
            Some(wait) => {
                delivery.state = State::Waiting;
                delivery.due = now + wait;
                self.ready.insert((delivery.due, id));
                self.open.insert(id, delivery);
            }
        }
    }

    pub fn give_up(&mut self, id: u64, why: String) {
        let Some(mut delivery) = self.open.remove(&id) else {
            return;
        };
        delivery.state = State::GivenUp;
        delivery.last_answer = Some(why);
        self.close(delivery);
    }

    /// Lets go what a fault held that is no longer in the script.
    pub fn release(&mut self, now: i64, still_holds: impl Fn(u64) -> bool) {
        self.let_go(
            now,
            |delivery| matches!(delivery.state, State::HeldBy(fault) if !still_holds(fault)),
        );
    }

    /// Forgets what is addressed to an endpoint that is gone.
    pub fn drop_endpoint(&mut self, endpoint: &str) {
        self.open.retain(|_, delivery| delivery.endpoint != endpoint);
        self.index();
    }

    pub fn open_for(&self, event: &str) -> usize {
        self.open_by_event.get(event).copied().unwrap_or_default()
    }

    /// Open ones first, then the last that were made, newest first.
    pub fn list(&self) -> impl Iterator<Item = &Delivery> {
        self.open.values().chain(self.done.iter().rev())
    }

    pub fn next_due(&self) -> Option<i64> {
        self.ready.first().map(|(at, _)| *at)
    }

    pub fn has_held(&self) -> bool {
        !self.detained.is_empty()
    }

    /// After a restart nothing is in flight, and what held a webhook is gone.
    pub fn recover(&mut self) {
        for delivery in self.open.values_mut() {
            delivery.state = State::Waiting;
        }
        self.index();
    }

    fn index(&mut self) {
        self.ready.clear();
        self.detained.clear();
        self.open_by_event.clear();
        for delivery in self.open.values() {
            if matches!(delivery.state, State::Waiting | State::Overtaken) {
                self.ready.insert((delivery.due, delivery.id));
            }
            if matches!(delivery.state, State::HeldBy(_) | State::Overtaken) {
                self.detained.insert(delivery.id);
            }
            *self.open_by_event.entry(delivery.event.clone()).or_default() += 1;
        }
    }

    fn let_pass(&mut self, endpoint: &str, now: i64) {
        self.let_go(now, |delivery| {
            delivery.state == State::Overtaken && delivery.endpoint == endpoint
        });
    }

    fn let_go(&mut self, now: i64, chosen: impl Fn(&Delivery) -> bool) {
        for id in self.detained.clone() {
            let Some(delivery) = self.open.get_mut(&id).filter(|delivery| chosen(delivery)) else {
                continue;
            };
            self.detained.remove(&id);
            self.ready.remove(&(delivery.due, id));
            delivery.state = State::Waiting;
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
        self.done.push_back(delivery);
        if self.done.len() > DONE_KEPT {
            self.done.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(event: &str) -> Letter<'_> {
        Letter {
            event,
            event_type: "invoice.paid",
            endpoint: "we_1",
            now: 0,
        }
    }

    #[test]
    fn an_unheard_webhook_is_tried_as_often_as_there_are_waits_and_then_given_up() {
        let mut outbox = Outbox::default();
        outbox.add(&letter("evt_1"), State::Waiting, 0);
        let mut now = 0;
        let mut tries = 0;
        while let Some((at, _)) = outbox.ready.first().copied() {
            now = at;
            let taken = outbox.take_due(now, 10);
            tries += taken.len();
            outbox.fail(taken[0].id, "503".into(), now, &[5, 60, 3_600]);
        }
        assert_eq!((tries, now), (4, 3_665));
        assert_eq!(outbox.list().next().unwrap().state, State::GivenUp);
    }

    #[test]
    fn an_overtaken_webhook_goes_after_the_next_one() {
        let mut outbox = Outbox::default();
        outbox.add(&letter("evt_1"), State::Overtaken, 0);
        outbox.add(&letter("evt_2"), State::Waiting, 0);
        let first = outbox.take_due(0, 10);
        assert_eq!(
            first
                .iter()
                .map(|delivery| delivery.event.as_str())
                .collect::<Vec<_>>(),
            ["evt_2"]
        );
        outbox.succeed(first[0].id, "200".into(), 0);
        assert_eq!(outbox.take_due(0, 10)[0].event, "evt_1");
    }

    #[test]
    fn a_held_webhook_waits_for_its_fault_to_go() {
        let mut outbox = Outbox::default();
        outbox.add(&letter("evt_1"), State::HeldBy(7), 0);
        outbox.release(1, |fault| fault == 7);
        assert!(outbox.take_due(1_000_000, 10).is_empty());
        outbox.release(2, |_| false);
        assert_eq!(outbox.take_due(2, 10).len(), 1);
    }
}

//! Sends webhooks when their time comes, and again for as long as their provider tries.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use chrono::DateTime;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    outbox::{Delivery, Outbox},
    world::World,
};

const IN_FLIGHT_MAX: usize = 64;
const TIMEOUT: Duration = Duration::from_secs(10);
/// How often a held webhook is looked at: a fault is removed without a sound.
const HELD_POLL: Duration = Duration::from_millis(50);

/// A twin that sends webhooks.
pub trait Sender: Send + Sync + 'static {
    /// Virtual seconds before each further try.
    const WAITS: &'static [i64];

    fn changed(&self) -> &Notify;

    /// Does what the clock has brought, then works on what waits to be sent.
    fn outbox<R>(&self, now: i64, work: impl FnOnce(&mut Outbox) -> R) -> R;

    /// When the clock will bring something next.
    fn next_moment(&self) -> Option<i64>;

    /// What is sent; `None` when there is nothing left to send or nobody to send it to.
    fn letter(&self, delivery: &Delivery, now: i64) -> Option<Letter>;

    /// Takes in what the receiver answered, and says whether that was acceptance.
    fn heard(&self, delivery: &Delivery, answer: Option<&Answer>, now: i64) -> bool;
}

pub struct Letter {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Answer {
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }
}

/// Which twin a courier works for.
type Employer<S> = fn(&World) -> &S;

pub async fn run<S: Sender>(
    world: Arc<World>,
    employer: Employer<S>,
    client: reqwest::Client,
    shutdown: CancellationToken,
) {
    let in_flight = Arc::new(AtomicUsize::new(0));
    loop {
        let room = IN_FLIGHT_MAX.saturating_sub(in_flight.load(Ordering::SeqCst));
        for delivery in take_due(&world, employer(&world), room) {
            let (world, client, in_flight) = (world.clone(), client.clone(), in_flight.clone());
            in_flight.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                deliver(&world, employer(&world), &client, delivery).await;
                in_flight.fetch_sub(1, Ordering::SeqCst);
                employer(&world).changed().notify_one();
            });
        }
        let full = in_flight.load(Ordering::SeqCst) >= IN_FLIGHT_MAX;
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = employer(&world).changed().notified() => {}
            () = until_next(&world, employer(&world)), if !full => {}
        }
    }
}

fn take_due<S: Sender>(world: &World, sender: &S, room: usize) -> Vec<Delivery> {
    let now = world.clock.now().timestamp();
    sender.outbox(now, |outbox| {
        outbox.release(now, |fault| world.faults.holds(fault));
        outbox.take_due(now, room)
    })
}

/// Until something falls due on the virtual clock, or a held webhook may have been let go.
async fn until_next<S: Sender>(world: &World, sender: &S) {
    let held = sender.outbox(world.clock.now().timestamp(), |outbox| outbox.has_held());
    let next = sender.next_moment();
    let moment = async {
        match next.and_then(|at| DateTime::from_timestamp(at, 0)) {
            Some(at) => world.clock.sleep_until(at).await,
            None => std::future::pending().await,
        }
    };
    let poll = async {
        if held {
            tokio::time::sleep(HELD_POLL).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = moment => {}
        () = poll => {}
    }
}

async fn deliver<S: Sender>(world: &World, sender: &S, client: &reqwest::Client, delivery: Delivery) {
    let now = world.clock.now().timestamp();
    let Some(letter) = sender.letter(&delivery, now) else {
        let why = "the event or the endpoint is gone".to_owned();
        sender.outbox(now, |outbox| outbox.give_up(delivery.id, why));
        return;
    };
    let answered = send(client, letter).await;
    let now = world.clock.now().timestamp();
    let accepted = sender.heard(&delivery, answered.as_ref().ok(), now);
    let told = match answered {
        Ok(answer) => answer.status.to_string(),
        Err(error) => error.without_url().to_string(),
    };
    sender.outbox(now, |outbox| {
        if accepted {
            outbox.succeed(delivery.id, told, now);
        } else {
            outbox.fail(delivery.id, told, now, S::WAITS);
        }
    });
}

async fn send(client: &reqwest::Client, letter: Letter) -> reqwest::Result<Answer> {
    let mut request = client.post(letter.url).timeout(TIMEOUT).body(letter.body);
    for (name, value) in letter.headers {
        request = request.header(name, value);
    }
    let response = request.send().await?;
    Ok(Answer {
        status: response.status().as_u16(),
        body: response.bytes().await?.to_vec(),
    })
}

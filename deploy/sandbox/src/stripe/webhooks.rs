//! Sends webhooks when their time comes: signed with the virtual time, tried again for days.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use chrono::DateTime;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tokio_util::sync::CancellationToken;

use super::{kinds::Kind, outbox::Delivery, verbs::events};
use crate::world::World;

const IN_FLIGHT_MAX: usize = 64;
const TIMEOUT: Duration = Duration::from_secs(10);
/// How often a held webhook is looked at: a fault is removed without a sound.
const HELD_POLL: Duration = Duration::from_millis(50);

pub async fn run(world: Arc<World>, client: reqwest::Client, shutdown: CancellationToken) {
    let in_flight = Arc::new(AtomicUsize::new(0));
    loop {
        let room = IN_FLIGHT_MAX.saturating_sub(in_flight.load(Ordering::SeqCst));
        for delivery in take_due(&world, room) {
            let (world, client, in_flight) = (world.clone(), client.clone(), in_flight.clone());
            in_flight.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                deliver(&world, &client, delivery).await;
                in_flight.fetch_sub(1, Ordering::SeqCst);
                world.twin.changed.notify_one();
            });
        }
        let full = in_flight.load(Ordering::SeqCst) >= IN_FLIGHT_MAX;
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = world.twin.changed.notified() => {}
            () = until_next(&world), if !full => {}
        }
    }
}

fn take_due(world: &World, room: usize) -> Vec<Delivery> {
    let now = world.clock.now().timestamp();
    world.twin.bill(now);
    let mut books = world.twin.books();
    books.outbox.release(now, |fault| world.faults.holds(fault));
    books.outbox.take_due(now, room)
}

/// Until something falls due on the virtual clock, or a held webhook may have been let go.
async fn until_next(world: &World) {
    let (next, held) = {
        let books = world.twin.books();
        (books.next_moment(), books.outbox.has_held())
    };
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

async fn deliver(world: &World, client: &reqwest::Client, delivery: Delivery) {
    let Some((url, secret, body)) = letter(world, &delivery) else {
        world
            .twin
            .books()
            .outbox
            .give_up(delivery.id, "the event or the endpoint is gone".into());
        return;
    };
    let signature = sign(&secret, world.clock.now().timestamp(), &body);
    let sent = client
        .post(url)
        .timeout(TIMEOUT)
        .header("content-type", "application/json; charset=utf-8")
        .header("user-agent", "Stripe/1.0 (+https://stripe.com/docs/webhooks)")
        .header("stripe-signature", signature)
        .body(body)
        .send()
        .await;

    let now = world.clock.now().timestamp();
    let mut books = world.twin.books();
    match sent {
        Ok(response) if response.status().is_success() => {
            books
                .outbox
                .succeed(delivery.id, response.status().to_string(), now);
        }
        Ok(response) => books.outbox.fail(delivery.id, response.status().to_string(), now),
        Err(error) => books
            .outbox
            .fail(delivery.id, error.without_url().to_string(), now),
    }
    books.touch();
}

fn letter(world: &World, delivery: &Delivery) -> Option<(String, String, Vec<u8>)> {
    let books = world.twin.books();
    let endpoint = books.get(Kind::WebhookEndpoint, &delivery.endpoint)?;
    let event = events::unfolded(&books, &delivery.event)?;
    let url = endpoint["url"].as_str()?.to_owned();
    let secret = endpoint["_secret"].as_str()?.to_owned();
    Some((url, secret, serde_json::to_vec_pretty(&event).ok()?))
}

/// `t=…,v1=…` over the time and the raw body.
pub fn sign(secret: &str, now: i64, body: &[u8]) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return format!("t={now}");
    };
    mac.update(now.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    format!("t={now},v1={}", hex::encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_stripes() {
        // Computed apart: printf '1.{}' | openssl dgst -sha256 -hmac whsec_x
        let expected = "t=1,v1=36ee2f7498f0c1777d1312b2a7361947fe5ad31223be30d0c62421f4ca753401";
        assert_eq!(sign("whsec_x", 1, b"{}"), expected);
    }
}

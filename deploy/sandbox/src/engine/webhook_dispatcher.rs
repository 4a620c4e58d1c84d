//! Sends due webhooks, and retries them for as long as their provider does.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use chrono::DateTime;
use tokio_util::sync::CancellationToken;

use super::{
    simulator::{Provider, Simulator, WebhookRequest, WebhookResponse},
    webhooks::queue::Delivery,
};

const IN_FLIGHT_MAX: usize = 64;
const TIMEOUT: Duration = Duration::from_secs(10);
/// How often a held webhook is checked: the removal of its fault sends no notification.
const HELD_POLL: Duration = Duration::from_millis(50);

pub async fn run<P: Provider>(
    simulator: Arc<Simulator<P>>,
    client: reqwest::Client,
    shutdown: CancellationToken,
) {
    let in_flight = Arc::new(AtomicUsize::new(0));
    loop {
        let capacity = IN_FLIGHT_MAX.saturating_sub(in_flight.load(Ordering::SeqCst));
        for delivery in take_due(&simulator, capacity) {
            let (simulator, client, in_flight) = (simulator.clone(), client.clone(), in_flight.clone());
            in_flight.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                deliver(&simulator, &client, delivery).await;
                in_flight.fetch_sub(1, Ordering::SeqCst);
                simulator.changed.notify_one();
            });
        }
        let is_full = in_flight.load(Ordering::SeqCst) >= IN_FLIGHT_MAX;
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = simulator.changed.notified() => {}
            () = until_next(&simulator), if !is_full => {}
        }
    }
}

fn take_due<P: Provider>(simulator: &Simulator<P>, capacity: usize) -> Vec<Delivery> {
    let now = simulator.environment.now();
    simulator.with_webhooks(now, |webhooks| {
        webhooks.release(now, |fault| simulator.environment.faults.contains(fault));
        webhooks.take_due(now, capacity)
    })
}

/// Until something falls due on the virtual clock, or a held webhook may have been released.
async fn until_next<P: Provider>(simulator: &Simulator<P>) {
    let clock = &simulator.environment.clock;
    let has_held = simulator.with_webhooks(simulator.environment.now(), |webhooks| webhooks.has_held());
    let due = async {
        match simulator
            .next_due()
            .and_then(|at| DateTime::from_timestamp(at, 0))
        {
            Some(at) => clock.sleep_until(at).await,
            None => std::future::pending().await,
        }
    };
    let poll = async {
        if has_held {
            tokio::time::sleep(HELD_POLL).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = due => {}
        () = poll => {}
    }
}

async fn deliver<P: Provider>(simulator: &Simulator<P>, client: &reqwest::Client, delivery: Delivery) {
    let now = simulator.environment.now();
    let request = {
        let state = simulator.state();
        simulator.provider.webhook_request(&state, &delivery, now)
    };
    let Some(request) = request else {
        let reason = "the event or the endpoint no longer exists".to_owned();
        simulator.with_webhooks(now, |webhooks| webhooks.give_up(delivery.id, reason));
        return;
    };
    let response = send(client, request).await;
    let now = simulator.environment.now();
    let acknowledged = simulator.work(now, |ctx| {
        P::on_webhook_response(ctx, &delivery, response.as_ref().ok())
    });
    let result = match response {
        Ok(response) => response.status.to_string(),
        Err(error) => error.without_url().to_string(),
    };
    simulator.with_webhooks(now, |webhooks| {
        if acknowledged {
            webhooks.succeed(delivery.id, result, now);
        } else {
            webhooks.fail(delivery.id, result, now, P::RETRY_DELAYS_SECS);
        }
    });
}

async fn send(client: &reqwest::Client, webhook: WebhookRequest) -> reqwest::Result<WebhookResponse> {
    let mut request = client.post(webhook.url).timeout(TIMEOUT).body(webhook.body);
    for (name, value) in webhook.headers {
        request = request.header(name, value);
    }
    let response = request.send().await?;
    Ok(WebhookResponse {
        status: response.status().as_u16(),
        body: response.bytes().await?.to_vec(),
    })
}

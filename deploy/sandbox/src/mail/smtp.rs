//! Listens for mail.

use std::{sync::Arc, time::Duration};

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::session::Session;
use crate::world::World;

pub async fn serve(listener: TcpListener, world: Arc<World>, shutdown: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                let session = Session::new(stream, world.clone());
                let stop = shutdown.clone();
                tokio::spawn(async move { stop.run_until_cancelled(session.run()).await });
            }
            Err(error) => {
                tracing::warn!(%error, "could not accept a mail connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

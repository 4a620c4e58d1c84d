//! The SMTP listener.

use std::{sync::Arc, time::Duration};

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::smtp_session::Session;
use crate::mail::inbox::Inbox;

pub async fn serve(listener: TcpListener, inbox: Arc<Inbox>, shutdown: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                let session = Session::new(stream, inbox.clone());
                let stop = shutdown.clone();
                tokio::spawn(async move { stop.run_until_cancelled(session.run()).await });
            }
            Err(error) => {
                tracing::warn!(%error, "SMTP connection not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

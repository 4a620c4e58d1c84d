//! In-process notifications: a new chunk wakes the readers of the same reply in this process. The chunks themselves are read
//! from the database; readers in other processes poll it.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::domain::reply::ReplyId;

type SenderMap = HashMap<ReplyId, watch::Sender<()>>;

#[derive(Clone, Default)]
pub struct ReplyNotifiers(Arc<Mutex<SenderMap>>);

/// Notifies the readers of one reply, and once more when it is dropped.
pub struct ReplyNotifier {
    notifiers: ReplyNotifiers,
    reply_id: ReplyId,
}

impl ReplyNotifiers {
    pub fn register(&self, reply_id: ReplyId) -> ReplyNotifier {
        self.senders().insert(reply_id, watch::Sender::new(()));
        ReplyNotifier {
            notifiers: self.clone(),
            reply_id,
        }
    }

    /// Subscribe before reading the database, so that no change is missed in between. `None` if this process does not generate
    /// the reply.
    pub fn subscribe(&self, reply_id: ReplyId) -> Option<watch::Receiver<()>> {
        self.senders().get(&reply_id).map(watch::Sender::subscribe)
    }

    fn senders(&self) -> MutexGuard<'_, SenderMap> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReplyNotifier {
    pub fn notify(&self) {
        if let Some(sender) = self.notifiers.senders().get(&self.reply_id) {
            sender.send_replace(());
        }
    }
}

impl Drop for ReplyNotifier {
    fn drop(&mut self) {
        self.notifiers.senders().remove(&self.reply_id);
    }
}

//! Wakes those of this process who listen to a reply when it has gone on. What there is to hear is in the database, the
//! same for readers of other processes, who look there now and then.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::domain::reply::ReplyId;

type Table = HashMap<ReplyId, watch::Sender<()>>;

#[derive(Clone, Default)]
pub struct Bells(Arc<Mutex<Table>>);

/// Rings for one reply, and once more when it is dropped.
pub struct Bell {
    bells: Bells,
    reply_id: ReplyId,
}

impl Bells {
    pub fn hang(&self, reply_id: ReplyId) -> Bell {
        self.table().insert(reply_id, watch::Sender::new(()));
        Bell {
            bells: self.clone(),
            reply_id,
        }
    }

    /// To be taken before looking, so that nothing is missed in between. `None` when it is not written here.
    pub fn listen(&self, reply_id: ReplyId) -> Option<watch::Receiver<()>> {
        self.table().get(&reply_id).map(watch::Sender::subscribe)
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bell {
    pub fn ring(&self) {
        if let Some(sender) = self.bells.table().get(&self.reply_id) {
            sender.send_replace(());
        }
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        self.bells.table().remove(&self.reply_id);
    }
}

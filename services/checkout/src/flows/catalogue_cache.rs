//! The current catalogue in memory.

use std::sync::Arc;

use tokio::sync::{Mutex, watch};

use crate::domain::pricing::catalogue::Catalogue;
use crate::error::Result;

/// Replaced as a whole, never changed.
pub struct CatalogueCache {
    current: watch::Sender<Arc<Catalogue>>,
    /// Held from the start of a read until its result is stored.
    reload: Mutex<()>,
}

impl CatalogueCache {
    pub fn new(catalogue: Catalogue) -> Self {
        Self {
            current: watch::Sender::new(Arc::new(catalogue)),
            reload: Mutex::default(),
        }
    }

    pub fn get(&self) -> Arc<Catalogue> {
        Arc::clone(&self.current.borrow())
    }

    /// The current catalogue and each one that replaces it.
    pub fn follow(&self) -> watch::Receiver<Arc<Catalogue>> {
        self.current.subscribe()
    }

    /// Replaces the catalogue with the result of `read`. One read runs at a time, so an older state never replaces a newer one.
    pub async fn reload(&self, read: impl AsyncFnOnce() -> Result<Catalogue>) -> Result<()> {
        let _reload = self.reload.lock().await;
        self.current.send_replace(Arc::new(read().await?));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use kit::money::Currency;
    use tokio::sync::oneshot;

    use super::*;
    use crate::domain::pricing::catalogue::Rules;
    use crate::domain::pricing::currency_table::CurrencyTable;

    fn catalogue(default: &str) -> Catalogue {
        let rules = Rules {
            currencies: CurrencyTable {
                default: Currency::parse(default).unwrap(),
                by_language: HashMap::new(),
                by_country: HashMap::new(),
            },
            coupons: HashMap::new(),
            places: HashMap::new(),
            entries: HashSet::new(),
            bin_offers: Vec::new(),
        };
        Catalogue::new(Arc::new(rules), Vec::new())
    }

    fn default_of(cache: &CatalogueCache) -> &'static str {
        cache.get().rules().currencies.default.code()
    }

    #[tokio::test]
    async fn slow_read_does_not_replace_the_result_of_a_later_one() {
        let cache = CatalogueCache::new(catalogue("USD"));
        let followed = cache.follow();
        let (finish, finished) = oneshot::channel();
        let slow = cache.reload(async || {
            finished.await.unwrap();
            Ok(catalogue("EUR"))
        });
        let later = cache.reload(async || Ok(catalogue("TRY")));
        let finishing = async {
            tokio::task::yield_now().await;
            finish.send(()).unwrap();
        };
        let (slow, later, ()) = tokio::join!(slow, later, finishing);
        assert!(slow.is_ok() && later.is_ok());
        assert_eq!(default_of(&cache), "TRY");
        assert!(followed.has_changed().unwrap());
    }
}

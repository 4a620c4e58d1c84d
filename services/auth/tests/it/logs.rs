//! The log lines of one test. Its runtime has one thread, so all of them are written on that thread.
use std::cell::RefCell;
use std::io;
use std::sync::Once;

use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::SubscriberExt as _;

thread_local! {
    /// `None`: not captured.
    static LINES: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

static INSTALLED: Once = Once::new();

struct Writer;

impl io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LINES.with_borrow_mut(|lines| lines.get_or_insert_default().extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Captures the lines of this thread from now on.
pub fn capture() {
    INSTALLED.call_once(|| {
        let captured = tracing_subscriber::fmt::layer()
            .with_writer(|| Writer)
            .with_filter(dynamic_filter_fn(|_, _| is_captured()));
        // Global: a callsite that another test reaches first would otherwise be disabled.
        tracing::subscriber::set_global_default(tracing_subscriber::registry().with(captured)).unwrap();
    });
    LINES.set(Some(Vec::new()));
}

/// The lines captured so far.
pub fn captured() -> String {
    let lines = LINES.with_borrow(|lines| lines.clone().unwrap_or_default());
    String::from_utf8(lines).unwrap()
}

/// False as well while the thread ends.
fn is_captured() -> bool {
    LINES.try_with(|lines| lines.borrow().is_some()).unwrap_or(false)
}

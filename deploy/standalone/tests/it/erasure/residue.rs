//! Searches all storage for a text: every column of every table, every message of every stream, every value of
//! the cache, every log line.
use std::io;
use std::sync::{Mutex, Once, PoisonError};

use async_nats::jetstream::consumer::{AckPolicy, pull};
use futures::{StreamExt, TryStreamExt};
use sqlx::AssertSqlSafe;

use crate::test_env::TestEnv;

static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// All levels of our crates, the production level of libraries.
pub const FILTER: &str =
    "info,kit=trace,gateway=trace,content=trace,auth=trace,checkout=trace,sessions=trace,analytics=trace";

pub fn capture_logs() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let listening = tracing_subscriber::fmt()
            .json()
            .with_env_filter(FILTER)
            .with_writer(|| LogWriter);
        listening.try_init().unwrap();
    });
}

struct LogWriter;

impl io::Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        LOG.lock().unwrap_or_else(PoisonError::into_inner).extend(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All places of the text, ignoring case, also as bytes.
pub async fn find_text(env: &TestEnv, text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let mut places = in_tables(env, &text).await;
    places.extend(in_streams(env, &text).await);
    places.extend(in_cache(env, &text));
    places
}

/// Rows that contain the text.
pub async fn in_tables(env: &TestEnv, text: &str) -> Vec<String> {
    let tables: Vec<(String, String)> = sqlx::query_as(
        "select table_schema::text, table_name::text from information_schema.tables
         where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
         order by 1, 2",
    )
    .fetch_all(&env.pool)
    .await
    .unwrap();
    assert!(tables.len() > 40, "some tables are not searched: {tables:?}");
    let mut places = Vec::new();
    for (schema, table) in tables {
        // `bytea` is hexadecimal in the text of a row.
        let query = format!(
            "select t::text from \"{schema}\".\"{table}\" t
             where position($1 in lower(t::text)) > 0 or position($2 in t::text) > 0"
        );
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(query))
            .bind(text)
            .bind(hex::encode(text))
            .fetch_all(&env.pool)
            .await
            .unwrap();
        places.extend(rows.into_iter().map(|row| format!("{schema}.{table}: {row}")));
    }
    places
}

pub async fn in_streams(env: &TestEnv, text: &str) -> Vec<String> {
    let jetstream = async_nats::jetstream::new(env.stack.host.context().bus.client().clone());
    let names: Vec<String> = jetstream.stream_names().try_collect().await.unwrap();
    assert!(names.contains(&kit::bus::STREAM.to_owned()));
    let mut places = Vec::new();
    for name in names {
        let config = pull::Config {
            ack_policy: AckPolicy::None,
            memory_storage: true,
            ..Default::default()
        };
        let consumer = jetstream.create_consumer_on_stream(config, &name).await.unwrap();
        let mut left = consumer.cached_info().num_pending;
        let mut messages = consumer.messages().await.unwrap();
        while left > 0 {
            let message = messages.next().await.unwrap().unwrap();
            left = message.info().unwrap().pending;
            let payload = String::from_utf8_lossy(&message.payload).to_lowercase();
            let headers = format!("{:?}", message.headers).to_lowercase();
            if payload.contains(text) || headers.contains(text) || message.subject.contains(text) {
                places.push(format!("{name} {}: {payload}", message.subject));
            }
        }
    }
    places
}

fn in_cache(env: &TestEnv, text: &str) -> Vec<String> {
    let mut connection = redis::Client::open(env.redis.url())
        .unwrap()
        .get_connection()
        .unwrap();
    let keys: Vec<Vec<u8>> = redis::cmd("KEYS").arg("*").query(&mut connection).unwrap();
    let found = keys.into_iter().filter_map(|key| {
        let value: Vec<u8> = redis::cmd("DUMP")
            .arg(&key)
            .query(&mut connection)
            .unwrap_or_default();
        let both = [key.clone(), value].concat();
        let matches = String::from_utf8_lossy(&both).to_lowercase().contains(text);
        matches.then(|| format!("cache {}", String::from_utf8_lossy(&key)))
    });
    found.collect()
}

pub fn in_log(text: &str) -> Vec<String> {
    let log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    let log = String::from_utf8_lossy(&log);
    let lines = log.lines().filter(|line| line.to_lowercase().contains(text));
    lines.map(|line| format!("log {line}")).collect()
}

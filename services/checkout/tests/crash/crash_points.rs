//! Crash points: the nth call to a provider, or the nth commit.

use std::time::Duration;

use sandbox::Action;
use sqlx::PgPool;

use crate::fake_provider::FakeProvider;

/// Longer than it takes to kill a process that was seen to wait; by then the call is worked on all the same.
const ON_ITS_WAY_MS: u64 = 300;
/// By then what was on its way has arrived.
pub const ON_ITS_WAY: Duration = Duration::from_millis(ON_ITS_WAY_MS + 100);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashPoint {
    CallNeverArrives,
    CallArrivesLater,
    AnswerIsLost,
    BeforeCommit,
}

pub const CALLS: [CrashPoint; 3] = [
    CrashPoint::CallNeverArrives,
    CrashPoint::CallArrivesLater,
    CrashPoint::AnswerIsLost,
];

/// The minimum number of hits of each crash point in one sweep. Fewer mean that the sweep no longer covers the flow.
#[derive(Clone, Copy)]
pub struct MinimumHits {
    calls: u32,
    commits: u32,
}

impl MinimumHits {
    /// So many calls, in each of the three ways, and so many commits.
    pub const fn calls(calls: u32, commits: u32) -> Self {
        Self { calls, commits }
    }

    pub fn check(self, sweep: &str, point: CrashPoint, met: u32) {
        let minimum = match point {
            CrashPoint::BeforeCommit => self.commits,
            CrashPoint::CallNeverArrives | CrashPoint::CallArrivesLater | CrashPoint::AnswerIsLost => {
                self.calls
            }
        };
        eprintln!("{sweep} {point:?}: met {met} times");
        assert!(
            met >= minimum,
            "{sweep} {point:?}: met {met} times, not {minimum}"
        );
    }
}

/// Each transaction that writes anything but what a quote or a start writes is counted as it commits, and the chosen one waits.
const COUNT_COMMITS: &str = r"
    create sequence public.commits;
    create table public.chosen (nth bigint not null);
    create function public.count_commit() returns trigger language plpgsql as $$
    begin
        if current_setting('crash.counted', true) is distinct from pg_current_xact_id()::text then
            perform set_config('crash.counted', pg_current_xact_id()::text, true);
            if nextval('public.commits') = (select nth from public.chosen) then
                perform pg_sleep(60);
            end if;
        end if;
        return null;
    end $$;
    do $$
    declare
        watched text;
    begin
        for watched in
            select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = 'checkout' and c.relkind = 'r' and c.relname not in (
                'outbox', 'inbox', 'dead_letter', '_sqlx_migrations', 'campaign', 'price', 'coupon', 'campaign_file',
                'seed_import')
        loop
            execute format('create constraint trigger count_commit after insert or update on checkout.%I
                deferrable initially deferred for each row execute function public.count_commit()', watched);
        end loop;
    end $$;
";

pub struct CrashPoints {
    pool: PgPool,
    /// The calls that are counted.
    calls: &'static str,
}

impl CrashPoints {
    pub async fn of(pool: PgPool, calls: &'static str) -> Self {
        sqlx::raw_sql(COUNT_COMMITS).execute(&pool).await.unwrap();
        Self { pool, calls }
    }

    pub async fn choose(&self, fake_provider: &FakeProvider, point: CrashPoint, nth: u32) {
        let late = Action::DelayBefore { ms: ON_ITS_WAY_MS };
        let actions = match point {
            CrashPoint::CallNeverArrives => vec![late, Action::DropBefore {}],
            CrashPoint::CallArrivesLater => vec![late],
            CrashPoint::AnswerIsLost => vec![Action::DelayAfterCommit { ms: ON_ITS_WAY_MS }],
            CrashPoint::BeforeCommit => return self.choose_commit(nth).await,
        };
        fake_provider.inject_fault_nth(self.calls, nth, &actions);
    }

    async fn choose_commit(&self, nth: u32) {
        sqlx::query("insert into public.chosen (nth) values ($1)")
            .bind(i64::from(nth))
            .execute(&self.pool)
            .await
            .unwrap();
        // After it: a commit in the background must not be counted while none is chosen.
        sqlx::raw_sql("alter sequence public.commits restart")
            .execute(&self.pool)
            .await
            .unwrap();
    }

    pub async fn is_reached(&self, fake_provider: &FakeProvider, point: CrashPoint) -> bool {
        match point {
            CrashPoint::BeforeCommit => {
                let waits = "select count(*) from pg_stat_activity
                    where datname = current_database() and wait_event = 'PgSleep'";
                self.count(waits).await > 0
            }
            _ => fake_provider.is_fault_active(),
        }
    }

    pub async fn clear(&self, fake_provider: &FakeProvider, point: CrashPoint) {
        fake_provider.clear_faults();
        if matches!(point, CrashPoint::BeforeCommit) {
            sqlx::raw_sql("delete from public.chosen")
                .execute(&self.pool)
                .await
                .unwrap();
            // What a killed process had begun goes with it, though Postgres would first sleep to the end.
            let end = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                where datname = current_database() and wait_event = 'PgSleep'";
            self.count(end).await;
        }
    }

    pub async fn count(&self, query: &'static str) -> usize {
        let counted: i64 = sqlx::query_scalar(query).fetch_one(&self.pool).await.unwrap();
        usize::try_from(counted).unwrap()
    }
}

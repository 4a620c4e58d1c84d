-- Kit's tables. Every service's schema holds them, with a migration history of its own (`kit_migrations`).

-- Events to publish. Published rows stay for replay until the retention job deletes them.
create table outbox (
    -- Publication order within one key. A writer holds a lock on the key's entity; without it two transactions could
    -- commit their rows in the opposite order.
    seq           bigint generated always as identity primary key,
    id            uuid        not null unique,
    -- Events of one key are published in order: the id of the aggregate.
    key           text        not null,
    -- The whole CloudEvent, as published.
    event         jsonb       not null,
    created_at    timestamptz not null,
    published_at  timestamptz,
    attempts      integer     not null default 0,
    -- Real time, not the virtual clock. The relay skips the row until then: after the stream rejected it.
    claimed_until timestamptz not null default '-infinity',
    last_error    text
);

create index outbox_waiting on outbox (key, seq) where published_at is null;
-- The planner's statistics do not reflect the few unpublished rows. `attempts >= 0` (always true) makes this index match
-- only the relay's ordered query, so the planner does not use it for the lookup by key.
create index outbox_waiting_order on outbox (seq) where published_at is null and attempts >= 0;
create index outbox_published on outbox (published_at) where published_at is not null;
create index outbox_created on outbox (created_at);

-- Applied events. The row commits with the event's effect, so each event is applied once.
create table inbox (
    consumer   text        not null,
    event_id   text        not null,
    -- Real time, for retention only.
    applied_at timestamptz not null default now(),
    primary key (consumer, event_id)
);

create index inbox_applied on inbox (applied_at);

-- Events that a consumer gave up on.
create table dead_letter (
    consumer        text        not null,
    event_id        text        not null,
    subject         text        not null,
    -- As received; it may not be valid JSON.
    payload         text        not null,
    reason          text        not null,
    attempts        bigint      not null,
    failed_at       timestamptz not null,
    retry_requested boolean     not null default false,
    primary key (consumer, event_id)
);

-- One row per idempotency key: the stored response, or a lease while the request runs.
create table idempotency (
    -- Caller and operation. The same key in two scopes is unrelated.
    scope       text        not null,
    key         text        not null,
    -- SHA-256 of the request. The same key with another request is rejected.
    fingerprint bytea       not null check (length(fingerprint) = 32),
    -- Null while the request runs.
    response    bytea,
    -- After this time another request may take over.
    lease_until timestamptz not null,
    created_at  timestamptz not null,
    -- Real time, for retention only.
    stored_at   timestamptz not null default now(),
    primary key (scope, key)
);

create index idempotency_stored on idempotency (stored_at);

-- Erasures that this service has accepted and not yet reported.
create table erasure_job (
    erasure_id      text primary key,
    user_id         text        not null,
    -- All services that erase. The one that closes the erasure waits for the others' reports.
    services        text[]      not null,
    attempts        integer     not null default 0,
    -- Real time, not the virtual clock: the end of the lease, or of the pause after a failure.
    next_attempt_at timestamptz not null default now()
);

create index erasure_job_next_idx on erasure_job (next_attempt_at);

-- Identifiers of erased members. A late write for one of them is rejected.
create table erasure_tombstone (
    -- SHA-256 of a random id: it identifies no person.
    identifier_hash bytea       primary key check (length(identifier_hash) = 32),
    erased_at       timestamptz not null
);

-- Whether one of the identifiers is tombstoned. The shared locks keep the answer true until the transaction ends. The
-- select is a statement of its own, so it sees what was committed while this transaction waited for a lock.
create function is_tombstoned(lock_keys bigint[], hashes bytea[]) returns boolean language plpgsql as $$
begin
    perform pg_advisory_xact_lock_shared(key) from unnest(lock_keys) as key;
    return exists (select from erasure_tombstone where identifier_hash = any(hashes));
end $$;

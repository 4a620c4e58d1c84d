-- One row per use of an idempotency key: the answer to give again, or who is at work on it.
create table idempotency (
    -- Who and what: actor and verb. The same key of two people has nothing to do with each other.
    scope       text        not null,
    key         text        not null,
    -- SHA-256 of the request: the same key with another body is a mistake.
    fingerprint bytea       not null check (length(fingerprint) = 32),
    -- Null while the work is not finished.
    response    bytea,
    -- A holder that has not finished by then is taken for dead.
    lease_until timestamptz not null,
    created_at  timestamptz not null,
    -- Real time, for throwing away.
    stored_at   timestamptz not null default now(),
    primary key (scope, key)
);

create index idempotency_stored on idempotency (stored_at);

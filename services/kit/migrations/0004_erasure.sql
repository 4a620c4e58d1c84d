-- Erasures that this service has been asked for and has not reported yet.
create table erasure_job (
    erasure_id      text primary key,
    user_id         text        not null,
    -- Who else erases. Whoever must be last waits for their reports.
    services        text[]      not null,
    attempts        integer     not null default 0,
    -- Real time, not the virtual clock: until then somebody is at it, or it waits after a failure.
    next_attempt_at timestamptz not null default now()
);

create index erasure_job_next_idx on erasure_job (next_attempt_at);

-- What an erased person was known by, so that nothing that comes late brings them back.
create table erased_mark (
    -- SHA-256 of a random id: it answers whether an id is one of these, and names nobody.
    mark_hash bytea       primary key check (length(mark_hash) = 32),
    erased_at timestamptz not null
);

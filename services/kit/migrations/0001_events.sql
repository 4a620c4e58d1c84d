-- Events that were committed and are to be published; kept for replay after they were.
create table outbox (
    -- The order in which they are published within one key. Rows of one key must be written under a lock on what the
    -- key stands for, or two transactions could commit them in the other order.
    seq           bigint generated always as identity primary key,
    id            uuid        not null unique,
    -- Whatever must stay in order: the aggregate's id.
    key           text        not null,
    -- The whole CloudEvent, as it goes on the stream.
    event         jsonb       not null,
    created_at    timestamptz not null,
    published_at  timestamptz,
    attempts      integer     not null default 0,
    -- Real time, not the virtual clock: until then another relay is at it, or it waits after a refusal.
    claimed_until timestamptz not null default '-infinity',
    last_error    text
);

create index outbox_waiting on outbox (key, seq) where published_at is null;
create index outbox_published on outbox (published_at) where published_at is not null;
create index outbox_created on outbox (created_at);

-- What a consumer has applied: an event's row and its effect commit together, so it is applied once.
create table inbox (
    consumer   text        not null,
    event_id   text        not null,
    -- Real time: only for throwing away what is older than anything that can still be delivered.
    applied_at timestamptz not null default now(),
    primary key (consumer, event_id)
);

create index inbox_applied on inbox (applied_at);

-- Events that a consumer gave up on.
create table dead_letter (
    consumer        text        not null,
    event_id        text        not null,
    subject         text        not null,
    -- As it came from the stream: it may be what could not be read.
    payload         text        not null,
    reason          text        not null,
    attempts        bigint      not null,
    failed_at       timestamptz not null,
    retry_requested boolean     not null default false,
    primary key (consumer, event_id)
);

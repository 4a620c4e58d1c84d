-- Webhook events as received: evidence, the guard against applying an event twice, and the queue of their processing.
create table webhook_event (
    provider             text        not null,
    event_id             text        not null,
    kind                 text        not null,
    -- Empty: the member it concerns is erased.
    body                 bytea       not null,
    -- The customer it concerns, as the provider names them. Used by the erasure.
    provider_customer_id text,
    -- The object it concerns, as the provider names it: a subscription, a payment, a refund.
    provider_object_id   text,
    -- When processing is due. Null: processed, or dead-lettered.
    next_attempt_at      timestamptz,
    attempts             integer     not null default 0,
    last_error           text,
    -- When processing was given up. `replay-webhook` retries it.
    dead_lettered_at     timestamptz,
    received_at          timestamptz not null,
    primary key (provider, event_id)
);
create index webhook_event_received_idx on webhook_event (received_at);
create index webhook_event_customer_idx on webhook_event (provider_customer_id) where provider_customer_id is not null;
create index webhook_event_object_idx on webhook_event (provider_object_id) where provider_object_id is not null;
create index webhook_event_due_idx on webhook_event (next_attempt_at) where next_attempt_at is not null;
create index webhook_event_dead_lettered_idx on webhook_event (dead_lettered_at) where dead_lettered_at is not null;

-- Texts that a model writes. The question is not kept; the reply is, for as long as somebody may come back for its rest.
create table ai_reply (
    reply_id uuid primary key,
    -- The caller's; null where it sent none. Who knows it may hear the reply.
    idempotency_key text unique,
    -- SHA-256 over question, language and type: the same key with another question is refused.
    fingerprint bytea not null,
    text_type text not null,
    lang text not null,
    state text not null check (state in ('writing', 'finished', 'failed')),
    -- Why it failed.
    failure text,
    -- By the database's clock, not the virtual one: it says whether the process that writes is alive.
    lease_until timestamptz not null,
    created_at timestamptz not null,
    constraint ai_reply_failure_check check ((state = 'failed') = (failure is not null))
);

create index ai_reply_writing_idx on ai_reply (lease_until) where state = 'writing';
create index ai_reply_created_idx on ai_reply (created_at);

-- The text in the pieces it came in: the reply is all of them in order, for every reader alike.
create table ai_piece (
    reply_id uuid not null references ai_reply on delete cascade,
    -- From 1, without gaps.
    number integer not null,
    text text not null,
    primary key (reply_id, number)
);

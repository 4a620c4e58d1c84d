-- AI texts. The question is never stored; the reply is stored until it is purged (SESSIONS_AI_TEXT_RETENTION_SECS).
create table ai_reply (
    reply_id uuid primary key,
    -- Sent by the caller; null if it sent none. It authorises reading the reply.
    idempotency_key text unique,
    -- SHA-256 of question, language and type: the same key with another question is rejected.
    fingerprint bytea not null,
    text_type text not null,
    lang text not null,
    state text not null check (state in ('writing', 'finished', 'failed')),
    -- Code of the failure, such as AI_BUSY.
    failure text,
    -- By the database's clock, not the virtual one: an expired lease means that the writing process is dead.
    lease_until timestamptz not null,
    created_at timestamptz not null,
    -- Country of the requester, for the event `ai_text.finished`; empty if unknown.
    country text not null default '',
    constraint ai_reply_failure_check check ((state = 'failed') = (failure is not null))
);

create index ai_reply_writing_idx on ai_reply (lease_until) where state = 'writing';
create index ai_reply_created_idx on ai_reply (created_at);

-- The reply's text in chunks: the text is all chunks in the order of their numbers.
create table ai_reply_chunk (
    reply_id uuid not null references ai_reply on delete cascade,
    -- From 1, without gaps.
    number integer not null,
    text text not null,
    primary key (reply_id, number)
);

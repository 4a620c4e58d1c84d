-- Accounts that were deleted, and how far everybody is with it: the receipt. Once it is finished, nothing here is anybody's.
create table erasure (
    erasure_id uuid primary key,
    -- SHA-256 of the session token it was asked for with: who repeats the request hears the same.
    asked_with bytea not null constraint erasure_asked_with_key unique,
    -- Where the last mail goes, and in which language; null once it is written.
    recipient text,
    lang text,
    requested_at timestamptz not null,
    finished_at timestamptz,
    constraint erasure_recipient_check check ((recipient is null) = (finished_at is not null))
);

create table erasure_report (
    erasure_id uuid not null references erasure (erasure_id) on delete cascade,
    service text not null,
    -- Null: not done.
    erased_at timestamptz,
    -- What the law makes the service keep, by its code.
    kept text[] not null default '{}',
    primary key (erasure_id, service)
);

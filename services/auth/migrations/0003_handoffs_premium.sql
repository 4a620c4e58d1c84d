-- Tokens that carry somebody who is signed in to another place: short, and good once.
create table handoff_token (
    -- SHA-256 of the token.
    token_hash bytea primary key,
    user_id uuid not null references account (user_id) on delete cascade,
    -- autologin, chat, survey or therapy
    purpose text not null,
    expires_at timestamptz not null,
    -- Kept a while after its use: a token that was used is told from one that never was.
    used_at timestamptz
);

create index handoff_token_user_id_idx on handoff_token (user_id);
create index handoff_token_expires_at_idx on handoff_token (expires_at);

-- Premium for a short time, for those who paid for a partner's app and are on their way there.
create table temporary_premium (
    user_id uuid primary key references account (user_id) on delete cascade,
    -- The latest purchase that checkout told of. Null: none yet.
    paid_at timestamptz,
    -- Null: not asked for, or not since the grant.
    asked_at timestamptz,
    granted_at timestamptz,
    premium_until timestamptz
);

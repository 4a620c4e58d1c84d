alter table session
    -- Such as `Chrome` and `Android`: enough to know one's own devices again, too little to follow anybody.
    add column browser text not null default '',
    add column system text not null default '',
    -- By the hour. Null: not since it was opened.
    add column last_seen_at timestamptz,
    -- When its token was last to be replaced. Null: not yet.
    add column rotated_at timestamptz;

-- Tokens of a session besides the one in session.token_hash.
create table session_token (
    token_hash bytea primary key,
    session_id uuid not null references session (session_id) on delete cascade,
    -- Null: given out and not used so far. Its first use makes it the session's own and puts the former one here.
    retired_at timestamptz
);

create index session_token_session_id_idx on session_token (session_id);
create index session_token_retired_at_idx on session_token (retired_at);

comment on column sign_in_attempt.account_key is 'HMAC of what is throttled: an e-mail, a network, a device, or an e-mail that asked for a link';

-- Links that are mailed, each good for one use. The token is an HMAC of link_id: neither this table nor mail_outbox opens one.
create table account_link (
    link_id uuid primary key,
    -- SHA-256 of the token.
    token_hash bytea not null constraint account_link_token_hash_key unique,
    -- Null: asked for with an address that nobody has. The row is there because the work must be the same.
    user_id uuid references account (user_id) on delete cascade,
    expires_at timestamptz not null
);

create index account_link_user_id_idx on account_link (user_id);
create index account_link_expires_at_idx on account_link (expires_at);

-- Mails to be sent, written in the transaction of what they tell.
create table mail_outbox (
    mail_id uuid primary key,
    -- reset_password, set_password, password_changed or email_changed
    template text not null,
    lang text not null,
    -- Null: a link for an address that nobody has; never sent.
    user_id uuid references account (user_id) on delete cascade,
    -- The address a person had before; null: the one they have when the mail is sent.
    former_email text,
    -- A used link takes its unsent mail with it.
    link_id uuid references account_link (link_id) on delete cascade,
    created_at timestamptz not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null
);

create index mail_outbox_next_attempt_at_idx on mail_outbox (next_attempt_at) where user_id is not null;
create index mail_outbox_created_at_idx on mail_outbox (created_at);

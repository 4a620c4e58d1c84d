create table account (
    user_id uuid primary key,
    full_name text not null,
    -- Normalised (trimmed, NFC, lower case): one mailbox is one account. The index, not a look-up, decides who was first.
    email text not null constraint account_email_key unique,
    -- argon2id as a PHC string, which carries its own parameters. Null: this person has no password.
    password_hash text,
    lang text,
    country text,
    is_coaching_user boolean not null default false,
    is_therapy_user boolean not null default false,
    created_at timestamptz not null
);

create table session (
    session_id uuid primary key,
    -- SHA-256 of the token: whoever reads this table cannot sign in with it.
    token_hash bytea not null constraint session_token_hash_key unique,
    user_id uuid not null references account (user_id) on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
);

create index session_user_id_idx on session (user_id);
create index session_expires_at_idx on session (expires_at);

-- Sign-in attempts since the last success, one fixed window per account; rows exist for unknown e-mails too.
create table sign_in_attempt (
    -- HMAC of the e-mail: a guess against an address nobody has leaves no address behind.
    account_key bytea primary key,
    attempts integer not null,
    window_ends_at timestamptz not null
);

create index sign_in_attempt_window_ends_at_idx on sign_in_attempt (window_ends_at);

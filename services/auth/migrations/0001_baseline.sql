-- Accounts, their credentials and sessions, mails to send, throttles, erasures.

create table account (
    user_id uuid primary key,
    full_name text not null,
    -- Normalised (trimmed, NFC, lower case). The index decides which of two concurrent sign-ups wins.
    email text not null constraint account_email_key unique,
    -- argon2id as a PHC string with its own parameters. Null: the account has no password.
    password_hash text,
    lang text,
    country text,
    is_coaching_user boolean not null default false,
    is_therapy_user boolean not null default false,
    created_at timestamptz not null,
    -- When a mailed link or a provider proved the present address. Null: unproven.
    email_proven_at timestamptz,
    is_premium_user boolean not null default false
);

create table session (
    session_id uuid primary key,
    -- SHA-256 of the token; the table opens no session.
    token_hash bytea not null constraint session_token_hash_key unique,
    user_id uuid not null references account (user_id) on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- Family only, such as `Chrome` and `Android`.
    browser text not null default '',
    system text not null default '',
    -- To the hour. Null: not used since it was opened.
    last_seen_at timestamptz,
    -- When the next token was last issued. Null: never.
    rotated_at timestamptz,
    -- When the member last authenticated for this session: at sign-in or by a step-up. Null: a handoff token opened it.
    authenticated_at timestamptz,
    -- When the second factor verified this session. Null: never.
    second_factor_at timestamptz
);

create index session_user_id_idx on session (user_id);
create index session_expires_at_idx on session (expires_at);

-- Secondary tokens of a session: the next one and retired ones.
create table session_token (
    token_hash bytea primary key,
    session_id uuid not null references session (session_id) on delete cascade,
    -- Null: issued and unused. Its first use moves it to session.token_hash and retires the former token here.
    retired_at timestamptz
);

create index session_token_session_id_idx on session_token (session_id);
create index session_token_retired_at_idx on session_token (retired_at);

-- Attempt counters, one fixed window each; rows exist for unknown addresses too.
create table sign_in_attempt (
    -- HMAC of the throttled source: network, device, address with network, address, member, or address that requested a link.
    throttle_key bytea primary key,
    attempts integer not null,
    window_ends_at timestamptz not null,
    -- HMAC of the attacked address; a password reset clears these rows. Null: a network.
    account_key bytea
);

create index sign_in_attempt_window_ends_at_idx on sign_in_attempt (window_ends_at);
create index sign_in_attempt_account_key_idx on sign_in_attempt (account_key) where account_key is not null;

-- Mailed links, each valid for one use. The token is an HMAC of link_id, so neither this table nor mail_outbox opens one.
create table account_link (
    link_id uuid primary key,
    -- SHA-256 of the token.
    token_hash bytea not null constraint account_link_token_hash_key unique,
    -- Null: requested for an address without an account; the row equalises the work.
    user_id uuid references account (user_id) on delete cascade,
    expires_at timestamptz not null,
    -- The address this link confirms.
    new_email text,
    -- The address this link restores. No other account can take it while the link is valid.
    former_email text,
    -- The session this link ends. No foreign key: the mail is sent even if the session has ended meanwhile.
    ends_session uuid,
    constraint account_link_kind_check check (num_nonnulls(new_email, former_email, ends_session) <= 1)
);

create index account_link_user_id_idx on account_link (user_id);
create index account_link_expires_at_idx on account_link (expires_at);
create index account_link_former_email_idx on account_link (former_email) where former_email is not null;

-- Mails to send, inserted in the transaction that causes them.
create table mail_outbox (
    mail_id uuid primary key,
    -- Names: src/domain/mail.rs.
    template text not null,
    lang text not null,
    -- Null without former_email, withdrawal_id and guest_order_id: never sent, equalises the work for unknown addresses.
    user_id uuid references account (user_id) on delete cascade,
    -- Recipient instead of the account's present address; the only one after an erasure.
    former_email text,
    -- Using the link deletes its unsent mail.
    link_id uuid references account_link (link_id) on delete cascade,
    created_at timestamptz not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    amount_minor bigint,
    currency text,
    -- The time the mail names: first charge after a trial, end of access, or sign-in.
    moment timestamptz,
    -- Of a sign-in: browser and system family, and ISO 3166 alpha-2 code. Null: unknown.
    device text,
    country text,
    -- Ids of checkout; recipient and content are fetched from checkout when the mail is sent.
    withdrawal_id text,
    guest_order_id text,
    constraint mail_outbox_amount_check check ((amount_minor is null) = (currency is null))
);

create index mail_outbox_created_at_idx on mail_outbox (created_at);
create index mail_outbox_due_idx on mail_outbox (next_attempt_at)
    where user_id is not null or former_email is not null or withdrawal_id is not null or guest_order_id is not null;

-- Single-use tokens that sign a member in on another site.
create table handoff_token (
    -- SHA-256 of the token.
    token_hash bytea primary key,
    user_id uuid not null references account (user_id) on delete cascade,
    -- autologin, chat, survey or therapy
    purpose text not null,
    expires_at timestamptz not null,
    -- Retained for a day after use, so that "used" and "unknown" differ.
    used_at timestamptz
);

create index handoff_token_user_id_idx on handoff_token (user_id);
create index handoff_token_expires_at_idx on handoff_token (expires_at);

-- Short premium after a payment for a partner's app.
create table temporary_premium (
    user_id uuid primary key references account (user_id) on delete cascade,
    -- Latest purchase reported by checkout. Null: none.
    paid_at timestamptz,
    -- Latest request of the browser. Null: none.
    requested_at timestamptz,
    granted_at timestamptz,
    premium_until timestamptz
);

-- Keys that sign access tokens. Each is public before it signs and until its last token expires.
create table signing_key (
    key_id text primary key,
    public_key bytea not null,
    -- Nonce and private key under AES-256-GCM.
    encrypted_key bytea not null,
    -- Identifies the AUTH_SIGNING_SECRET that decrypts it.
    secret_id bytea not null,
    signs_from timestamptz not null,
    signs_until timestamptz not null
);

create index signing_key_signs_until_idx on signing_key (signs_until);

-- Identities at Apple, Google and Facebook. The subject is stable; addresses are not.
create table identity (
    -- apple, facebook or google
    provider text not null,
    subject text not null,
    user_id uuid not null references account (user_id) on delete cascade,
    created_at timestamptz not null,
    constraint identity_pkey primary key (provider, subject)
);

create index identity_user_id_idx on identity (user_id);

-- Identities that wait for a sign-in to the account of their address, from the same browser.
create table pending_identity (
    -- SHA-256 of the browser's token: one pending identity per browser.
    browser_hash bytea primary key,
    provider text not null,
    subject text not null,
    user_id uuid not null references account (user_id) on delete cascade,
    expires_at timestamptz not null,
    -- False: the provider does not report verification; only a sign-in that names the provider links it.
    is_verified boolean not null default true
);

create index pending_identity_user_id_idx on pending_identity (user_id);
create index pending_identity_expires_at_idx on pending_identity (expires_at);

-- Nonces and access tokens that opened a session, until they expire.
create table used_credential (
    -- SHA-256
    digest bytea primary key,
    expires_at timestamptz not null
);

create index used_credential_expires_at_idx on used_credential (expires_at);

-- Receipts of deleted accounts. A finished one holds no personal data.
create table erasure (
    erasure_id uuid primary key,
    -- SHA-256 of the requesting session's token: a repeated request returns the same receipt.
    request_token_hash bytea not null constraint erasure_request_token_hash_key unique,
    -- Recipient and language of the final mail; null once it is queued.
    recipient text,
    lang text,
    requested_at timestamptz not null,
    finished_at timestamptz,
    constraint erasure_recipient_check check ((recipient is null) = (finished_at is not null))
);

create table erasure_report (
    erasure_id uuid not null references erasure (erasure_id) on delete cascade,
    service text not null,
    -- Null: not reported yet.
    erased_at timestamptz,
    -- Codes of data the law makes the service retain.
    kept text[] not null default '{}',
    primary key (erasure_id, service)
);

-- Entitlements by subscription: an ended subscription closes only what no other grant opens.
create table entitlement_grant (
    -- Id of checkout: of the subscription, or of the order for one-time purchases.
    subscription_id text primary key,
    user_id uuid not null references account (user_id) on delete cascade,
    product text not null,
    -- Ended grants stay, because the event of a start can arrive after that of its end.
    is_open boolean not null,
    -- Time of the last applied event; older events change nothing.
    as_of timestamptz not null,
    -- premium, coaching, therapy
    opens text[] not null default '{}'
);

create index entitlement_grant_user_idx on entitlement_grant (user_id);

-- Second factors: TOTP (RFC 6238).
create table second_factor (
    user_id uuid primary key references account (user_id) on delete cascade,
    -- Nonce and secret under AES-256-GCM. Null: no enrolment was confirmed.
    encrypted_secret bytea,
    -- The secret of an enrolment that waits for its first code.
    pending_secret bytea,
    enabled_at timestamptz,
    -- The latest accepted time step: no code is accepted twice.
    last_step bigint,
    constraint second_factor_enabled_check check ((encrypted_secret is null) = (enabled_at is null))
);

-- Unused recovery codes; a code is deleted when it is used.
create table recovery_code (
    -- HMAC of the code and its user.
    code_hash bytea primary key,
    user_id uuid not null references account (user_id) on delete cascade
);

create index recovery_code_user_id_idx on recovery_code (user_id);

-- Sign-ins whose first factor was right and whose second one is awaited.
create table second_factor_challenge (
    -- SHA-256 of the challenge.
    challenge_hash bytea primary key,
    user_id uuid not null references account (user_id) on delete cascade,
    -- As in the event user.signed_in.
    method text not null,
    lang text,
    -- The provider that the sign-in named to link its identity; may be empty.
    join_provider text not null,
    -- SHA-256 of the browser's token: finds its pending identity. Null: the browser has none.
    browser_hash bytea,
    -- The account was signed in to from this browser before.
    is_known_browser boolean not null,
    expires_at timestamptz not null
);

create index second_factor_challenge_user_id_idx on second_factor_challenge (user_id);
create index second_factor_challenge_expires_at_idx on second_factor_challenge (expires_at);

-- Roles beyond member, granted by operators.
create table account_role (
    user_id uuid not null references account (user_id) on delete cascade,
    -- coach, company_administrator or operator
    role text not null,
    granted_at timestamptz not null,
    constraint account_role_pkey primary key (user_id, role)
);

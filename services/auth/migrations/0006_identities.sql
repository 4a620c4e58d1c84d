-- Who somebody is at Apple, Google or Facebook. The subject is the provider's own name for them and stays; addresses do not.
create table identity (
    -- apple, facebook or google
    provider text not null,
    subject text not null,
    user_id uuid not null references account (user_id) on delete cascade,
    created_at timestamptz not null,
    constraint identity_pkey primary key (provider, subject)
);

create index identity_user_id_idx on identity (user_id);

-- An identity whose verified address has an account, until somebody signs in to that account from the same browser.
create table pending_identity (
    -- SHA-256 of what the browser keeps: one at a time.
    browser_hash bytea primary key,
    provider text not null,
    subject text not null,
    user_id uuid not null references account (user_id) on delete cascade,
    expires_at timestamptz not null
);

create index pending_identity_user_id_idx on pending_identity (user_id);
create index pending_identity_expires_at_idx on pending_identity (expires_at);

-- Nonces and access tokens that have opened a session, until they would be over anyway.
create table spent_credential (
    -- SHA-256
    digest bytea primary key,
    expires_at timestamptz not null
);

create index spent_credential_expires_at_idx on spent_credential (expires_at);

-- Null: nobody has shown yet that the account's present address is theirs, neither by a mailed link nor through a provider.
alter table account add column email_proven_at timestamptz;

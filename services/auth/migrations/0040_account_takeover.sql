-- When the member last proved themselves to open this session: a password, a provider or a new account. Null: a handoff token opened it,
-- or it is older than this column.
alter table session add column proven_at timestamptz;

-- Links that change the address of an account.
alter table account_link
    -- The address that this link makes the account's.
    add column new_email text,
    -- The address that this link restores. No other account takes it while the link is good.
    add column former_email text,
    add constraint account_link_address_check check (new_email is null or former_email is null);
create index account_link_former_email_idx on account_link (former_email) where former_email is not null;

-- False: the provider does not say whether it has verified the address. Only a sign-in that names the provider joins such an identity.
alter table pending_identity add column is_verified boolean not null default true;

-- HMAC of the e-mail the attempts were made against, so that a reset clears all of them. Null: a network.
alter table sign_in_attempt add column about bytea;
create index sign_in_attempt_about_idx on sign_in_attempt (about) where about is not null;
comment on column sign_in_attempt.account_key is
    'HMAC of what is throttled: a network, a device, an e-mail with a network, an e-mail, a member, or an e-mail that asked for a link';
comment on column mail_outbox.template is
    'as in services/auth/src/domain/mail.rs';

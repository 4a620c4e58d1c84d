-- The moment a mail is about: the first charge after a trial, or the end of access.
alter table mail_outbox add column moment timestamptz;
comment on column mail_outbox.template is
    'reset_password, set_password, password_changed, email_changed, account_erased, payment_refunded, payment_receipt, trial_ending, payment_overdue or subscription_canceled';

-- Which subscription opens what: when it ends, only that is closed which no other opens.
create table entitlement_grant (
    -- Checkout's.
    subscription_id text primary key,
    user_id         uuid    not null references account (user_id) on delete cascade,
    product         text    not null,
    -- What has ended is kept: news of its beginning may come after those of its end.
    is_open         boolean not null,
    -- When that came about: older news change nothing.
    as_of           timestamptz not null
);
create index entitlement_grant_user_idx on entitlement_grant (user_id);

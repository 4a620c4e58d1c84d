-- Mails about withdrawals from a contract. Whoever declared one need have no account: what stands in the mail and where it goes
-- is checkout's to know, and is asked for when it is sent.
alter table mail_outbox
    -- Checkout's.
    add column withdrawal_id text;
comment on column mail_outbox.template is
    'reset_password, set_password, password_changed, email_changed, account_erased, payment_refunded, payment_receipt, trial_ending, payment_overdue, subscription_canceled, withdrawal_received or withdrawal_accepted';

drop index mail_outbox_due_idx;
create index mail_outbox_due_idx on mail_outbox (next_attempt_at)
    where user_id is not null or former_email is not null or withdrawal_id is not null;

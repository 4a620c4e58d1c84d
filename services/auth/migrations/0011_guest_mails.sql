-- Mails to whoever bought without an account: where they go is checkout's to know, and is asked for when they are sent.
alter table mail_outbox
    -- Checkout's.
    add column guest_order_id text;
comment on column mail_outbox.template is
    'reset_password, set_password, password_changed, email_changed, account_erased, payment_refunded, payment_receipt, trial_ending, payment_overdue, subscription_canceled, withdrawal_received, withdrawal_accepted, purchase_receipt or purchase_refunded';

drop index mail_outbox_due_idx;
create index mail_outbox_due_idx on mail_outbox (next_attempt_at)
    where user_id is not null or former_email is not null or withdrawal_id is not null or guest_order_id is not null;

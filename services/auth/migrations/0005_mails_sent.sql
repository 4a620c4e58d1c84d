-- Somebody whose account is gone is written to as well: at the address they had.
comment on column mail_outbox.former_email is
    'The address a person had before; null: the one they have when the mail is sent. Alone where the account is gone.';

create index mail_outbox_due_idx on mail_outbox (next_attempt_at)
    where user_id is not null or former_email is not null;
drop index mail_outbox_next_attempt_at_idx;

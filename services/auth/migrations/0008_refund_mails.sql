-- How much the mail is about: what was given back to a buyer.
alter table mail_outbox
    add column amount_minor bigint,
    add column currency text,
    add constraint mail_outbox_amount_check check ((amount_minor is null) = (currency is null));
comment on column mail_outbox.template is
    'reset_password, set_password, password_changed, email_changed, account_erased or payment_refunded';

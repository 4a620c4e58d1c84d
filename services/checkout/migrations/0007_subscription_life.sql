-- A subscription after its first payment. Each later charge is a payment of its own, learnt from the provider's invoice.
alter table payment add column kind text not null default 'first' check (kind in ('first', 'renewal', 'change'));
comment on column payment.kind is
    'first: an attempt to pay for the order; renewal: a later period; change: what another plan costs for the rest of a period';
alter table payment add column provider_invoice_id text;
-- What time it is paid for.
alter table payment add column covers_from timestamptz;
alter table payment add column covers_until timestamptz;
alter table payment add constraint payment_renewal_check check (kind = 'first' or (
    state = 'succeeded' and provider_invoice_id is not null and covers_from is not null and covers_until >= covers_from));
create unique index payment_invoice_key on payment (provider_invoice_id);
drop index payment_attempt_key;
create unique index payment_attempt_key on payment (order_id, attempt) where kind = 'first';
create index payment_renewal_idx on payment (subscription_id, covers_from) where kind <> 'first';

alter table ledger_transaction drop constraint ledger_transaction_kind_check;
alter table ledger_transaction add constraint ledger_transaction_kind_check check (kind in (
    'capture', 'surplus_capture', 'refund', 'surplus_refund', 'refund_return', 'surplus_refund_return', 'renewal'));

-- What we know of a subscription beyond its state; the queue of those who look after it, too.
create table subscription_life (
    subscription_id    uuid primary key references subscription,
    -- When it is looked after next; null: it has ended, and everybody knows.
    due_at             timestamptz,
    -- Looks since the last news, for the backoff.
    looks              integer     not null default 0,
    cancel_at          timestamptz,
    paused_until       timestamptz,
    card_brand         text,
    card_last4         text check (card_last4 ~ '^[0-9]{4}$'),
    -- The plan it runs on, where that is no longer the order's.
    plan_price_id      uuid references price,
    -- An invoice the card did not pay: we, not the provider, try again.
    overdue_invoice_id text,
    overdue_minor      bigint,
    overdue_currency   text,
    overdue_since      timestamptz,
    -- Until then there is access, and then it ends.
    grace_until        timestamptz,
    decline_code       text,
    tries              integer     not null default 0,
    next_try_at        timestamptz,
    -- Committed before the provider is asked; null: nothing is in the air.
    try_key            text,
    -- The provider no longer tries by itself.
    is_held            boolean     not null default false,
    pause_told_at      timestamptz,
    trial_told_at      timestamptz,
    ended_told_at      timestamptz,
    check ((overdue_invoice_id is null) = (overdue_since is null)),
    check ((overdue_invoice_id is null) = (grace_until is null)),
    check ((overdue_invoice_id is null) = (overdue_minor is null)),
    check ((overdue_invoice_id is null) = (overdue_currency is null)),
    check ((overdue_invoice_id is null) = (decline_code is null)),
    check (overdue_invoice_id is not null or (try_key is null and next_try_at is null))
);
create index subscription_life_due_idx on subscription_life (due_at) where due_at is not null;

insert into subscription_life (subscription_id, due_at)
select subscription_id, 'epoch' from subscription
where activated_at is not null and state not in ('canceled', 'expired');

-- What a member wants of a subscription. Committed before the provider is asked.
create table subscription_wish (
    wish_id           uuid primary key,
    subscription_id   uuid        not null references subscription,
    kind              text        not null check (kind in ('cancel', 'keep', 'card', 'pause', 'resume', 'plan')),
    payment_method_id text        not null default '',
    paused_until      timestamptz,
    price_id          uuid references price,
    -- What was shown: the difference, worked out as of this moment.
    prorated_at       timestamptz,
    shown_minor       bigint,
    idempotency_key   text        not null,
    state             text        not null check (state in ('open', 'done', 'refused')),
    refusal_code      text,
    created_at        timestamptz not null,
    settled_at        timestamptz,
    check ((state = 'open') = (settled_at is null)),
    check ((state = 'refused') = (refusal_code is not null)),
    check ((kind = 'plan') = (price_id is not null and prorated_at is not null and shown_minor is not null)),
    check ((kind = 'pause') = (paused_until is not null)),
    check (kind <> 'card' or state <> 'open' or payment_method_id <> '')
);
create unique index subscription_wish_key on subscription_wish (idempotency_key);
-- One at a time.
create unique index subscription_wish_open_key on subscription_wish (subscription_id) where state = 'open';

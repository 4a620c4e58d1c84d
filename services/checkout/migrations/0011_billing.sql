-- Subscriptions whose provider charges only when it is asked to: what is charged, and when, is ours.
create table billing (
    subscription_id uuid primary key references subscription,
    provider        text        not null check (provider in ('yookassa', 'platron')),
    -- What the provider kept of the first payment, to be charged again; null: nothing, and it ends with its paid time.
    means_id        text,
    means_expire_at timestamptz,
    card_brand      text,
    card_last4      text check (card_last4 ~ '^[0-9]{4}$'),
    -- Periods are counted from here, so that the last day of a long month comes back after a short one.
    anchor          timestamptz not null,
    period_months   integer     not null check (period_months > 0),
    paid_until      timestamptz not null,
    -- A pause: no period begins before then.
    resumes_at      timestamptz,
    -- From then on nothing is charged, whatever is paid for.
    ended_at        timestamptz
);

-- One period to be paid.
create table charge (
    -- Made of the subscription and the period's beginning.
    charge_id       text primary key,
    subscription_id uuid        not null references billing on delete cascade,
    amount_minor    bigint      not null check (amount_minor > 0),
    currency        text        not null,
    covers_from     timestamptz not null,
    covers_until    timestamptz not null check (covers_until > covers_from),
    state           text        not null check (state in ('open', 'paid', 'closed')),
    created_at      timestamptz not null
);
create unique index charge_period_key on charge (subscription_id, covers_from);
-- One at a time.
create unique index charge_open_key on charge (subscription_id) where state = 'open';

-- One time the provider is asked for it. Committed before the call; the key goes along with it.
create table charge_try (
    try_key             text primary key,
    charge_id           text        not null references charge on delete cascade,
    state               text        not null check (state in ('asked', 'pending', 'paid', 'declined', 'closed')),
    provider_payment_id text,
    asked_at            timestamptz not null,
    captured_minor      bigint,
    captured_currency   text,
    captured_at         timestamptz,
    decline_code        text,
    decline_message     text,
    check ((state = 'paid')
        = (captured_minor is not null and captured_currency is not null and captured_at is not null)),
    check ((state = 'declined') = (decline_code is not null and decline_message is not null)),
    check (state not in ('pending', 'paid') or provider_payment_id is not null)
);
-- Never two that may take money.
create unique index charge_try_live_key on charge_try (charge_id) where state in ('asked', 'pending', 'paid');
create index charge_try_provider_idx on charge_try (provider_payment_id) where provider_payment_id is not null;
create index charge_subscription_idx on charge (subscription_id, covers_from desc);

-- Those sold before: nothing was kept of their cards, so they end as they were sold.
insert into subscription_life (subscription_id, due_at)
select subscription.subscription_id, 'epoch'
from subscription join orders using (order_id) join payment on payment_id = orders.paid_by
where payment.provider in ('yookassa', 'platron') and subscription.activated_at is not null
    and subscription.state not in ('canceled', 'expired')
on conflict (subscription_id) do nothing;

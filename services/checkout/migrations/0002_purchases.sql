-- Who buys, what was ordered, the subscription it becomes, and each attempt to pay for it.

create table customer (
    user_id            text primary key,
    -- As they were when the provider was first told: a repeated request must carry the same words under the same key.
    email              text        not null,
    full_name          text        not null,
    stripe_customer_id text,
    created_at         timestamptz not null
);
create unique index customer_stripe_key on customer (stripe_customer_id);

-- Plural, because `order` is a reserved word.
create table orders (
    order_id       uuid primary key,
    user_id        text        not null references customer,
    product        text        not null,
    price_id       uuid        not null references price,
    amount_minor   bigint      not null check (amount_minor > 0),
    currency       text        not null,
    trial_days     integer     not null,
    payment_source text        not null,
    country        text        not null,
    language       text        not null,
    tracking       jsonb       not null,
    state          text        not null check (state in ('open', 'on_trial', 'paid', 'abandoned')),
    trial_until    timestamptz,
    paid_by        uuid,
    paid_at        timestamptz,
    abandoned_at   timestamptz,
    created_at     timestamptz not null,
    check ((state = 'paid') = (paid_by is not null and paid_at is not null)),
    check ((state = 'abandoned') = (abandoned_at is not null)),
    check (state <> 'on_trial' or trial_until is not null)
);
-- Of two submits at once, one opens the order and the other finds it.
create unique index orders_open_key on orders (user_id, product) where state = 'open';
create index orders_user_idx on orders (user_id, created_at desc);

create table subscription (
    subscription_id uuid primary key,
    order_id        uuid        not null references orders,
    user_id         text        not null references customer,
    product         text        not null,
    state           text        not null
        check (state in ('incomplete', 'trialing', 'active', 'past_due', 'canceled', 'expired')),
    period_end      timestamptz,
    ended_at        timestamptz,
    -- When it was first announced as active; set once.
    activated_at    timestamptz,
    -- When the reconciler next asks the provider; null when nothing more is expected.
    next_check_at   timestamptz,
    -- Checks since the last change, for the backoff.
    checks          integer     not null default 0,
    created_at      timestamptz not null,
    check ((state in ('canceled', 'expired')) = (ended_at is not null)),
    check (state not in ('trialing', 'active', 'past_due') or period_end is not null)
);
create unique index subscription_order_key on subscription (order_id);
-- Nobody holds a product twice.
create unique index subscription_live_key on subscription (user_id, product)
    where state not in ('canceled', 'expired');
create index subscription_due_idx on subscription (next_check_at) where next_check_at is not null;

create table payment (
    payment_id              uuid primary key,
    order_id                uuid        not null references orders,
    subscription_id         uuid        not null references subscription,
    -- Each card tried for an order is one attempt; the highest is the one that counts.
    attempt                 integer     not null check (attempt > 0),
    payment_method_id       text        not null,
    -- Committed before the provider is called; every repeat of the call carries it.
    idempotency_key         text        not null,
    state                   text        not null check (state in (
        'intended', 'unknown', 'processing', 'requires_action', 'requires_setup',
        'deferred', 'succeeded', 'failed', 'canceled')),
    client_secret           text,
    deferred_until          timestamptz,
    captured_minor          bigint,
    captured_currency       text,
    succeeded_at            timestamptz,
    failure_code            text,
    failure_message         text,
    stripe_subscription_id  text,
    stripe_payment_intent_id text,
    created_at              timestamptz not null,
    check ((state in ('requires_action', 'requires_setup')) = (client_secret is not null)),
    check (state not in ('requires_setup', 'deferred') or deferred_until is not null),
    check ((state = 'succeeded')
        = (captured_minor is not null and captured_currency is not null and succeeded_at is not null)),
    check ((state = 'failed') = (failure_code is not null and failure_message is not null))
);
alter table orders add foreign key (paid_by) references payment;
create unique index payment_attempt_key on payment (order_id, attempt);
create unique index payment_idempotency_key on payment (idempotency_key);
-- Never two attempts in the air for one order.
create unique index payment_open_key on payment (order_id)
    where state in ('intended', 'unknown', 'processing', 'requires_action', 'requires_setup');
create unique index payment_stripe_subscription_key on payment (stripe_subscription_id);
create index payment_stripe_intent_idx on payment (stripe_payment_intent_id);
create index payment_subscription_idx on payment (subscription_id, attempt desc);

-- What providers told us, as it arrived: proof, and the guard against applying one event twice.
create table webhook_event (
    provider    text        not null,
    event_id    text        not null,
    kind        text        not null,
    body        bytea       not null,
    received_at timestamptz not null,
    primary key (provider, event_id)
);
create index webhook_event_received_idx on webhook_event (received_at);

-- Buyers, orders, the subscriptions they create, and the payments of both.

create table customer (
    -- A member's id, or `guest_…`: the buyer of one order without an account.
    user_id            text primary key,
    -- As first sent to the provider. A repeated request must carry the same values under the same idempotency key.
    email              text        not null,
    full_name          text        not null,
    stripe_customer_id text,
    created_at         timestamptz not null
);
create unique index customer_stripe_key on customer (stripe_customer_id);
-- Guests whose personal data is due for deletion.
create index customer_guest_idx on customer (created_at) where user_id like 'guest\_%' and email <> '';

-- Plural, because `order` is a reserved word.
create table orders (
    order_id              uuid primary key,
    kind                  text        not null default 'subscription'
        check (kind in ('subscription', 'one_time', 'gift', 'addition', 'lifetime', 'trial')),
    -- `guest_…`: bought without an account. `erased_…`: the member is erased; the order stays for the ledger.
    user_id               text        not null references customer,
    product               text        not null,
    -- The entitlements that the product grants.
    opens                 text[]      not null default '{}' check (opens <@ array['premium', 'coaching', 'therapy']),
    price_id              uuid        not null references price,
    -- The price of the subscription that starts after a paid trial.
    subscription_price_id uuid references price,
    amount_minor          bigint      not null check (amount_minor > 0),
    currency              text        not null,
    trial_days            integer     not null,
    payment_source        text        not null,
    country               text        not null,
    language              text        not null,
    -- Attribution sent by the client, such as utm_source.
    tracking              jsonb       not null,
    state                 text        not null check (state in ('open', 'on_trial', 'paid', 'abandoned')),
    trial_until           timestamptz,
    -- The payment that settled the order.
    paid_by               uuid,
    paid_at               timestamptz,
    abandoned_at          timestamptz,
    -- When the reconciler next asks the provider about the payments. Null: no answer is expected.
    next_check_at         timestamptz,
    -- Checks since the last change, for the backoff.
    poll_count            integer     not null default 0,
    created_at            timestamptz not null,
    check ((state = 'paid') = (paid_by is not null and paid_at is not null)),
    check ((state = 'abandoned') = (abandoned_at is not null)),
    check (state <> 'on_trial' or trial_until is not null),
    constraint orders_subscription_price_check check ((kind = 'trial') = (subscription_price_id is not null))
);
-- Of two concurrent requests, one creates the order and the other finds it.
create unique index orders_open_key on orders (user_id, product, kind) where state = 'open';
create index orders_user_idx on orders (user_id, created_at desc);
create index orders_lifetime_idx on orders (user_id) where kind = 'lifetime' and state = 'paid';
create index orders_due_idx on orders (next_check_at) where next_check_at is not null;

create table subscription (
    subscription_id uuid primary key,
    order_id        uuid        not null references orders,
    user_id         text        not null references customer,
    product         text        not null,
    state           text        not null
        check (state in ('incomplete', 'trialing', 'active', 'past_due', 'canceled', 'expired')),
    period_end      timestamptz,
    ended_at        timestamptz,
    -- When it was first active; set once.
    activated_at    timestamptz,
    created_at      timestamptz not null,
    check ((state in ('canceled', 'expired')) = (ended_at is not null)),
    check (state not in ('trialing', 'active', 'past_due') or period_end is not null)
);
create unique index subscription_order_key on subscription (order_id);
-- At most one live subscription per member and product.
create unique index subscription_live_key on subscription (user_id, product)
    where state not in ('canceled', 'expired');

create table payment (
    payment_id               uuid primary key,
    order_id                 uuid        not null references orders,
    -- Null: the order is one-time.
    subscription_id          uuid references subscription,
    -- initial: an attempt to pay for the order. renewal: a later period. change: the prorated price of a plan change.
    kind                     text        not null default 'initial' check (kind in ('initial', 'renewal', 'change')),
    provider                 text        not null check (provider in ('stripe', 'paypal', 'yookassa', 'platron')),
    -- Each card tried for an order is one attempt; the highest is the current one.
    attempt                  integer     not null check (attempt > 0),
    payment_method_id        text        not null,
    -- The network the buyer chose for a co-branded card. A repeated call must carry the same value.
    card_network             text,
    -- Committed before the provider is called. Every repeat of the call carries it.
    idempotency_key          text        not null,
    state                    text        not null check (state in (
        'intended', 'unknown', 'processing', 'requires_action', 'requires_setup',
        'deferred', 'succeeded', 'failed', 'canceled')),
    client_secret            text,
    -- The end of the trial after which the card is charged.
    deferred_until           timestamptz,
    captured_minor           bigint,
    captured_currency        text,
    succeeded_at             timestamptz,
    failure_code             text,
    failure_message          text,
    provider_subscription_id text,
    provider_intent_id       text,
    provider_invoice_id      text,
    -- The period that a renewal or a plan change pays for.
    period_start             timestamptz,
    period_end               timestamptz,
    created_at               timestamptz not null,
    check ((state in ('requires_action', 'requires_setup')) = (client_secret is not null)),
    check (state not in ('requires_setup', 'deferred') or deferred_until is not null),
    check ((state = 'succeeded')
        = (captured_minor is not null and captured_currency is not null and succeeded_at is not null)),
    check ((state = 'failed') = (failure_code is not null and failure_message is not null)),
    constraint payment_renewal_check check (kind = 'initial' or (
        state = 'succeeded' and provider_invoice_id is not null and period_start is not null and period_end >= period_start))
);
alter table orders add foreign key (paid_by) references payment;
create unique index payment_attempt_key on payment (order_id, attempt) where kind = 'initial';
create unique index payment_idempotency_key on payment (idempotency_key);
-- At most one in-flight attempt per order and provider. Two providers may both capture; the later capture is refunded.
create unique index payment_open_key on payment (order_id, provider)
    where state in ('intended', 'unknown', 'processing', 'requires_action', 'requires_setup');
create unique index payment_provider_subscription_key on payment (provider, provider_subscription_id);
create unique index payment_invoice_key on payment (provider_invoice_id);
create index payment_provider_intent_idx on payment (provider, provider_intent_id);
create index payment_order_idx on payment (order_id);
create index payment_subscription_idx on payment (subscription_id, attempt desc);
create index payment_renewal_idx on payment (subscription_id, period_start) where kind <> 'initial';

-- The coupon that an order uses.
create table coupon_claim (
    order_id       uuid primary key references orders,
    code           text        not null references coupon,
    state          text        not null check (state in ('reserved', 'redeemed', 'released')),
    -- When the reservation of an unpaid order expires.
    reserved_until timestamptz not null,
    settled_at     timestamptz,
    check ((state = 'reserved') = (settled_at is null))
);
create index coupon_claim_due_idx on coupon_claim (reserved_until) where state = 'reserved';
create index coupon_claim_code_idx on coupon_claim (code) where state <> 'released';

-- The cards and PayPal accounts that started a free trial. Limits how many members can start a trial with one of them.
create table free_trial (
    order_id          uuid primary key references orders,
    product           text        not null,
    -- A digest of the provider's identifier. Contains no personal data; stays after an erasure.
    payer_fingerprint text        not null,
    created_at        timestamptz not null
);
create index free_trial_payer_idx on free_trial (payer_fingerprint, product);

-- Hosted checkout pages of YooKassa and Platron. The order is created when the page is paid.
create table hosted_checkout (
    hosted_checkout_id    uuid primary key,
    user_id               text        not null,
    email                 text        not null,
    full_name             text        not null,
    price_id              uuid        not null references price,
    provider              text        not null check (provider in ('yookassa', 'platron')),
    -- intended: committed before the provider is called.
    state                 text        not null check (state in ('intended', 'open', 'paid', 'expired')),
    country               text        not null,
    language              text        not null,
    provider_payment_id   text,
    -- What the browser opens: a URL, or a token for the provider's script.
    redirect_url_or_token text,
    -- When the reconciler next asks the provider. Null: no answer is expected.
    next_check_at         timestamptz,
    -- Checks since the last change, for the backoff.
    poll_count            integer     not null default 0,
    created_at            timestamptz not null,
    check (state <> 'open' or (provider_payment_id is not null and redirect_url_or_token is not null))
);
create index hosted_checkout_member_idx on hosted_checkout (user_id, price_id, provider, created_at desc);
create index hosted_checkout_due_idx on hosted_checkout (next_check_at) where next_check_at is not null;
-- Guests whose personal data is due for deletion.
create index hosted_checkout_guest_idx on hosted_checkout (created_at) where user_id like 'guest\_%' and email <> '';

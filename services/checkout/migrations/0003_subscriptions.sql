-- Subscriptions after their first payment: provider state, requested changes, and the charges of merchant-initiated providers.

-- What the provider reports of a subscription. Also the queue of the subscription sync.
create table billing_state (
    subscription_id             uuid primary key references subscription,
    -- When the next sync is due. Null: the subscription has ended and its last event is emitted.
    due_at                      timestamptz,
    -- Syncs since the last change, for the backoff.
    sync_attempts               integer     not null default 0,
    cancel_at                   timestamptz,
    paused_until                timestamptz,
    card_brand                  text,
    card_last4                  text check (card_last4 ~ '^[0-9]{4}$'),
    -- The current plan. Null: the order's.
    plan_price_id               uuid references price,
    -- A cheaper plan starts with the next period. Until then the provider holds it in a schedule.
    next_plan_price_id          uuid references price,
    -- The provider's name for that plan. A snapshot that shows it proves that the plan has started.
    next_plan_provider_price_id text,
    next_plan_starts_at         timestamptz,
    -- The unpaid invoice. Checkout, not the provider, retries it.
    overdue_invoice_id          text,
    overdue_minor               bigint,
    overdue_currency            text,
    overdue_since               timestamptz,
    -- When the access of an overdue subscription ends.
    grace_until                 timestamptz,
    decline_code                text,
    -- Attempts to collect the overdue invoice.
    attempts                    integer     not null default 0,
    next_attempt_at             timestamptz,
    -- The idempotency key of the in-flight attempt, committed before the provider is called. Null: none.
    attempt_key                 text,
    -- The provider's own retries are switched off.
    auto_advance_disabled       boolean     not null default false,
    -- When the event of the pause, the trial's end and the subscription's end was emitted.
    pause_emitted_at            timestamptz,
    trial_emitted_at            timestamptz,
    ended_emitted_at            timestamptz,
    check ((overdue_invoice_id is null) = (overdue_since is null)),
    check ((overdue_invoice_id is null) = (grace_until is null)),
    check ((overdue_invoice_id is null) = (overdue_minor is null)),
    check ((overdue_invoice_id is null) = (overdue_currency is null)),
    check ((overdue_invoice_id is null) = (decline_code is null)),
    check (overdue_invoice_id is not null or (attempt_key is null and next_attempt_at is null)),
    constraint billing_state_next_plan_check check (
        (next_plan_price_id is null) = (next_plan_starts_at is null)
        and (next_plan_price_id is null) = (next_plan_provider_price_id is null))
);
create index billing_state_due_idx on billing_state (due_at) where due_at is not null;

-- A change requested by the member, or by an accepted withdrawal (kind `end`). Committed before the provider is called.
create table subscription_change (
    change_id         uuid primary key,
    subscription_id   uuid        not null references subscription,
    kind              text        not null
        check (kind in ('cancel', 'keep', 'card', 'pause', 'resume', 'plan', 'keep_plan', 'end')),
    payment_method_id text        not null default '',
    paused_until      timestamptz,
    price_id          uuid references price,
    -- The moment for which the quoted proration was computed.
    prorated_at       timestamptz,
    quoted_minor      bigint,
    idempotency_key   text        not null,
    state             text        not null check (state in ('open', 'done', 'refused')),
    refusal_code      text,
    created_at        timestamptz not null,
    settled_at        timestamptz,
    check ((state = 'open') = (settled_at is null)),
    check ((state = 'refused') = (refusal_code is not null)),
    check ((kind = 'plan') = (price_id is not null and prorated_at is not null and quoted_minor is not null)),
    check ((kind = 'pause') = (paused_until is not null)),
    check (kind <> 'card' or state <> 'open' or payment_method_id <> '')
);
create unique index subscription_change_key on subscription_change (idempotency_key);
-- At most one open change per subscription.
create unique index subscription_change_open_key on subscription_change (subscription_id) where state = 'open';
create index subscription_change_subscription_idx on subscription_change (subscription_id);

-- The billing schedule of a subscription whose provider charges only on request (YooKassa, Platron).
create table merchant_schedule (
    subscription_id           uuid primary key references subscription,
    provider                  text        not null check (provider in ('yookassa', 'platron')),
    -- The stored payment method. Null: none was saved, and the subscription ends with its paid period.
    payment_method_id         text,
    payment_method_expires_at timestamptz,
    card_brand                text,
    card_last4                text check (card_last4 ~ '^[0-9]{4}$'),
    -- Periods are counted from here, so that a billing day of 31 returns after a shorter month.
    anchor                    timestamptz not null,
    period_months             integer     not null check (period_months > 0),
    paid_until                timestamptz not null,
    -- The end of a pause: no period starts before.
    resumes_at                timestamptz,
    -- Set: no more charges, also if a period is still paid.
    ended_at                  timestamptz
);

-- One period of a merchant schedule to be paid.
create table charge (
    -- Derived from the subscription and the period's start.
    charge_id       text primary key,
    subscription_id uuid        not null references merchant_schedule on delete cascade,
    amount_minor    bigint      not null check (amount_minor > 0),
    currency        text        not null,
    period_start    timestamptz not null,
    period_end      timestamptz not null check (period_end > period_start),
    state           text        not null check (state in ('open', 'paid', 'closed')),
    created_at      timestamptz not null
);
create unique index charge_period_key on charge (subscription_id, period_start);
-- At most one open charge per subscription.
create unique index charge_open_key on charge (subscription_id) where state = 'open';
create index charge_subscription_idx on charge (subscription_id, period_start desc);

-- One request to the provider for a charge. Committed before the call.
create table charge_attempt (
    -- The idempotency key of the call.
    attempt_key         text primary key,
    charge_id           text        not null references charge on delete cascade,
    state               text        not null check (state in ('requested', 'pending', 'paid', 'declined', 'closed')),
    provider_payment_id text,
    requested_at        timestamptz not null,
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
-- At most one attempt per charge that may capture money.
create unique index charge_attempt_live_key on charge_attempt (charge_id) where state in ('requested', 'pending', 'paid');
create index charge_attempt_provider_idx on charge_attempt (provider_payment_id) where provider_payment_id is not null;

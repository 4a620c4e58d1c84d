-- Who takes the money of an attempt. What was there before is Stripe's.
alter table payment add column provider text not null default 'stripe'
    check (provider in ('stripe', 'paypal', 'yookassa', 'platron'));

-- The provider's numbers, whoever it is. What is read and written; the columns named after Stripe are carried along for
-- processes of the version before.
alter table payment add column provider_subscription_id text;
alter table payment add column provider_intent_id text;
update payment set provider_subscription_id = stripe_subscription_id, provider_intent_id = stripe_payment_intent_id;

create unique index payment_provider_subscription_key on payment (provider, provider_subscription_id);
create index payment_provider_intent_idx on payment (provider, provider_intent_id);

create function carry_stripe_ids() returns trigger language plpgsql as $$
begin
    if new.provider <> 'stripe' then
        return new;
    end if;
    if tg_op = 'UPDATE' and new.stripe_subscription_id is distinct from old.stripe_subscription_id then
        new.provider_subscription_id := new.stripe_subscription_id;
    end if;
    if tg_op = 'UPDATE' and new.stripe_payment_intent_id is distinct from old.stripe_payment_intent_id then
        new.provider_intent_id := new.stripe_payment_intent_id;
    end if;
    new.stripe_subscription_id := new.provider_subscription_id;
    new.stripe_payment_intent_id := new.provider_intent_id;
    return new;
end $$;
create trigger carry_stripe_ids before insert or update on payment for each row execute function carry_stripe_ids();

-- Never two attempts in the air with one provider. Two providers may be open at once: of two that take money, the later
-- gives it back.
drop index payment_open_key;
create unique index payment_open_key on payment (order_id, provider)
    where state in ('intended', 'unknown', 'processing', 'requires_action', 'requires_setup');

-- Two providers may count their refunds alike.
alter table refund add column provider text not null default 'stripe'
    check (provider in ('stripe', 'paypal', 'yookassa', 'platron'));
drop index refund_provider_key;
create unique index refund_provider_key on refund (provider, provider_refund_id);

-- What could not be followed up yet, and what was given up: kept with its error until somebody replays it.
-- What it is about, as the provider names it.
alter table webhook_event add column provider_subject_id text;
create index webhook_event_subject_idx on webhook_event (provider_subject_id) where provider_subject_id is not null;

alter table webhook_event add column next_try_at timestamptz;
alter table webhook_event add column tries integer not null default 0;
alter table webhook_event add column last_error text;
alter table webhook_event add column dead_at timestamptz;
create index webhook_event_due_idx on webhook_event (next_try_at) where next_try_at is not null;
create index webhook_event_dead_idx on webhook_event (dead_at) where dead_at is not null;

-- What PayPal sells the price by.
alter table price add column paypal_plan_id text;
create unique index price_paypal_plan_key on price (paypal_plan_id);

-- Pages of Russian providers, open for a member to pay a price; there is no order until they have. Committed before the
-- provider is asked to open one.
create table payment_page (
    page_id             uuid primary key,
    user_id             text        not null,
    email               text        not null,
    full_name           text        not null,
    price_id            uuid        not null references price,
    provider            text        not null check (provider in ('yookassa', 'platron')),
    state               text        not null check (state in ('intended', 'open', 'paid', 'over')),
    country             text        not null,
    language            text        not null,
    provider_payment_id text,
    -- What the browser opens the page by: an address, or a token for the provider's script.
    handle              text,
    next_check_at       timestamptz,
    checks              integer     not null default 0,
    created_at          timestamptz not null,
    check (state <> 'open' or (provider_payment_id is not null and handle is not null))
);
create index payment_page_member_idx on payment_page (user_id, price_id, provider, created_at desc);
create index payment_page_due_idx on payment_page (next_check_at) where next_check_at is not null;

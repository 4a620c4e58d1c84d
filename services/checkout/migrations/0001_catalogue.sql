-- The catalogue: campaigns, their prices and coupons. Rows come from the campaign files.
-- A price never changes: another amount is another row, so an order always references the terms it was sold on.

create table campaign (
    campaign_id   uuid primary key,
    code          text        not null,
    product       text        not null,
    -- 0: paid once, or without a period.
    period_months integer     not null check (period_months between 0 and 36),
    trial_days    integer     not null check (trial_days between 0 and 365),
    -- Set: no longer on sale. Orders still reference the row.
    retired_at    timestamptz,
    created_at    timestamptz not null
);
create unique index campaign_code_key on campaign (code);

create table price (
    price_id        uuid primary key,
    campaign_id     uuid        not null references campaign,
    -- What the amount pays: one period of a subscription, a one-time purchase, or a paid trial.
    kind            text        not null default 'subscription'
        check (kind in ('subscription', 'one_time', 'gift', 'addition', 'lifetime', 'trial')),
    -- Empty: the price without a coupon.
    coupon_code     text        not null,
    -- Empty: every country of the currency.
    country         text        not null default '' check (country ~ '^([A-Z]{2})?$'),
    currency        text        not null check (currency ~ '^[A-Z]{3}$'),
    amount_minor    bigint      not null check (amount_minor > 0),
    -- The price before the discount, for display.
    list_minor      bigint      not null check (list_minor >= amount_minor),
    product         text        not null,
    -- The entitlements that the product grants.
    opens           text[]      not null default '{}' check (opens <@ array['premium', 'coaching', 'therapy']),
    period_months   integer     not null,
    trial_days      integer     not null,
    -- Derived from the terms, not from the row: databases that share a Stripe account find the same Stripe price.
    lookup_key      text        not null,
    -- Null: not yet created at Stripe.
    stripe_price_id text,
    -- Null: not yet created at PayPal.
    paypal_plan_id  text,
    retired_at      timestamptz,
    created_at      timestamptz not null
);
create unique index price_on_sale_key on price (campaign_id, kind, coupon_code, currency, country)
    where retired_at is null;
create unique index price_paypal_plan_key on price (paypal_plan_id);
create index price_unsynced_idx on price (price_id)
    where retired_at is null and stripe_price_id is null and kind = 'subscription';

create table coupon (
    code            text primary key,
    percent_off     integer     not null check (percent_off between 1 and 95),
    -- Null: unlimited.
    redemptions_max integer     check (redemptions_max > 0),
    -- Per member. Null: unlimited.
    member_max      integer     check (member_max > 0),
    -- Reserved and redeemed claims. Counted only while redemptions_max is set; this row's lock decides who gets the last one.
    claimed_count   integer     not null default 0 check (claimed_count >= 0),
    created_at      timestamptz not null
);

-- The published campaign files. Every replica loads the catalogue's rules from here.
create table campaign_file (
    name         text primary key,
    text         text        not null,
    published_at timestamptz not null
);

-- The digest of the files that a service start published last. A restart with the same files does not overwrite an editor's changes.
create table seed_import (
    only_row boolean primary key default true check (only_row),
    digest   text not null
);

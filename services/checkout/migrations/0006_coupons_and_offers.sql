-- Coupons with limits, prices of other kinds and of one country, and the files that what is on sale comes from.

create table coupon (
    code                text primary key,
    percent_off         integer     not null check (percent_off between 1 and 95),
    -- Null: any number.
    redemptions_max     integer     check (redemptions_max > 0),
    member_max          integer     check (member_max > 0),
    -- Held and redeemed ones together, counted while there is a limit: the one place where the last is given away.
    taken               integer     not null default 0 check (taken >= 0),
    created_at          timestamptz not null
);

-- A coupon that an order took. Whose it is says the order.
create table coupon_claim (
    order_id   uuid primary key references orders,
    code       text        not null references coupon,
    state      text        not null check (state in ('held', 'redeemed', 'released')),
    -- When an unpaid order gives it back.
    held_until timestamptz not null,
    settled_at timestamptz,
    check ((state = 'held') = (settled_at is null))
);
create index coupon_claim_due_idx on coupon_claim (held_until) where state = 'held';
create index coupon_claim_code_idx on coupon_claim (code) where state <> 'released';

alter table campaign drop constraint campaign_period_months_check;
-- 0: for good, or nothing that lasts.
alter table campaign add constraint campaign_period_months_check check (period_months between 0 and 36);

-- What is paid: each period of a subscription, once, once for good, or for the time before a subscription begins.
alter table price add column kind text not null default 'subscription'
    check (kind in ('subscription', 'one_time', 'lifetime', 'trial'));
-- Empty: everywhere its currency is.
alter table price add column country text not null default '' check (country ~ '^([A-Z]{2})?$');
drop index price_on_sale_key;
create unique index price_on_sale_key on price (campaign_id, kind, coupon_code, currency, country)
    where retired_at is null;
drop index price_unsynced_idx;
create index price_unsynced_idx on price (price_id)
    where retired_at is null and stripe_price_id is null and kind = 'subscription';

-- What is published now, as people wrote it. Every replica reads the rules of its catalogue from here.
create table campaign_file (
    name         text primary key,
    text         text        not null,
    published_at timestamptz not null
);

-- The files a start published last: a restart with the same ones leaves alone what an editor has published since.
create table campaign_start (
    only_row boolean primary key default true check (only_row),
    digest   text not null
);

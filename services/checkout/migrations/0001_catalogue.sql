-- What is on sale. Rows come from the seed files; a changed price is a new row, so that an order always points at
-- exactly what was offered.

create table campaign (
    campaign_id   uuid primary key,
    code          text        not null,
    product       text        not null,
    period_months integer     not null check (period_months between 1 and 36),
    trial_days    integer     not null check (trial_days between 0 and 365),
    -- Off sale, but still named by orders.
    retired_at    timestamptz,
    created_at    timestamptz not null
);
create unique index campaign_code_key on campaign (code);

create table price (
    price_id        uuid primary key,
    campaign_id     uuid        not null references campaign,
    -- Empty: the price without a coupon.
    coupon_code     text        not null,
    currency        text        not null check (currency ~ '^[A-Z]{3}$'),
    amount_minor    bigint      not null check (amount_minor > 0),
    -- What the discount is shown against.
    list_minor      bigint      not null check (list_minor >= amount_minor),
    product         text        not null,
    period_months   integer     not null,
    trial_days      integer     not null,
    -- Says what the price is, not which row it is: another database on the same Stripe account finds the same price.
    lookup_key      text        not null,
    -- Null until the price is known to exist at Stripe.
    stripe_price_id text,
    retired_at      timestamptz,
    created_at      timestamptz not null
);
create unique index price_on_sale_key on price (campaign_id, coupon_code, currency) where retired_at is null;
create index price_unsynced_idx on price (price_id) where retired_at is null and stripe_price_id is null;

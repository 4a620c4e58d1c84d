-- Orders that are paid once: things, gifts, more of what a member has, for good, and the time before a subscription.
alter table orders add column kind text not null default 'subscription'
    check (kind in ('subscription', 'one_time', 'gift', 'addition', 'lifetime', 'trial'));
-- The price of the subscription that a paid trial begins.
alter table orders add column starts_price_id uuid references price;
alter table orders add constraint orders_starts_price_check check ((kind = 'trial') = (starts_price_id is not null));
-- Where there is no subscription to be looked after: when the reconciler next asks the provider, and how often it has
-- since the last change.
alter table orders add column next_check_at timestamptz;
alter table orders add column checks integer not null default 0;
alter table orders add constraint orders_check_of_subscription check (kind <> 'subscription' or next_check_at is null);
create index orders_due_idx on orders (next_check_at) where next_check_at is not null;

-- What is paid once may be bought beside a subscription to the same product.
drop index orders_open_key;
create unique index orders_open_key on orders (user_id, product, kind) where state = 'open';

-- Null: what it pays for is paid once.
alter table payment alter column subscription_id drop not null;

comment on column orders.user_id is
    'erased_…: somebody who is erased; guest_…: somebody who bought this one order without signing in';

-- A survey's order is paid when its owner has paid one of ours; the browser''s word counts for nothing.
alter table survey_order add column paid_by uuid references orders;
alter table survey_order add column paid_at timestamptz;
alter table survey_order add constraint survey_order_paid_check check ((paid_by is null) = (paid_at is null));

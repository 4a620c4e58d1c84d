-- Which card, or which account at PayPal, a free trial was begun with, as a digest of the provider's name for it: one card begins a
-- trial once, under any address. It names no person, and stays when its member is erased.
create table free_trial (
    order_id   uuid primary key references orders,
    product    text        not null,
    payer_mark  text        not null,
    created_at timestamptz not null
);
create index free_trial_payer_idx on free_trial (payer_mark, product);

-- A trial whose card was never confirmed has not begun.
set local lock_timeout = '5s';
update subscription set state = 'incomplete', period_end = null
from orders where orders.order_id = subscription.order_id and subscription.state = 'trialing' and orders.state = 'open';

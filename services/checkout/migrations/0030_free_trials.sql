-- Which card a free trial was begun with, as a digest of what the provider calls the card: one card begins it once, under whatever
-- address. It names no person, and stays when its member is erased.
create table free_trial (
    order_id   uuid primary key references orders,
    product    text        not null,
    card_mark  text        not null,
    created_at timestamptz not null
);
create index free_trial_card_idx on free_trial (card_mark, product);

-- A trial whose card was never confirmed has not begun.
set local lock_timeout = '5s';
update subscription set state = 'incomplete', period_end = null
from orders where orders.order_id = subscription.order_id and subscription.state = 'trialing' and orders.state = 'open';

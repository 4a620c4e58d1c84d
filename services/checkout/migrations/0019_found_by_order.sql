-- Each settlement asks for an order's other attempts, renewals among them, and the index there was has first payments alone: it
-- read the whole table. A member's export and erasure ask for the wishes of each subscription.
-- Whatever holds the tables is not waited for: the next start tries again. Payments, which are written most, are held last.
set local lock_timeout = '5s';
create index subscription_wish_subscription_idx on subscription_wish (subscription_id);
create index payment_order_idx on payment (order_id);

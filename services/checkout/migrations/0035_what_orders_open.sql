-- What a product opens for its buyer is a field of the catalogue, and part of the terms of each price and order.
alter table price add column opens text[] not null default '{}'
    check (opens <@ array['premium', 'coaching', 'therapy']);
alter table orders add column opens text[] not null default '{}'
    check (opens <@ array['premium', 'coaching', 'therapy']);

-- What was sold before: `premium`, `premium-lifetime`, and sessions with a coach or a therapist.
update price set opens = '{premium}' where product like 'premium%';
update price set opens = '{coaching}' where product = 'coaching-session';
update price set opens = '{therapy}' where product = 'therapy-session';
update orders set opens = price.opens from price where price.price_id = orders.price_id;

-- Gifts and further sessions were told apart by the name of the product.
alter table price drop constraint price_kind_check;
alter table price add constraint price_kind_check
    check (kind in ('subscription', 'one_time', 'gift', 'addition', 'lifetime', 'trial'));
update price set kind = 'gift' where kind = 'one_time' and product = 'gift';
update price set kind = 'addition' where kind = 'one_time' and product like '%-session';

-- What a buyer owns for good is asked before anything is sold to them.
create index orders_lifetime_idx on orders (user_id) where kind = 'lifetime' and state = 'paid';

-- What waits is next to nothing in the table's statistics, whatever it is at the moment: by them one index is as good as another
-- for asking after a key's older row. This one says something more, so that it serves the order of the rows and nothing else.
-- Whatever holds the table is not waited for: the next start tries again.
set local lock_timeout = '5s';
drop index outbox_waiting_order;
create index outbox_waiting_order on outbox (seq) where published_at is null and attempts >= 0;

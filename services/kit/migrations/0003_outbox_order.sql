-- The relay takes the oldest waiting rows first; without this a long backlog would be sorted on every look.
create index outbox_waiting_order on outbox (seq) where published_at is null;

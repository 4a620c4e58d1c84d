-- Guests who have paid nothing are looked for when their time is up; those whose words were taken out are not found again.
create index payment_page_guest_idx on payment_page (created_at) where user_id like 'guest\_%' and email <> '';
create index customer_guest_idx on customer (created_at) where user_id like 'guest\_%' and email <> '';

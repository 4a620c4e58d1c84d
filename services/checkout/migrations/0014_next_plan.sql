-- A cheaper plan begins with the next period: until then the provider holds it in a schedule of its own.
alter table subscription_life
    add column next_plan_price_id          uuid references price,
    -- By this name the provider shows that it has begun.
    add column next_plan_provider_price_id text,
    add column next_plan_starts_at         timestamptz,
    add constraint subscription_life_next_plan_check check (
        (next_plan_price_id is null) = (next_plan_starts_at is null)
        and (next_plan_price_id is null) = (next_plan_provider_price_id is null));

-- To stay with the plan it runs on after all.
alter table subscription_wish drop constraint subscription_wish_kind_check;
alter table subscription_wish add constraint subscription_wish_kind_check
    check (kind in ('cancel', 'keep', 'card', 'pause', 'resume', 'plan', 'keep_plan', 'end'));

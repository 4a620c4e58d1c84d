-- What a grant opens comes with the event, from checkout's catalogue; the name of the product says nothing.
alter table entitlement_grant add column opens text[] not null default '{}';
update entitlement_grant set opens =
    case when product ~ '(^|[^a-z0-9])coaching([^a-z0-9]|$)' then array['coaching'] else '{}' end
    || case when product ~ '(^|[^a-z0-9])therapy([^a-z0-9]|$)' then array['therapy'] else '{}' end;
comment on column entitlement_grant.subscription_id is
    'checkout''s, of the subscription; of the order where something was paid once';

alter table account add column is_premium_user boolean not null default false;

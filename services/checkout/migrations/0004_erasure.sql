-- Whose notification it is, as the provider names them: what is erased with a member, and not kept when it comes later.
alter table webhook_event add column provider_customer_id text;

update webhook_event
set provider_customer_id = coalesce(
    object ->> 'customer',
    previous ->> 'customer',
    case when object ->> 'object' = 'customer' then object ->> 'id' end)
from (
    select provider as of_provider, event_id as of_event,
        convert_from(body, 'UTF8')::jsonb #> '{data,object}' as object,
        convert_from(body, 'UTF8')::jsonb #> '{data,previous_attributes}' as previous
    from webhook_event) told
where provider = of_provider and event_id = of_event;

create index webhook_event_customer_idx on webhook_event (provider_customer_id)
    where provider_customer_id is not null;

-- Whose it became: auth tells of a sign-up that belongs to it. Null: nobody's, so far.
alter table survey_order add column user_id text;
create index survey_order_user_idx on survey_order (user_id) where user_id is not null;

comment on column customer.user_id is
    'erased_…: somebody who is erased; their orders stay for the books, without a name, an address or a card';

-- Whom an event is about: the ids in it of a member, or of what is theirs. Empty for most that browsers send.
alter table event add column about text[] not null default '{}';

update event
set about = array_remove(array[
    nullif(data ->> 'userId', ''),
    nullif(data ->> 'orderId', ''),
    nullif(data ->> 'erasureId', ''),
    nullif(data -> 'fields' ->> 'userid', ''),
    nullif(data -> 'fields' ->> 'orderid', ''),
    case when name = 'stillpoint.web.user' then nullif(data -> 'fields' ->> 'id', '') end,
    case when name = 'stillpoint.web.user' then nullif(data -> 'fields' ->> 'email', '') end], null);

create index event_about_idx on event using gin (about);

-- Every event once. One partition per month, made ahead of time; a month that nobody foresaw waits in the default
-- partition until its own is made.
create table event (
    event_id text not null,
    -- The event's own time, which may lie before its arrival by a little (services) or by days (browsers).
    occurred_at timestamptz not null,
    -- The event's type: `stillpoint.checkout.subscription.activated`.
    name text not null,
    source text not null,
    -- What it happened to, as its service names it.
    subject text,
    lang text,
    country text,
    data jsonb not null,
    primary key (occurred_at, event_id)
) partition by range (occurred_at);

create table event_default partition of event default;

-- How often each event happened on each UTC day, kept in the transaction that stores the event.
create table daily_count (
    day date not null,
    event text not null,
    count bigint not null,
    primary key (day, event)
);

-- Makes the partition of the month that `first_day` begins, if there is none, and moves into it what waited in the
-- default partition: Postgres refuses a partition whose rows already lie in the default one.
create function make_event_partition(first_day date) returns void language plpgsql as $$
declare
    partition_name text := 'event_' || to_char(first_day, 'YYYY_MM');
    month_begins timestamptz := first_day::timestamp at time zone 'UTC';
    month_ends timestamptz := (first_day + interval '1 month')::timestamp at time zone 'UTC';
begin
    -- Replicas keep the same timetable.
    perform pg_advisory_xact_lock(hashtext('make_event_partition'));
    if to_regclass(partition_name) is not null then
        return;
    end if;
    -- Before any row moves: the consumer may be writing to the default partition right now.
    lock table event in share row exclusive mode;
    execute format('create table %I (like event including all)', partition_name);
    execute format(
        'with moved as (delete from event_default where occurred_at >= %L and occurred_at < %L returning *)
         insert into %I select * from moved', month_begins, month_ends, partition_name);
    execute format(
        'alter table event attach partition %I for values from (%L) to (%L)', partition_name, month_begins, month_ends);
end
$$;

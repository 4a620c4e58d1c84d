-- Every event once, in one partition per UTC month. Partitions are created ahead of time; events of other months go to the
-- default partition until their month's partition is created.
create table event (
    event_id text not null,
    -- Time of the event, which can be days before its arrival (browsers).
    occurred_at timestamptz not null,
    -- Type of the event, such as `stillpoint.checkout.subscription.activated`.
    name text not null,
    source text not null,
    -- The CloudEvents subject: the id of the entity.
    subject text,
    lang text,
    country text,
    data jsonb not null,
    -- Ids and keyed hashes in the event that identify a member or their orders; export and erasure search by them.
    -- Empty for most browser events.
    subject_ids text[] not null default '{}',
    primary key (occurred_at, event_id)
) partition by range (occurred_at);

create table event_default partition of event default;

create index event_subject_ids_idx on event using gin (subject_ids);

-- Number of events by type and UTC day, updated in the transaction that stores the event.
create table daily_count (
    day date not null,
    event text not null,
    count bigint not null,
    primary key (day, event)
);

-- Creates the partition of the month that begins on `first_day`, unless it exists, and moves its rows out of the default
-- partition: Postgres rejects a partition while the default one holds rows of its range.
create function make_event_partition(first_day date) returns void language plpgsql as $$
declare
    partition_name text := 'event_' || to_char(first_day, 'YYYY_MM');
    month_start timestamptz := first_day::timestamp at time zone 'UTC';
    month_end timestamptz := (first_day + interval '1 month')::timestamp at time zone 'UTC';
begin
    -- Several replicas run the same timer.
    perform pg_advisory_xact_lock(hashtext('make_event_partition'));
    if to_regclass(partition_name) is not null then
        return;
    end if;
    -- Before any row moves: the consumer may be writing to the default partition.
    lock table event in share row exclusive mode;
    execute format('create table %I (like event including all)', partition_name);
    execute format(
        'with moved as (delete from event_default where occurred_at >= %L and occurred_at < %L returning *)
         insert into %I select * from moved', month_start, month_end, partition_name);
    execute format(
        'alter table event attach partition %I for values from (%L) to (%L)', partition_name, month_start, month_end);
end
$$;

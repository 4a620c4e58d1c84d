-- The service's role may not create tables. It calls this function, which runs as its owner and creates the partition of one month,
-- nothing else. The search path is fixed, so that no object of the caller is used.
create or replace function make_event_partition(first_day date) returns void
language plpgsql security definer set search_path = analytics, pg_temp as $$
declare
    partition_name text := 'event_' || to_char(first_day, 'YYYY_MM');
    month_start timestamptz := first_day::timestamp at time zone 'UTC';
    month_end timestamptz := (first_day + interval '1 month')::timestamp at time zone 'UTC';
begin
    if first_day <> date_trunc('month', first_day)::date then
        raise exception '% is not the first day of a month', first_day;
    end if;
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

revoke execute on function make_event_partition(date) from public;

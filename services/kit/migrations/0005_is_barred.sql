-- Whether any of these was an erased person's; until the transaction ends, none of them becomes one. The look is a statement of
-- its own: it sees what was committed while the lock was waited for.
create function is_barred(keys bigint[], marks bytea[]) returns boolean language plpgsql as $$
begin
    perform pg_advisory_xact_lock_shared(key) from unnest(keys) as key;
    return exists (select from erased_mark where mark_hash = any(marks));
end $$;

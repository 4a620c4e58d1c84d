-- One service: its schema belongs to {migrations}, which migrates it. {service} reads and writes the rows, nothing else.
-- Runs after both roles exist, any number of times. The names are quoted.

-- An administrator that is no superuser, as at providers of Postgres, needs the membership to make a schema for the role.
do $$
begin
    if not (select rolsuper from pg_roles where rolname = current_user) then
        grant {migrations} to current_user;
    end if;
end
$$;

create schema if not exists {schema} authorization {migrations};
alter schema {schema} owner to {migrations};

-- Objects of an installation that had one role for all. Sequences of columns follow their tables.
do $$
declare
    statement text;
begin
    for statement in
        select format('alter table %s owner to {migrations}', relation.oid::regclass)
        from pg_class as relation
        where relation.relnamespace = '{schema}'::regnamespace
          and relation.relkind in ('r', 'p', 'v', 'm')
          and relation.relowner <> '{migrations}'::regrole
        union all
        select format('alter sequence %s owner to {migrations}', relation.oid::regclass)
        from pg_class as relation
        where relation.relnamespace = '{schema}'::regnamespace
          and relation.relkind = 'S'
          and relation.relowner <> '{migrations}'::regrole
          and not exists (
              select from pg_depend as dependency
              where dependency.classid = 'pg_class'::regclass
                and dependency.objid = relation.oid
                and dependency.deptype in ('a', 'i'))
        union all
        select format('alter routine %s owner to {migrations}', routine.oid::regprocedure)
        from pg_proc as routine
        where routine.pronamespace = '{schema}'::regnamespace
          and routine.proowner <> '{migrations}'::regrole
        union all
        select format('alter type %s owner to {migrations}', type.oid::regtype)
        from pg_type as type
        where type.typnamespace = '{schema}'::regnamespace
          and type.typtype in ('e', 'd')
          and type.typowner <> '{migrations}'::regrole
    loop
        execute statement;
    end loop;
end
$$;

revoke all on schema {schema} from public;
grant usage on schema {schema} to {service};
revoke create on schema {schema} from {service};

-- What exists.
grant select, insert, update, delete on all tables in schema {schema} to {service};
grant usage on all sequences in schema {schema} to {service};
revoke execute on all functions in schema {schema} from public;
grant execute on all functions in schema {schema} to {service};

-- What migrations add.
alter default privileges for role {migrations} in schema {schema} grant select, insert, update, delete on tables to {service};
alter default privileges for role {migrations} in schema {schema} grant usage on sequences to {service};
alter default privileges for role {migrations} revoke execute on functions from public;
alter default privileges for role {migrations} in schema {schema} grant execute on functions to {service};

-- The histories of migrations are written by their owner only.
do $$
declare
    history regclass;
begin
    foreach history in array array[to_regclass('{schema}.kit_migrations'), to_regclass('{schema}._sqlx_migrations')]
    loop
        if history is not null then
            execute format('revoke insert, update, delete on %s from {service}', history);
        end if;
    end loop;
end
$$;

grant connect on database {database} to {service}, {migrations};

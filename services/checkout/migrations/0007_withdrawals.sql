-- Withdrawals from a contract (Directive (EU) 2023/2673). Anyone may declare one; an operator finds the order and accepts it.

-- The declaration as typed. Append-only, except that an erasure empties the personal fields.
create table withdrawal (
    withdrawal_id uuid primary key,
    full_name     text        not null check (length(full_name) <= 100),
    -- Where the confirmation is sent, in lower case. Empty, like full_name and reference: erased.
    email         text        not null check (length(email) <= 254),
    -- The declared number of an order, a subscription or a receipt; not verified.
    reference     text        not null check (length(reference) <= 200),
    language      text        not null,
    -- The signed-in member. Null: a visitor, or erased.
    user_id       text,
    received_at   timestamptz not null
);
create index withdrawal_received_idx on withdrawal (received_at);
create index withdrawal_email_idx on withdrawal (email, received_at);
create index withdrawal_user_idx on withdrawal (user_id) where user_id is not null;

-- The audit log: each kind at most once per withdrawal. Contains no personal data.
create table withdrawal_event (
    withdrawal_id  uuid        not null references withdrawal,
    kind           text        not null check (kind in ('received', 'accepted', 'erased')),
    occurred_at    timestamptz not null,
    -- The order that is terminated and refunded.
    order_id       uuid references orders,
    -- Null: nothing had been paid.
    refunded_minor bigint check (refunded_minor > 0),
    currency       text,
    primary key (withdrawal_id, kind),
    check ((kind = 'accepted') = (order_id is not null)),
    check ((refunded_minor is null) = (currency is null)),
    check (kind = 'accepted' or refunded_minor is null)
);
create index withdrawal_event_order_idx on withdrawal_event (order_id) where order_id is not null;

create function forbid_withdrawal_update() returns trigger language plpgsql as $$
begin
    raise exception 'withdrawals are append-only' using errcode = 'restrict_violation', constraint = 'withdrawal_append_only';
end $$;
create trigger withdrawal_append_only before delete or truncate on withdrawal
    execute function forbid_withdrawal_update();
create trigger withdrawal_event_append_only before update or delete or truncate on withdrawal_event
    execute function forbid_withdrawal_update();
-- The only permitted update is an erasure.
create trigger withdrawal_erase_only before update on withdrawal for each row
    when (new.full_name <> '' or new.email <> '' or new.reference <> '' or new.user_id is not null
        or new.withdrawal_id <> old.withdrawal_id or new.language <> old.language or new.received_at <> old.received_at)
    execute function forbid_withdrawal_update();

-- Withdrawals from a contract, as they were declared (Directive (EU) 2023/2673). Anybody may declare one, signed in or not: whose
-- contract it is, somebody of ours finds out. The names come and go as they were typed, and only an erasure empties them.
create table withdrawal (
    withdrawal_id uuid primary key,
    full_name     text        not null check (length(full_name) <= 100),
    -- Where it is confirmed to, in lower case. Empty, as the other two: erased.
    email         text        not null check (length(email) <= 254),
    -- What they say it is about: the number of an order, a subscription or a receipt.
    reference     text        not null check (length(reference) <= 200),
    language      text        not null,
    -- Who was signed in; null: a visitor, or erased.
    user_id       text,
    received_at   timestamptz not null
);
create index withdrawal_received_idx on withdrawal (received_at);
create index withdrawal_email_idx on withdrawal (email, received_at);
create index withdrawal_user_idx on withdrawal (user_id) where user_id is not null;

-- What was done about each, once. Nothing in it is personal.
create table withdrawal_step (
    withdrawal_id  uuid        not null references withdrawal,
    step           text        not null check (step in ('received', 'accepted', 'erased')),
    at             timestamptz not null,
    -- Whose money goes back.
    order_id       uuid references orders,
    -- What goes back; null where nothing had been paid.
    refunded_minor bigint check (refunded_minor > 0),
    currency       text,
    primary key (withdrawal_id, step),
    check ((step = 'accepted') = (order_id is not null)),
    check ((refunded_minor is null) = (currency is null)),
    check (step = 'accepted' or refunded_minor is null)
);
create index withdrawal_step_order_idx on withdrawal_step (order_id) where order_id is not null;

create function refuse_rewriting_withdrawals() returns trigger language plpgsql as $$
begin
    raise exception 'withdrawals are only added to' using errcode = 'restrict_violation', constraint = 'withdrawal_is_kept';
end $$;
create trigger withdrawal_is_kept before delete or truncate on withdrawal
    execute function refuse_rewriting_withdrawals();
create trigger withdrawal_step_is_kept before update or delete or truncate on withdrawal_step
    execute function refuse_rewriting_withdrawals();
-- An erasure takes out the person, and nothing else.
create trigger withdrawal_is_not_rewritten before update on withdrawal for each row
    when (new.full_name <> '' or new.email <> '' or new.reference <> '' or new.user_id is not null
        or new.withdrawal_id <> old.withdrawal_id or new.language <> old.language or new.received_at <> old.received_at)
    execute function refuse_rewriting_withdrawals();

-- Besides what members want: what a withdrawal that was accepted has come to, its end at once.
alter table subscription_wish drop constraint subscription_wish_kind_check;
alter table subscription_wish add constraint subscription_wish_kind_check
    check (kind in ('cancel', 'keep', 'card', 'pause', 'resume', 'plan', 'end'));

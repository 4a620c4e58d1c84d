-- Where every amount came from and went to, twice: each transaction's entries sum to zero. Debits are positive.
create table ledger_transaction (
    transaction_id uuid primary key,
    kind           text        not null
        check (kind in ('capture', 'surplus_capture', 'refund', 'surplus_refund', 'refund_return', 'surplus_refund_return')),
    -- What is booked, such as `capture/pay_…`: booking it again changes nothing.
    natural_key    text        not null,
    order_id       uuid        not null references orders,
    payment_id     uuid        not null references payment,
    occurred_at    timestamptz not null
);
create unique index ledger_transaction_key on ledger_transaction (natural_key);
create index ledger_transaction_order_idx on ledger_transaction (order_id);

create table ledger_entry (
    transaction_id uuid     not null references ledger_transaction,
    line           smallint not null check (line > 0),
    account        text     not null check (account in ('revenue', 'refunds', 'suspense') or account ~ '^receivable:[a-z]+$'),
    currency       text     not null check (currency ~ '^[A-Z]{3}$'),
    amount_minor   bigint   not null check (amount_minor <> 0),
    primary key (transaction_id, line)
);
create index ledger_entry_account_idx on ledger_entry (account, currency);

create function refuse_unbalanced_transaction() returns trigger language plpgsql set search_path from current as $$
begin
    if not exists (select from ledger_entry where transaction_id = new.transaction_id)
        or exists (select from ledger_entry where transaction_id = new.transaction_id
            group by currency having sum(amount_minor) <> 0)
    then
        raise exception 'ledger transaction % does not sum to zero', new.transaction_id
            using errcode = 'check_violation', constraint = 'ledger_transaction_balanced';
    end if;
    return null;
end $$;
-- At the commit, when all entries are there.
create constraint trigger ledger_transaction_balanced after insert on ledger_transaction
    deferrable initially deferred for each row execute function refuse_unbalanced_transaction();
create constraint trigger ledger_entry_balanced after insert on ledger_entry
    deferrable initially deferred for each row execute function refuse_unbalanced_transaction();

create function refuse_rewriting() returns trigger language plpgsql as $$
begin
    raise exception 'the ledger is only added to' using errcode = 'restrict_violation', constraint = 'ledger_is_kept';
end $$;
create trigger ledger_transaction_is_kept before update or delete or truncate on ledger_transaction
    execute function refuse_rewriting();
create trigger ledger_entry_is_kept before update or delete or truncate on ledger_entry
    execute function refuse_rewriting();

create table refund (
    refund_id          uuid primary key,
    order_id           uuid        not null references orders,
    payment_id         uuid        not null references payment,
    amount_minor       bigint      not null check (amount_minor > 0),
    currency           text        not null,
    -- surplus: the order had been paid by another payment. at_provider: somebody made it there, by hand.
    reason             text        not null check (reason in ('requested', 'surplus', 'at_provider')),
    -- Committed before the provider is called; every repeat of the call carries it.
    idempotency_key    text        not null,
    -- Since when the key is in use: the provider forgets keys.
    keyed_at           timestamptz not null,
    state              text        not null
        check (state in ('intended', 'unknown', 'processing', 'succeeded', 'failed', 'returned')),
    provider_refund_id text,
    succeeded_at       timestamptz,
    -- Given back, and come back to us: the buyer's bank did not take it.
    returned_at        timestamptz,
    failure_code       text,
    created_at         timestamptz not null,
    check ((state in ('succeeded', 'returned')) = (succeeded_at is not null)),
    check ((state = 'returned') = (returned_at is not null)),
    check ((state = 'failed') = (failure_code is not null))
);
create unique index refund_idempotency_key on refund (idempotency_key);
create unique index refund_provider_key on refund (provider_refund_id);
-- A surplus payment goes back once.
create unique index refund_surplus_key on refund (payment_id)
    where reason = 'surplus' and state not in ('failed', 'returned');
create index refund_payment_idx on refund (payment_id, created_at);
create index refund_order_idx on refund (order_id);

create function refuse_refund_beyond_capture() returns trigger language plpgsql set search_path from current as $$
declare
    capture record;
    given_back numeric;
begin
    -- Whoever refunds the same payment at this moment is waited for.
    select captured_minor, captured_currency into capture
    from payment where payment_id = new.payment_id for no key update;
    select sum(amount_minor) into given_back
    from refund where payment_id = new.payment_id and state not in ('failed', 'returned');
    if capture.captured_minor is null or capture.captured_currency <> new.currency
        or coalesce(given_back, 0) > capture.captured_minor
    then
        raise exception 'refunds of payment % exceed its capture', new.payment_id
            using errcode = 'check_violation', constraint = 'refund_within_capture';
    end if;
    return null;
end $$;
create trigger refund_within_capture after insert or update on refund
    for each row execute function refuse_refund_beyond_capture();

-- Payments whose refunds the provider has to be asked about: open ones, and those it told us of.
create table refund_watch (
    payment_id    uuid primary key references payment,
    next_check_at timestamptz not null,
    -- Checks since the last news, for the backoff.
    checks        integer     not null default 0
);
create index refund_watch_due_idx on refund_watch (next_check_at);

-- What was captured before there was a ledger.
insert into ledger_transaction (transaction_id, kind, natural_key, order_id, payment_id, occurred_at)
select gen_random_uuid(), case when orders.paid_by = payment_id then 'capture' else 'surplus_capture' end,
    'capture/pay_' || replace(payment_id::text, '-', ''), order_id, payment_id, succeeded_at
from payment join orders using (order_id) where payment.state = 'succeeded' and captured_minor > 0;

insert into ledger_entry (transaction_id, line, account, currency, amount_minor)
select transaction_id, line, account, captured_currency, sign * captured_minor
from ledger_transaction join payment using (payment_id),
    lateral (values
        (1, 'receivable:stripe', 1),
        (2, case kind when 'capture' then 'revenue' else 'suspense' end, -1)) as posting (line, account, sign);

-- What was captured too much and waits for somebody to give it back; where somebody has, the provider says so.
insert into refund (refund_id, order_id, payment_id, amount_minor, currency, reason, idempotency_key, keyed_at, state,
    created_at)
select refund_id, order_id, payment_id, captured_minor, captured_currency, 'surplus',
    'rfd_' || replace(refund_id::text, '-', ''), now(), 'intended', now()
from (
    select gen_random_uuid() as refund_id, payment.* from payment join orders using (order_id)
    where payment.state = 'succeeded' and orders.paid_by is distinct from payment_id and captured_minor > 0) surplus;

insert into refund_watch (payment_id, next_check_at) select payment_id, '-infinity' from refund;

-- Refunds, and the double-entry ledger of every captured and refunded amount.

create table refund (
    refund_id          uuid primary key,
    order_id           uuid        not null references orders,
    payment_id         uuid        not null references payment,
    provider           text        not null check (provider in ('stripe', 'paypal', 'yookassa', 'platron')),
    amount_minor       bigint      not null check (amount_minor > 0),
    currency           text        not null,
    -- excess: the order was already paid by another payment. at_provider: made in the provider's dashboard.
    -- disputed: the buyer's bank took the money back (chargeback, PayPal reversal).
    reason             text        not null check (reason in ('requested', 'excess', 'at_provider', 'disputed')),
    -- Committed before the provider is called. Every repeat of the call carries it.
    idempotency_key    text        not null,
    -- When the key was first used: providers forget keys.
    keyed_at           timestamptz not null,
    state              text        not null
        check (state in ('intended', 'unknown', 'processing', 'succeeded', 'failed', 'returned')),
    provider_refund_id text,
    succeeded_at       timestamptz,
    -- When a succeeded refund came back because the buyer's bank rejected it.
    returned_at        timestamptz,
    failure_code       text,
    created_at         timestamptz not null,
    check ((state in ('succeeded', 'returned')) = (succeeded_at is not null)),
    check ((state = 'returned') = (returned_at is not null)),
    check ((state = 'failed') = (failure_code is not null))
);
create unique index refund_idempotency_key on refund (idempotency_key);
create unique index refund_provider_key on refund (provider, provider_refund_id);
-- An excess payment is refunded once.
create unique index refund_excess_key on refund (payment_id)
    where reason = 'excess' and state not in ('failed', 'returned');
create index refund_payment_idx on refund (payment_id, created_at);
create index refund_order_idx on refund (order_id);

-- Refunds of a payment never exceed its capture. A dispute is booked as the bank reports it: it may follow a refund, or an
-- exchange rate may have changed.
create function check_refund_within_capture() returns trigger language plpgsql set search_path from current as $$
declare
    capture record;
    refunded numeric;
begin
    if new.reason = 'disputed' then
        return null;
    end if;
    -- The lock serialises concurrent refunds of the payment.
    select captured_minor, captured_currency into capture
    from payment where payment_id = new.payment_id for no key update;
    select sum(amount_minor) into refunded
    from refund where payment_id = new.payment_id and state not in ('failed', 'returned') and reason <> 'disputed';
    if capture.captured_minor is null or capture.captured_currency <> new.currency
        or coalesce(refunded, 0) > capture.captured_minor
    then
        raise exception 'refunds of payment % exceed its capture', new.payment_id
            using errcode = 'check_violation', constraint = 'refund_within_capture';
    end if;
    return null;
end $$;
create trigger refund_within_capture after insert or update on refund
    for each row execute function check_refund_within_capture();

-- The queue of payments whose refunds are read from the provider: open refunds, and payments named by a refund webhook.
create table refund_reconciliation (
    payment_id    uuid primary key references payment,
    next_check_at timestamptz not null,
    -- Checks since the last change, for the backoff.
    poll_count    integer     not null default 0
);
create index refund_reconciliation_due_idx on refund_reconciliation (next_check_at);

-- Debits are positive; the entries of a transaction sum to zero.
create table ledger_transaction (
    transaction_id uuid primary key,
    kind           text        not null check (kind in (
        'capture', 'excess_capture', 'refund', 'excess_refund', 'refund_return', 'excess_refund_return', 'renewal')),
    -- What is posted, such as `capture/pay_…`. Posting it again changes nothing.
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

create function check_transaction_balanced() returns trigger language plpgsql set search_path from current as $$
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
-- Checked at commit, when all entries are inserted.
create constraint trigger ledger_transaction_balanced after insert on ledger_transaction
    deferrable initially deferred for each row execute function check_transaction_balanced();
create constraint trigger ledger_entry_balanced after insert on ledger_entry
    deferrable initially deferred for each row execute function check_transaction_balanced();

create function forbid_ledger_update() returns trigger language plpgsql as $$
begin
    raise exception 'the ledger is append-only' using errcode = 'restrict_violation', constraint = 'ledger_append_only';
end $$;
create trigger ledger_transaction_append_only before update or delete or truncate on ledger_transaction
    execute function forbid_ledger_update();
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
    execute function forbid_ledger_update();

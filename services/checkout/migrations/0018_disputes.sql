-- A refund that is none: the buyer's bank took the money back. What PayPal's reversals are called from now on as well.
alter table refund drop constraint refund_reason_check;
alter table refund add constraint refund_reason_check
    check (reason in ('requested', 'surplus', 'at_provider', 'disputed'));

-- What is given back stays within the capture. What a bank takes is a fact, also where something had been given back before or its
-- rate of exchange has changed: it is booked as it is.
create or replace function refuse_refund_beyond_capture() returns trigger language plpgsql set search_path from current as $$
declare
    capture record;
    given_back numeric;
begin
    if new.reason = 'disputed' then
        return null;
    end if;
    -- Whoever refunds the same payment at this moment is waited for.
    select captured_minor, captured_currency into capture
    from payment where payment_id = new.payment_id for no key update;
    select sum(amount_minor) into given_back
    from refund where payment_id = new.payment_id and state not in ('failed', 'returned') and reason <> 'disputed';
    if capture.captured_minor is null or capture.captured_currency <> new.currency
        or coalesce(given_back, 0) > capture.captured_minor
    then
        raise exception 'refunds of payment % exceed its capture', new.payment_id
            using errcode = 'check_violation', constraint = 'refund_within_capture';
    end if;
    return null;
end $$;

-- A refund that is none: the buyer's bank took the money back. What PayPal's reversals are called from now on as well.
alter table refund drop constraint refund_reason_check;
alter table refund add constraint refund_reason_check
    check (reason in ('requested', 'surplus', 'at_provider', 'disputed'));

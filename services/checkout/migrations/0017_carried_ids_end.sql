-- No process of the version that wrote these runs any more: 0009 carried them along for it.
drop trigger carry_stripe_ids on payment;
drop function carry_stripe_ids();
alter table payment drop column stripe_subscription_id, drop column stripe_payment_intent_id;

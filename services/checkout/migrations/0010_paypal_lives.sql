-- PayPal's renewals are looked after like Stripe's: what was bought there before has a life from now on, and what was renewed
-- meanwhile is found in PayPal's own list.
insert into subscription_life (subscription_id, due_at)
select subscription.subscription_id, 'epoch'
from subscription join orders using (order_id) join payment on payment.order_id = orders.order_id
where payment.provider = 'paypal' and payment.kind = 'first' and payment.state in ('succeeded', 'deferred')
    and (orders.paid_by is null or orders.paid_by = payment.payment_id)
    and activated_at is not null and subscription.state not in ('canceled', 'expired')
on conflict (subscription_id) do nothing;

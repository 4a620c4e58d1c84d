// Stripe's official library against the sandbox: whatever it does with Stripe, it does with the sandbox.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import Stripe from 'stripe';

import { DAY, EMPTY, failure, intentOf, open } from '../shop.js';
import { WEBHOOK_SECRET } from '../sandbox.js';

const { errors } = Stripe;

const { sandbox, stripe, shop } = await open();

describe('customers and their cards', () => {
  test('are created, changed, found and deleted', async () => {
    const made = await stripe.customers.create({ email: 'grace@example.com', metadata: { user_id: 'usr_2' } });
    const changed = await stripe.customers.update(made.id, { name: 'Grace', metadata: { user_id: '', at: 'home' } });
    assert.deepEqual({ ...changed.metadata }, { at: 'home' });
    assert.equal((await stripe.customers.retrieve(made.id)).name, 'Grace');
    const found = await stripe.customers.list({ email: 'grace@example.com', limit: 100 });
    assert.deepEqual(found.data.map(({ id }) => id), [made.id]);
    assert.equal((await stripe.customers.del(made.id)).deleted, true);
    const gone = await failure(stripe.customers.update(made.id, { name: 'Deleted' }), errors.StripeInvalidRequestError);
    assert.equal(gone.code, 'resource_missing');
  });

  test('keep their cards', async () => {
    const { customer, card: first } = await shop.buyer();
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: first } });
    const second = await stripe.paymentMethods.attach('pm_card_mastercard', { customer });
    const kept = await stripe.customers.listPaymentMethods(customer, { type: 'card' });
    assert.deepEqual(kept.data.map(({ card }) => card.brand), ['mastercard', 'visa']);
    assert.equal((await stripe.paymentMethods.list({ customer, type: 'card' })).data.length, 2);
    assert.equal((await stripe.paymentMethods.detach(second.id)).customer, null);
    assert.equal((await stripe.paymentMethods.retrieve(first)).customer, customer);
  });
});

describe('subscriptions', () => {
  test('are paid at once, found, changed and cancelled', async () => {
    const made = await shop.subscribe({ metadata: { payment_id: 'pay_1' } });
    assert.equal(made.status, 'active');
    assert.equal(made.latest_invoice.status, 'paid');
    const intent = await stripe.paymentIntents.retrieve(intentOf(made));
    assert.equal(intent.amount_received, 1200);

    const listed = await stripe.subscriptions.list({ customer: made.customer, status: 'all', limit: 100 });
    assert.equal(listed.data[0].metadata.payment_id, 'pay_1');
    const ending = await stripe.subscriptions.update(made.id, { cancel_at_period_end: true });
    assert.equal(ending.cancel_at, ending.items.data[0].current_period_end);
    assert.equal((await stripe.subscriptions.update(made.id, { cancel_at_period_end: false })).cancel_at, null);
    assert.equal((await stripe.subscriptions.cancel(made.id)).status, 'canceled');
    assert.equal((await stripe.subscriptions.retrieve(made.id)).status, 'canceled');
  });

  test('begin with a trial that saves the card', async () => {
    const trial = await shop.subscribe({ trial_period_days: 7 });
    assert.equal(trial.status, 'trialing');
    assert.equal(trial.latest_invoice.amount_due, 0);
    assert.equal(trial.trial_end - trial.trial_start, 7 * DAY);
  });

  test('wait for 3-D Secure', async () => {
    const waiting = await shop.subscribe({ number: '4000000000003220', payment_behavior: 'allow_incomplete' });
    assert.equal(waiting.status, 'incomplete');
    assert.equal(waiting.latest_invoice.confirmation_secret.type, 'payment_intent');
    const intent = await stripe.paymentIntents.retrieve(intentOf(waiting));
    assert.equal(intent.status, 'requires_action');
    assert.equal(intent.next_action.type, 'use_stripe_sdk');
  });

  test('that could not be paid are paid with another card', async () => {
    const unpaid = await shop.subscribe({ number: EMPTY, payment_behavior: 'allow_incomplete' });
    assert.equal(unpaid.status, 'incomplete');
    const error = await failure(stripe.invoices.pay(unpaid.latest_invoice.id), errors.StripeCardError);
    assert.equal(error.decline_code, 'generic_decline');
    const other = await stripe.paymentMethods.attach('pm_card_visa', { customer: unpaid.customer });
    const paid = await stripe.invoices.pay(unpaid.latest_invoice.id, { payment_method: other.id });
    assert.equal(paid.status, 'paid');
    assert.equal((await stripe.subscriptions.retrieve(unpaid.id)).status, 'active');
  });

  test('have invoices with lines and payments', async () => {
    const { id, customer, latest_invoice: latest } = await shop.subscribe();
    const invoices = await stripe.invoices.list({ subscription: id });
    assert.deepEqual(invoices.data.map((invoice) => invoice.id), [latest.id]);
    const invoice = await stripe.invoices.retrieve(latest.id, { expand: ['payments.data.payment.payment_intent'] });
    assert.equal(invoice.parent.subscription_details.subscription, id);
    assert.equal(invoice.payments.data[0].payment.payment_intent.customer, customer);
    assert.equal((await stripe.invoices.listLineItems(latest.id)).data[0].amount, 1200);
    assert.equal((await stripe.invoicePayments.list({ invoice: latest.id })).data[0].status, 'paid');
  });
});

describe('intents and refunds', () => {
  test('a payment intent is paid and given back in parts', async () => {
    const { customer, card } = await shop.buyer();
    const intent = await stripe.paymentIntents.create({
      amount: 5000,
      currency: 'try',
      customer,
      payment_method: card,
      confirm: true,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      expand: ['latest_charge'],
    });
    assert.equal(intent.status, 'succeeded');
    assert.equal(intent.latest_charge.amount_captured, 5000);
    const part = { payment_intent: intent.id, amount: 2000, reason: 'requested_by_customer', metadata: { refund_id: 'rfd_1' } };
    assert.equal((await stripe.refunds.create(part)).status, 'succeeded');
    assert.equal((await stripe.refunds.list({ payment_intent: intent.id })).data.length, 1);
    const beyond = await failure(stripe.refunds.create({ ...part, amount: 3001 }), errors.StripeInvalidRequestError);
    assert.equal(beyond.param, 'amount');
    assert.equal((await stripe.charges.retrieve(intent.latest_charge.id)).amount_refunded, 2000);
  });

  test('a dispute takes the money, and is won by its evidence', async () => {
    const intent = intentOf(await shop.subscribe({ number: '4000000000000259' }));
    const { data: disputes } = await stripe.disputes.list({ payment_intent: intent, expand: ['data.charge'] });
    const [{ id, status, balance_transactions: [taken], charge }] = disputes;
    assert.deepEqual([status, taken.amount, charge.disputed], ['needs_response', -1200, true]);
    const won = await stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
    assert.deepEqual([won.status, won.balance_transactions[1].amount], ['won', 1200]);
    await failure(stripe.disputes.close(id), errors.StripeInvalidRequestError);
  });

  test('an intent is confirmed later, or cancelled', async () => {
    const { customer, card } = await shop.buyer();
    const open = await stripe.paymentIntents.create({ amount: 700, currency: 'jpy', customer });
    assert.equal(open.status, 'requires_payment_method');
    await stripe.paymentIntents.update(open.id, { metadata: { order_id: 'ord_1' } });
    const paid = await stripe.paymentIntents.confirm(open.id, { payment_method: card, return_url: 'https://shop.example/' });
    assert.equal(paid.status, 'succeeded');
    const other = await stripe.paymentIntents.create({ amount: 700, currency: 'jpy' });
    const given = await stripe.paymentIntents.cancel(other.id, { cancellation_reason: 'abandoned' });
    assert.equal(given.status, 'canceled');
  });

  test('a setup intent saves a card', async () => {
    const customer = (await stripe.customers.create({})).id;
    const setup = await stripe.setupIntents.create({
      customer,
      payment_method: 'pm_card_visa',
      confirm: true,
      usage: 'off_session',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    });
    assert.equal(setup.status, 'succeeded');
    const saved = await stripe.paymentMethods.retrieve(setup.payment_method);
    assert.equal(saved.customer, customer);
    const off = { amount: 900, currency: 'usd', customer, payment_method: saved.id, off_session: true, confirm: true };
    assert.equal((await stripe.paymentIntents.create(off)).status, 'succeeded');
  });
});

describe('errors', () => {
  test('of cards tell why', async () => {
    for (const [number, decline, code] of [
      ['4000000000000002', 'generic_decline', 'card_declined'],
      ['4000000000009995', 'insufficient_funds', 'card_declined'],
      ['4000000000000069', '', 'expired_card'],
    ]) {
      const { customer } = await shop.buyer();
      const { id } = await shop.card(number);
      const error = await failure(stripe.paymentMethods.attach(id, { customer }), errors.StripeCardError);
      assert.deepEqual([error.code, error.decline_code, error.statusCode], [code, decline, 402]);
    }
  });

  test('of a wrong key', async () => {
    const error = await failure(sandbox.library('sk_test_wrong').customers.list(), errors.StripeAuthenticationError);
    assert.equal(error.statusCode, 401);
  });

  test('of an unknown object', async () => {
    const missing = await failure(stripe.customers.retrieve('cus_none'), errors.StripeInvalidRequestError);
    assert.deepEqual([missing.statusCode, missing.code, missing.param], [404, 'resource_missing', 'id']);
    const removed = { customer: 'cus_1', items: [{ price: 'price_1' }], coupon: 'SPRING' };
    const unknown = await failure(stripe.subscriptions.create(removed), errors.StripeInvalidRequestError);
    assert.deepEqual([unknown.code, unknown.param], ['parameter_unknown', 'coupon']);
    const older = stripe.customers.list({}, { apiVersion: '2024-06-20' });
    assert.equal((await failure(older, errors.StripeInvalidRequestError)).statusCode, 400);
  });

  test('of a busy or broken Stripe', async () => {
    const fault = { match: { method: 'POST', path: '/v1/customers' }, action: { type: 'error', status: 429 } };
    await sandbox.control('POST', 'faults', fault);
    await failure(stripe.customers.create({}), errors.StripeRateLimitError);
    await sandbox.control('POST', 'faults', { ...fault, action: { type: 'error', status: 500 } });
    await failure(stripe.customers.create({}), errors.StripeAPIError);
    // The library tries once more by itself when a connection is cut.
    await sandbox.control('POST', 'faults', { ...fault, times: 2, action: { type: 'drop_before' } });
    await failure(stripe.customers.create({}), errors.StripeConnectionError);
  });
});

describe('idempotency', () => {
  test('a key makes one effect, and another request under it is refused', async () => {
    const once = { idempotencyKey: 'the-click' };
    const first = await stripe.customers.create({ name: 'Ada' }, once);
    const again = await stripe.customers.create({ name: 'Ada' }, once);
    assert.equal(again.id, first.id);
    assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true');
    const other = stripe.customers.create({ name: 'Grace' }, once);
    assert.equal((await failure(other, errors.StripeIdempotencyError)).statusCode, 400);
  });

  test('the library repeats what got no answer, and there is one effect', async () => {
    const path = '/v1/customers';
    await sandbox.control('POST', 'faults', { match: { method: 'POST', path }, action: { type: 'drop_after_commit' } });
    const patient = sandbox.library(undefined, { maxNetworkRetries: 2 });
    const made = await patient.customers.create({ email: 'lost@example.com' });
    const found = await stripe.customers.list({ email: 'lost@example.com' });
    assert.deepEqual(found.data.map(({ id }) => id), [made.id]);
  });
});

describe('lists', () => {
  test('go on by themselves, in both ways of asking', async () => {
    const { customer, card } = await shop.buyer();
    const made = [];
    for (let at = 0; at < 7; at += 1) {
      const paid = { amount: 100 + at, currency: 'usd', customer, payment_method: card, confirm: true, off_session: true };
      made.unshift((await stripe.paymentIntents.create(paid)).id);
    }
    const ids = [];
    for await (const intent of stripe.paymentIntents.list({ customer, limit: 3 })) {
      ids.push(intent.id);
    }
    assert.deepEqual(ids, made);
    const five = await stripe.paymentIntents.list({ customer, limit: 2 }).autoPagingToArray({ limit: 5 });
    assert.deepEqual(five.map(({ id }) => id), made.slice(0, 5));
  });
});

describe('webhooks', () => {
  test('are made of events that can be listed, and their signature holds', async () => {
    sandbox.received.length = 0;
    const { id } = await shop.subscribe();
    const delivered = await sandbox.until('the subscription webhook is delivered', () =>
      sandbox.received.find(({ body }) => {
        const event = JSON.parse(body);
        return event.type === 'customer.subscription.created' && event.data.object.id === id;
      }),
    );
    const event = stripe.webhooks.constructEvent(delivered.body, delivered.signature, WEBHOOK_SECRET);
    assert.equal(event.api_version, '2026-10-28.endive');
    assert.equal((await stripe.events.retrieve(event.id)).type, event.type);
    const { data } = await stripe.events.list({ types: ['customer.subscription.created'], limit: 100 });
    assert.ok(data.some((listed) => listed.id === event.id));

    const { StripeSignatureVerificationError } = errors;
    const changed = Buffer.from(String(delivered.body).replace(id, 'sub_other'));
    for (const lie of [
      () => stripe.webhooks.constructEvent(changed, delivered.signature, WEBHOOK_SECRET),
      () => stripe.webhooks.constructEvent(delivered.body, delivered.signature, 'whsec_other'),
      () => stripe.webhooks.constructEvent(delivered.body, 't=1,v1=00', WEBHOOK_SECRET),
    ]) {
      assert.throws(lie, StripeSignatureVerificationError);
    }
  });
});

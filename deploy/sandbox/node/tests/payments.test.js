// Payments of their own, what is given back of them and what banks take back, by Stripe's official library.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import Stripe from 'stripe';

import { EMPTY, failure, open } from '../shop.js';

const { errors } = Stripe;
const DISPUTED = '4000000000000259';
const INQUIRED = '4000000000001976';
const ASKING = '4000002760003184';

const { stripe, shop } = await open();

describe('a payment intent', () => {
  test('is searched for by its metadata', async () => {
    const wanted = await shop.pay({ metadata: { payment_id: 'pay_searched', order_id: 'ord_1' } });
    await shop.pay({ metadata: { payment_id: 'pay_other', order_id: 'ord_1' } });
    const found = await stripe.paymentIntents.search({ query: "metadata['payment_id']:'pay_searched'", limit: 1 });
    assert.deepEqual([found.object, found.has_more, found.next_page], ['search_result', false, null]);
    assert.equal(found.url, '/v1/payment_intents/search');
    const [{ id, status, amount_received, metadata }] = found.data;
    assert.deepEqual([id, status, amount_received], [wanted.id, 'succeeded', 5000]);
    assert.deepEqual({ ...metadata }, { payment_id: 'pay_searched', order_id: 'ord_1' });

    const both = stripe.paymentIntents.search({ query: 'metadata["order_id"]:"ord_1"' });
    assert.equal((await both.autoPagingToArray({ limit: 10 })).length, 2);
    const none = await stripe.paymentIntents.search({ query: "metadata['payment_id']:'pay_none'" });
    assert.deepEqual(none.data, []);
    const wrong = stripe.paymentIntents.search({ query: 'pay_searched' });
    assert.equal((await failure(wrong, errors.StripeInvalidRequestError)).statusCode, 400);
  });

  test('says with its charge who paid', async () => {
    const billing_details = { email: 'payer@example.com', name: 'Ada Payer' };
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' };
    const method = await stripe.paymentMethods.create({ type: 'card', card, billing_details });
    assert.deepEqual([method.card.brand, method.card.last4, method.customer], ['visa', '4242', null]);
    const { customer } = await shop.buyer();
    const { id } = await shop.pay({ customer, payment_method: method.id });
    const shown = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge', 'payment_method', 'customer'] });
    const { email, name } = shown.latest_charge.billing_details;
    assert.deepEqual({ email, name }, billing_details);
    assert.deepEqual([shown.payment_method.id, shown.customer.id], [method.id, customer]);
    const unknown = stripe.paymentIntents.retrieve(id, { expand: ['nonsense'] });
    await failure(unknown, errors.StripeInvalidRequestError);
  });

  test('keeps its card for later, and the newest card is listed first', async () => {
    const { customer } = await shop.buyer();
    const { id } = await shop.card('5555555555554444');
    await shop.pay({ customer, payment_method: id, setup_future_usage: 'off_session' });
    const { data } = await stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 });
    assert.deepEqual(data.map(({ card }) => card.last4), ['4444', '4242']);
    const later = await shop.pay({ customer, payment_method: id, off_session: true });
    assert.equal(later.status, 'succeeded');
  });

  test('does not save a card without setup_future_usage', async () => {
    const { customer } = await shop.buyer();
    const { id } = await shop.card('5555555555554444');
    await shop.pay({ customer, payment_method: id });
    const { data } = await stripe.customers.listPaymentMethods(customer, { type: 'card' });
    assert.deepEqual(data.map(({ card }) => card.last4), ['4242']);
  });

  test('that is refused waits for another card', async () => {
    const error = await failure(shop.pay({ number: EMPTY }), errors.StripeCardError);
    assert.deepEqual([error.code, error.decline_code, error.statusCode], ['card_declined', 'generic_decline', 402]);
    const refused = await stripe.paymentIntents.retrieve(error.payment_intent.id, { expand: ['latest_charge'] });
    assert.deepEqual([refused.status, refused.amount_received], ['requires_payment_method', 0]);
    assert.equal(refused.last_payment_error.code, 'card_declined');
    assert.deepEqual([refused.latest_charge.status, refused.latest_charge.paid], ['failed', false]);
    const other = { payment_method: 'pm_card_visa', return_url: 'https://shop.example/' };
    const paid = await stripe.paymentIntents.confirm(refused.id, other);
    assert.deepEqual([paid.status, paid.last_payment_error], ['succeeded', null]);
  });

  test('that asks for 3-D Secure cannot be paid off session', async () => {
    const asking = await shop.pay({ number: ASKING });
    assert.deepEqual([asking.status, asking.latest_charge], ['requires_action', null]);
    assert.ok(asking.client_secret.startsWith(`${asking.id}_secret_`));
    const error = await failure(shop.pay({ number: ASKING, off_session: true }), errors.StripeCardError);
    assert.equal(error.code, 'authentication_required');
  });

  test('is abandoned once', async () => {
    const open = await stripe.paymentIntents.create({ amount: 700, currency: 'jpy' });
    const why = { cancellation_reason: 'abandoned', expand: ['latest_charge'] };
    const given = await stripe.paymentIntents.cancel(open.id, why);
    assert.deepEqual([given.status, given.cancellation_reason, given.latest_charge], ['canceled', 'abandoned', null]);
    assert.equal(typeof given.canceled_at, 'number');
    const again = await failure(stripe.paymentIntents.cancel(open.id), errors.StripeInvalidRequestError);
    assert.equal(again.code, 'payment_intent_unexpected_state');
    const paid = await shop.pay();
    await failure(stripe.paymentIntents.cancel(paid.id), errors.StripeInvalidRequestError);
  });

  test('has the charges that were tried', async () => {
    const paid = await shop.pay();
    const { data } = await stripe.charges.list({ payment_intent: paid.id });
    assert.deepEqual(data.map(({ id, amount_captured }) => [id, amount_captured]), [[paid.latest_charge.id, 5000]]);
    const ofCustomer = await stripe.charges.list({ customer: paid.customer });
    assert.deepEqual(ofCustomer.data.map(({ id }) => id), [paid.latest_charge.id]);
  });
});

describe('a setup intent', () => {
  test('is confirmed, changed, listed and cancelled', async () => {
    const { customer } = await shop.buyer();
    const open = await stripe.setupIntents.create({ customer, usage: 'off_session' });
    assert.equal(open.status, 'requires_payment_method');
    const named = await stripe.setupIntents.update(open.id, { metadata: { order_id: 'ord_1' } });
    assert.equal(named.metadata.order_id, 'ord_1');
    const card = { payment_method: 'pm_card_visa', return_url: 'https://shop.example/' };
    assert.equal((await stripe.setupIntents.confirm(open.id, card)).status, 'succeeded');
    const done = await stripe.setupIntents.retrieve(open.id, { expand: ['payment_method'] });
    assert.equal(done.payment_method.customer, customer);
    const other = await stripe.setupIntents.create({ customer });
    assert.equal((await stripe.setupIntents.cancel(other.id)).status, 'canceled');
    const { data } = await stripe.setupIntents.list({ customer });
    assert.deepEqual(data.map(({ id }) => id), [other.id, open.id]);
  });
});

describe('a refund', () => {
  const refund = (intent, more = {}) => stripe.refunds.create({ payment_intent: intent.id, ...more });

  test('gives all back that is left, and no more', async () => {
    const paid = await shop.pay();
    const metadata = { refund_id: 'rfd_1', order_id: 'ord_1' };
    const part = await refund(paid, { amount: 2000, reason: 'duplicate', metadata });
    assert.deepEqual({ ...part.metadata }, metadata);
    assert.deepEqual([part.amount, part.currency, part.status, part.reason], [2000, 'usd', 'succeeded', 'duplicate']);
    assert.deepEqual([part.payment_intent, part.charge], [paid.id, paid.latest_charge.id]);
    const rest = await refund(paid);
    assert.deepEqual([rest.amount, rest.reason], [3000, null]);
    const charge = await stripe.charges.retrieve(paid.latest_charge.id, { expand: ['refunds'] });
    assert.deepEqual([charge.amount_refunded, charge.refunded], [5000, true]);
    assert.deepEqual(charge.refunds.data.map(({ id }) => id), [rest.id, part.id]);
    const beyond = await failure(refund(paid, { amount: 1 }), errors.StripeInvalidRequestError);
    assert.equal(beyond.code, 'charge_already_refunded');
  });

  test('is found by its payment and by its charge, newest first', async () => {
    const paid = await shop.pay();
    const [first, second] = [await refund(paid, { amount: 100 }), await refund(paid, { amount: 200 })];
    await refund(await shop.pay());
    const ids = [second.id, first.id];
    const byIntent = await stripe.refunds.list({ payment_intent: paid.id, limit: 100 });
    assert.deepEqual(byIntent.data.map(({ id }) => id), ids);
    const byCharge = await stripe.refunds.list({ charge: paid.latest_charge.id });
    assert.deepEqual(byCharge.data.map(({ id }) => id), ids);
    assert.equal((await stripe.refunds.retrieve(first.id)).amount, 100);
  });

  test('under its key is made once', async () => {
    const paid = await shop.pay();
    const once = { idempotencyKey: `refund-${paid.id}` };
    const params = { payment_intent: paid.id, amount: 2000 };
    const [first, again] = [await stripe.refunds.create(params, once), await stripe.refunds.create(params, once)];
    assert.equal(again.id, first.id);
    assert.equal((await stripe.charges.retrieve(paid.latest_charge.id)).amount_refunded, 2000);
  });

  test('of what was never paid is refused', async () => {
    const open = await stripe.paymentIntents.create({ amount: 700, currency: 'usd' });
    await failure(refund(open), errors.StripeInvalidRequestError);
    const nothing = await failure(refund({ id: 'pi_none' }), errors.StripeInvalidRequestError);
    assert.deepEqual([nothing.code, nothing.param], ['resource_missing', 'payment_intent']);
  });

  test('emits events', async () => {
    const paid = await shop.pay();
    const made = await refund(paid, { amount: 100 });
    const { data } = await stripe.events.list({ types: ['charge.refunded', 'refund.created'], limit: 100 });
    const of = (type) => data.find((event) => event.type === type).data.object;
    assert.equal(of('refund.created').id, made.id);
    assert.deepEqual([of('charge.refunded').id, of('charge.refunded').amount_refunded], [paid.latest_charge.id, 100]);
  });
});

describe('a dispute', () => {
  async function disputed(number) {
    const paid = await shop.pay({ number });
    const [dispute, ...others] = (await stripe.disputes.list({ payment_intent: paid.id, limit: 100 })).data;
    assert.deepEqual(others, []);
    assert.deepEqual([dispute.amount, dispute.currency, dispute.payment_intent], [5000, 'usd', paid.id]);
    return { paid, dispute };
  }

  const moved = ({ balance_transactions }) => balance_transactions.map(({ amount }) => amount);

  test('takes what cannot be given back as well', async () => {
    const { paid, dispute } = await disputed(DISPUTED);
    assert.deepEqual([dispute.status, dispute.reason], ['needs_response', 'fraudulent']);
    assert.deepEqual([dispute.is_charge_refundable, moved(dispute)], [false, [-5000]]);
    const refund = stripe.refunds.create({ payment_intent: paid.id });
    assert.equal((await failure(refund, errors.StripeInvalidRequestError)).code, 'charge_disputed');
    assert.deepEqual((await stripe.refunds.list({ payment_intent: paid.id })).data, []);
    const byCharge = await stripe.disputes.list({ charge: paid.latest_charge.id });
    assert.deepEqual(byCharge.data.map(({ id }) => id), [dispute.id]);
  });

  test('is lost when closed', async () => {
    const { dispute } = await disputed(DISPUTED);
    const closed = await stripe.disputes.close(dispute.id);
    assert.deepEqual([closed.status, moved(closed)], ['lost', [-5000]]);
    const evidence = { uncategorized_text: 'winning_evidence' };
    await failure(stripe.disputes.update(dispute.id, { evidence }), errors.StripeInvalidRequestError);
    assert.equal((await stripe.disputes.retrieve(dispute.id)).status, 'lost');
  });

  test('is lost by bad evidence, and not before it is sent', async () => {
    const { dispute } = await disputed(DISPUTED);
    const evidence = { uncategorized_text: 'losing_evidence', customer_name: 'Ada' };
    const staged = await stripe.disputes.update(dispute.id, { evidence, submit: false });
    assert.deepEqual([staged.status, staged.evidence.customer_name], ['needs_response', 'Ada']);
    assert.deepEqual([staged.evidence_details.has_evidence, staged.evidence_details.submission_count], [true, 0]);
    const sent = await stripe.disputes.update(dispute.id, { evidence });
    assert.deepEqual([sent.status, sent.evidence_details.submission_count, moved(sent)], ['lost', 1, [-5000]]);
  });

  test('that is only an inquiry takes nothing, and the money can be given back', async () => {
    const { paid, dispute } = await disputed(INQUIRED);
    assert.deepEqual([dispute.status, moved(dispute)], ['warning_needs_response', []]);
    assert.equal(dispute.is_charge_refundable, true);
    assert.equal((await stripe.refunds.create({ payment_intent: paid.id })).status, 'succeeded');
  });

  test('sends an event for each of its steps', async () => {
    const { dispute } = await disputed(DISPUTED);
    await stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: 'winning_evidence' } });
    const { data } = await stripe.events.list({ limit: 100 });
    const sent = data.filter((event) => event.data.object.id === dispute.id).map(({ type }) => type);
    for (const step of ['created', 'funds_withdrawn', 'updated', 'closed', 'funds_reinstated']) {
      assert.ok(sent.includes(`charge.dispute.${step}`), step);
    }
  });
});

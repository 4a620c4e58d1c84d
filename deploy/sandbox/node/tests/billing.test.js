// What happens to a subscription after its first payment, by Stripe's official library: paused, changed, billed, owed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import Stripe from 'stripe';

import { DAY, EMPTY, MONTH, failure, open } from '../shop.js';

const { errors } = Stripe;

const { sandbox, stripe, shop } = await open();

const now = async () => (await sandbox.control('GET', 'clock')).unix;

const dearer = (more = {}) => shop.price({ unit_amount: 3000, product_data: { name: 'Stillpoint for two' }, ...more });

const invoicesOf = async ({ id }) => (await stripe.invoices.list({ subscription: id, limit: 100 })).data;

const paidFor = async (subscription) => (await invoicesOf(subscription)).filter(({ status }) => status === 'paid');

describe('a pause', () => {
  const pause = ({ id }, resumes_at) =>
    stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at } });

  test('is set, shown and unset, and the subscription stays active', async () => {
    const { id } = await shop.subscribe();
    const resumes_at = (await now()) + 50 * DAY;
    const paused = await pause({ id }, resumes_at);
    assert.deepEqual({ ...paused.pause_collection }, { behavior: 'void', resumes_at });
    assert.equal(paused.status, 'active');
    const shown = await stripe.subscriptions.retrieve(id);
    assert.deepEqual({ ...shown.pause_collection }, { behavior: 'void', resumes_at });
    const named = await stripe.subscriptions.update(id, { metadata: { at: 'home' } });
    assert.equal(named.pause_collection.resumes_at, resumes_at);
    assert.equal((await stripe.subscriptions.update(id, { pause_collection: '' })).pause_collection, null);
    assert.equal((await stripe.subscriptions.retrieve(id)).pause_collection, null);
  });

  test('goes on without an end until it is unset', async () => {
    const { id } = await shop.subscribe();
    const paused = await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
    assert.equal(paused.pause_collection.resumes_at, null);
    await sandbox.pass(3 * MONTH);
    assert.equal((await paidFor({ id })).length, 1);
    await stripe.subscriptions.update(id, { pause_collection: '' });
    await sandbox.pass(MONTH);
    assert.equal((await paidFor({ id })).length, 2);
  });

  test('ends by itself, and only the periods within it are free', async () => {
    const made = await shop.subscribe();
    await pause(made, (await now()) + 40 * DAY);
    await sandbox.pass(MONTH);
    const meanwhile = await stripe.subscriptions.retrieve(made.id);
    assert.equal(meanwhile.status, 'active');
    assert.equal(meanwhile.items.data[0].current_period_start, made.items.data[0].current_period_end);
    const [free, paid] = await invoicesOf(made);
    assert.deepEqual([free.status, free.billing_reason, free.total], ['void', 'subscription_cycle', 1200]);
    assert.deepEqual([free.attempted, free.amount_paid, paid.status], [false, 0, 'paid']);
    assert.equal(meanwhile.latest_invoice, free.id);
    await sandbox.pass(MONTH);
    const after = await stripe.subscriptions.retrieve(made.id);
    assert.equal(after.pause_collection, null);
    assert.deepEqual((await paidFor(made)).map(({ amount_paid }) => amount_paid), [1200, 1200]);
  });

  test('is left for a new period that begins at once', async () => {
    const { id } = await shop.subscribe();
    await pause({ id }, (await now()) + 90 * DAY);
    await sandbox.pass(MONTH + 5 * DAY);
    const began = await now();
    const resumed = await stripe.subscriptions.update(id, {
      pause_collection: '',
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
      expand: ['latest_invoice'],
    });
    assert.equal(resumed.pause_collection, null);
    assert.ok(resumed.billing_cycle_anchor >= began);
    assert.equal(resumed.items.data[0].current_period_start, resumed.billing_cycle_anchor);
    const { status, amount_paid, billing_reason, lines } = resumed.latest_invoice;
    assert.deepEqual([status, amount_paid, billing_reason], ['paid', 1200, 'subscription_update']);
    assert.equal(lines.data[0].parent.subscription_item_details.proration, false);
    assert.equal((await paidFor({ id })).length, 2);
  });
});

describe('a running subscription', () => {
  test('is cancelled with all that is asked to be shown', async () => {
    const { id } = await shop.subscribe({ cancel_at_period_end: true });
    assert.equal((await stripe.subscriptions.retrieve(id)).cancel_at_period_end, true);
    const ended = await stripe.subscriptions.cancel(id, { expand: ['latest_invoice.payments', 'pending_setup_intent'] });
    assert.deepEqual([ended.status, typeof ended.ended_at, ended.latest_invoice.status], ['canceled', 'number', 'paid']);
    assert.equal(ended.cancellation_details.reason, 'cancellation_requested');
    assert.equal(ended.latest_invoice.payments.data[0].status, 'paid');
    assert.equal(ended.pending_setup_intent, null);
    const again = await failure(stripe.subscriptions.cancel(id), errors.StripeInvalidRequestError);
    assert.equal(again.code, 'resource_missing');
    await failure(stripe.subscriptions.update(id, { cancel_at_period_end: false }), errors.StripeInvalidRequestError);
  });

  test('is paid by another card of its customer from now on', async () => {
    const { id, customer } = await shop.subscribe();
    const card = await shop.saved(customer, '5555555555554444');
    const change = { default_payment_method: card, expand: ['default_payment_method'] };
    const { default_payment_method: chosen } = await stripe.subscriptions.update(id, change);
    assert.deepEqual([chosen.id, chosen.card.last4], [card, '4444']);
    await sandbox.pass(MONTH);
    const [{ payments }] = (await stripe.invoices.list({ subscription: id, expand: ['data.payments'] })).data;
    const intent = await stripe.paymentIntents.retrieve(payments.data[0].payment.payment_intent);
    assert.equal(intent.payment_method, card);
    const { card: strangers } = await shop.buyer();
    await failure(stripe.subscriptions.update(id, { default_payment_method: strangers }), errors.StripeInvalidRequestError);
  });

  test('is charged by the network its buyer chose', async () => {
    const chosen = { payment_method_options: { card: { network: 'cartes_bancaires' } } };
    const made = await shop.subscribe({ number: '4000002500001001', payment_settings: chosen });
    assert.equal(made.payment_settings.payment_method_options.card.network, 'cartes_bancaires');
    const [charge] = (await stripe.charges.list({ customer: made.customer })).data;
    assert.equal(charge.payment_method_details.card.network, 'cartes_bancaires');
  });

  test('ends its trial at once', async () => {
    const trial = await shop.subscribe({ trial_period_days: 7 });
    const paid = await stripe.subscriptions.update(trial.id, { trial_end: 'now', expand: ['latest_invoice'] });
    assert.deepEqual([paid.status, paid.latest_invoice.amount_paid], ['active', 1200]);
  });

  test('sends an event three days before a trial ends', async () => {
    const trial = await shop.subscribe({ trial_period_days: 7 });
    await sandbox.pass(5 * DAY);
    const { data } = await stripe.events.list({ type: 'customer.subscription.trial_will_end', limit: 100 });
    assert.ok(data.some((event) => event.data.object.id === trial.id && event.data.object.trial_end === trial.trial_end));
  });
});

describe('another price', () => {
  const pricesOf = (lines) =>
    lines.map(({ amount, pricing }) => [amount, pricing.price_details.price]).sort(([a], [b]) => a - b);

  async function repricing(price, more = {}) {
    const made = await shop.subscribe(more);
    const [item] = made.items.data;
    const items = [{ id: item.id, price: price.id }];
    // In the middle of the period: half of it is still to come.
    const proration_date = (item.current_period_start + item.current_period_end) / 2;
    const details = { items, proration_behavior: 'always_invoice', proration_date };
    return { made, item, details, change: { ...details, payment_behavior: 'error_if_incomplete', off_session: true } };
  }

  test('is charged as its preview said', async () => {
    const price = await dearer();
    const { made, item, details, change } = await repricing(price);
    const preview = await stripe.invoices.createPreview({ subscription: made.id, subscription_details: details });
    assert.match(preview.id, /^upcoming_in_/);
    assert.deepEqual([preview.object, preview.currency, preview.customer], ['invoice', 'usd', made.customer]);
    assert.deepEqual([preview.amount_due, preview.total, preview.amount_paid], [900, 900, 0]);
    assert.deepEqual([preview.status, preview.billing_reason], ['draft', 'upcoming']);
    assert.deepEqual(pricesOf(preview.lines.data), [[-600, item.price.id], [1500, price.id]]);
    assert.equal((await invoicesOf(made)).length, 1);
    assert.equal((await stripe.subscriptions.retrieve(made.id)).items.data[0].price.unit_amount, 1200);

    const changed = await stripe.subscriptions.update(made.id, { ...change, expand: ['latest_invoice'] });
    const [now] = changed.items.data;
    assert.deepEqual([now.id, now.price.id, now.current_period_end], [item.id, price.id, item.current_period_end]);
    const { latest_invoice: invoice } = changed;
    assert.deepEqual([invoice.billing_reason, invoice.status, invoice.amount_paid], ['subscription_update', 'paid', 900]);
    const { data: lines } = await stripe.invoices.listLineItems(invoice.id);
    assert.deepEqual(pricesOf(lines), [[-600, item.price.id], [1500, price.id]]);
    assert.ok(lines.every(({ parent }) => parent.subscription_item_details.proration));
  });

  test('of a longer period begins that period now', async () => {
    const price = await dearer({ unit_amount: 9000, recurring: { interval: 'month', interval_count: 3 } });
    const { made, item, details, change } = await repricing(price);
    const preview = await stripe.invoices.createPreview({ subscription: made.id, subscription_details: details });
    assert.equal(preview.amount_due, 8400);
    const isPart = preview.lines.data.map(({ parent }) => parent.subscription_item_details.proration);
    assert.deepEqual(isPart, [true, false]);
    const changed = await stripe.subscriptions.update(made.id, change);
    assert.ok(changed.items.data[0].current_period_end > item.current_period_end + 2 * 28 * DAY);
    assert.equal(changed.billing_cycle_anchor, changed.items.data[0].current_period_start);
    assert.deepEqual((await paidFor(made)).map(({ amount_paid }) => amount_paid), [8400, 1200]);
  });

  test('that is cheaper is previewed with nothing due', async () => {
    const { made, details } = await repricing(await dearer({ unit_amount: 600 }));
    const preview = await stripe.invoices.createPreview({ subscription: made.id, subscription_details: details });
    assert.deepEqual([preview.total, preview.amount_due], [-300, 0]);
  });

  test('that the card does not pay changes nothing', async () => {
    const { made, change } = await repricing(await dearer());
    await sandbox.control('POST', `stripe/payment_methods/${made.default_payment_method}`, { decline: 'insufficient_funds' });
    const error = await failure(stripe.subscriptions.update(made.id, change), errors.StripeCardError);
    assert.deepEqual([error.code, error.decline_code, error.statusCode], ['card_declined', 'insufficient_funds', 402]);
    const after = await stripe.subscriptions.retrieve(made.id);
    assert.deepEqual([after.status, after.items.data[0].price.unit_amount], ['active', 1200]);
    assert.equal((await invoicesOf(made)).length, 1);
  });

  test('is refused for what is not there', async () => {
    const { made, details } = await repricing(await dearer());
    const items = [{ ...details.items[0], price: 'price_none' }];
    const preview = stripe.invoices.createPreview({ subscription: made.id, subscription_details: { ...details, items } });
    assert.equal((await failure(preview, errors.StripeInvalidRequestError)).code, 'resource_missing');
    const later = { ...details, proration_date: made.items.data[0].current_period_end + 1 };
    await failure(stripe.subscriptions.update(made.id, later), errors.StripeInvalidRequestError);
  });
});

describe('an invoice', () => {
  /** Its trial is over, and the card was empty. */
  async function owing() {
    const made = await shop.subscribe({ number: EMPTY, trial_period_days: 7 });
    await sandbox.pass(8 * DAY);
    const late = await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice.payments'] });
    const { latest_invoice: invoice } = late;
    assert.deepEqual([late.status, invoice.status, invoice.attempted], ['past_due', 'open', true]);
    return { ...made, invoice };
  }

  test('that failed is held, and paid when its holder wants', async () => {
    const { id, customer, invoice } = await owing();
    assert.equal(typeof invoice.next_payment_attempt, 'number');
    const held = await stripe.invoices.update(invoice.id, { auto_advance: false });
    assert.deepEqual([held.auto_advance, held.next_payment_attempt, held.status], [false, null, 'open']);
    await sandbox.pass(20 * DAY);
    assert.equal((await stripe.invoices.retrieve(invoice.id)).attempt_count, 1);

    const error = await failure(stripe.invoices.pay(invoice.id, { off_session: true }), errors.StripeCardError);
    assert.deepEqual([error.code, error.decline_code], ['card_declined', 'generic_decline']);
    assert.equal((await stripe.invoices.retrieve(invoice.id)).attempt_count, 2);
    await stripe.subscriptions.update(id, { default_payment_method: await shop.saved(customer) });
    const paid = await stripe.invoices.pay(invoice.id, { off_session: true, expand: ['payments'] });
    assert.deepEqual([paid.status, paid.amount_paid, paid.amount_remaining], ['paid', 1200, 0]);
    assert.equal(typeof paid.status_transitions.paid_at, 'number');
    assert.equal(paid.payments.data[0].status, 'paid');
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'active');
    await failure(stripe.invoices.pay(invoice.id), errors.StripeInvalidRequestError);
  });

  test('that is void is never asked for again', async () => {
    const { id, invoice } = await owing();
    const closed = await stripe.invoices.voidInvoice(invoice.id, { expand: ['payments'] });
    assert.deepEqual([closed.status, closed.amount_paid, closed.next_payment_attempt], ['void', 0, null]);
    assert.equal(typeof closed.status_transitions.voided_at, 'number');
    assert.equal(closed.payments.data[0].status, 'canceled');
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'active');
    const intent = await stripe.paymentIntents.retrieve(invoice.payments.data[0].payment.payment_intent);
    assert.deepEqual([intent.status, intent.cancellation_reason], ['canceled', 'void_invoice']);
    await failure(stripe.invoices.voidInvoice(invoice.id), errors.StripeInvalidRequestError);
    await failure(stripe.invoices.pay(invoice.id), errors.StripeInvalidRequestError);
    await failure(stripe.invoices.update(invoice.id, { auto_advance: true }), errors.StripeInvalidRequestError);
    await sandbox.pass(10 * DAY);
    assert.equal((await stripe.invoices.retrieve(invoice.id)).attempt_count, 1);
  });

  test('that is paid cannot be void', async () => {
    const { latest_invoice: invoice } = await shop.subscribe();
    await failure(stripe.invoices.voidInvoice(invoice.id), errors.StripeInvalidRequestError);
    assert.equal((await stripe.invoices.retrieve(invoice.id)).status, 'paid');
  });

  test('is listed newest first, with its payments, by subscription, customer and status', async () => {
    const made = await shop.subscribe();
    await sandbox.pass(MONTH);
    const { data } = await stripe.invoices.list({ subscription: made.id, limit: 100, expand: ['data.payments'] });
    assert.deepEqual(data.map(({ billing_reason }) => billing_reason), ['subscription_cycle', 'subscription_create']);
    const [renewal, first] = data;
    assert.equal(renewal.lines.data[0].period.start, first.lines.data[0].period.end);
    for (const { payments } of data) {
      const intent = await stripe.paymentIntents.retrieve(payments.data[0].payment.payment_intent);
      assert.deepEqual([intent.status, intent.amount_received], ['succeeded', 1200]);
    }
    const ids = data.map(({ id }) => id);
    const paid = await stripe.invoices.list({ customer: made.customer, status: 'paid' });
    assert.deepEqual(paid.data.map(({ id }) => id), ids);
    assert.deepEqual((await stripe.invoices.list({ subscription: made.id, status: 'open' })).data, []);
    const [payment] = (await stripe.invoicePayments.list({ invoice: renewal.id })).data;
    assert.equal((await stripe.invoicePayments.retrieve(payment.id)).amount_paid, 1200);
  });
});

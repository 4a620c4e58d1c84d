// Subscription schedules by Stripe's official library: a plan that begins when what is paid for ends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import Stripe from 'stripe';

import { DAY, MONTH, failure, open } from '../shop.js';

const { errors } = Stripe;

const { sandbox, stripe, shop } = await open();

/** A subscription of its own, with a schedule that was made from it. */
async function scheduled() {
  const subscription = await shop.subscribe();
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  return { subscription, schedule, item: subscription.items.data[0] };
}

/** The phase that runs stays as it is, and a cheaper price of three months follows. */
async function planned() {
  const { subscription, schedule, item } = await scheduled();
  const cheaper = await shop.price({ unit_amount: 2400, recurring: { interval: 'month', interval_count: 3 } });
  const updated = await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    default_settings: { default_payment_method: subscription.default_payment_method },
    phases: [
      { items: [{ price: item.price.id, quantity: 1 }], ...schedule.current_phase, proration_behavior: 'none' },
      {
        items: [{ price: cheaper.id, quantity: 1 }],
        duration: { interval: 'month', interval_count: 3 },
        proration_behavior: 'none',
      },
    ],
  });
  return { subscription, schedule: updated, item, cheaper };
}

const paidOf = async ({ id }) => {
  const { data } = await stripe.invoices.list({ subscription: id, status: 'paid', limit: 100 });
  return data.map(({ amount_paid }) => amount_paid);
};

describe('a schedule', () => {
  test('is made from a subscription, with the period that is paid for as its phase', async () => {
    const { subscription, schedule, item } = await scheduled();
    assert.match(schedule.id, /^sub_sched_/);
    assert.deepEqual([schedule.status, schedule.end_behavior], ['active', 'release']);
    assert.deepEqual([schedule.subscription, schedule.customer], [subscription.id, subscription.customer]);
    const period = { start_date: item.current_period_start, end_date: item.current_period_end };
    assert.deepEqual({ ...schedule.current_phase }, period);
    const [phase, ...others] = schedule.phases;
    assert.deepEqual(others, []);
    assert.deepEqual([phase.start_date, phase.end_date], [period.start_date, period.end_date]);
    assert.deepEqual([phase.items[0].price, phase.items[0].quantity], [item.price.id, 1]);

    assert.equal((await stripe.subscriptions.retrieve(subscription.id)).schedule, schedule.id);
    const shown = await stripe.subscriptionSchedules.retrieve(schedule.id, { expand: ['subscription', 'customer'] });
    assert.deepEqual([shown.subscription.id, shown.customer.email], [subscription.id, 'ada@example.com']);
    const { schedule: expanded } = await stripe.subscriptions.retrieve(subscription.id, { expand: ['schedule'] });
    assert.equal(expanded.object, 'subscription_schedule');
  });

  test('is made once for a subscription, and under its key again and again', async () => {
    const { id } = await shop.subscribe();
    const once = { idempotencyKey: `schedule-${id}` };
    const first = await stripe.subscriptionSchedules.create({ from_subscription: id }, once);
    const again = await stripe.subscriptionSchedules.create({ from_subscription: id }, once);
    assert.equal(again.id, first.id);
    await failure(stripe.subscriptionSchedules.create({ from_subscription: id }), errors.StripeInvalidRequestError);
    const nothing = stripe.subscriptionSchedules.create({ from_subscription: 'sub_none' });
    assert.equal((await failure(nothing, errors.StripeInvalidRequestError)).code, 'resource_missing');
  });

  test('takes a phase that follows, and charges nothing for it yet', async () => {
    const { subscription, schedule, item, cheaper } = await planned();
    const [runs, follows] = schedule.phases;
    assert.deepEqual([runs.items[0].price, runs.end_date], [item.price.id, item.current_period_end]);
    assert.deepEqual([follows.items[0].price, follows.start_date], [cheaper.id, runs.end_date]);
    assert.ok(follows.end_date >= follows.start_date + 3 * 28 * DAY);
    assert.deepEqual([runs.proration_behavior, follows.proration_behavior], ['none', 'none']);
    assert.equal(schedule.default_settings.default_payment_method, subscription.default_payment_method);
    assert.equal((await stripe.subscriptions.retrieve(subscription.id)).items.data[0].price.id, item.price.id);
    assert.deepEqual(await paidOf(subscription), [1200]);
  });

  test('begins its phase on time, and is released after the last', async () => {
    const { subscription, schedule, item, cheaper } = await planned();
    await sandbox.pass(MONTH);
    const later = await stripe.subscriptions.retrieve(subscription.id);
    assert.deepEqual([later.status, later.schedule], ['active', schedule.id]);
    const [{ price, current_period_start, current_period_end }] = later.items.data;
    assert.deepEqual([price.id, current_period_start], [cheaper.id, item.current_period_end]);
    assert.equal(later.default_payment_method, subscription.default_payment_method);
    assert.deepEqual(await paidOf(subscription), [2400, 1200]);
    const shown = await stripe.subscriptionSchedules.retrieve(schedule.id);
    assert.deepEqual({ ...shown.current_phase }, { start_date: current_period_start, end_date: current_period_end });

    await sandbox.pass(3 * MONTH);
    const over = await stripe.subscriptionSchedules.retrieve(schedule.id);
    assert.deepEqual([over.status, over.released_subscription], ['released', subscription.id]);
    const free = await stripe.subscriptions.retrieve(subscription.id);
    assert.deepEqual([free.schedule, free.items.data[0].price.id], [null, cheaper.id]);
    assert.deepEqual(await paidOf(subscription), [2400, 2400, 1200]);
  });

  test('is paid by another card, and its phases stay', async () => {
    const { subscription, schedule } = await planned();
    const card = await shop.saved(subscription.customer, '5555555555554444');
    const changed = await stripe.subscriptionSchedules.update(schedule.id, {
      default_settings: { default_payment_method: card },
    });
    assert.equal(changed.default_settings.default_payment_method, card);
    assert.deepEqual(changed.phases, schedule.phases);
    await sandbox.pass(MONTH);
    const [charge] = (await stripe.charges.list({ customer: subscription.customer })).data;
    assert.deepEqual([charge.amount, charge.payment_method], [2400, card]);
  });

  test('is released, and the subscription goes on as it was', async () => {
    const { subscription, schedule, item } = await planned();
    const released = await stripe.subscriptionSchedules.release(schedule.id);
    assert.deepEqual([released.status, released.current_phase, released.subscription], ['released', null, null]);
    assert.equal(released.released_subscription, subscription.id);
    assert.equal(typeof released.released_at, 'number');
    await failure(stripe.subscriptionSchedules.release(schedule.id), errors.StripeInvalidRequestError);
    const update = stripe.subscriptionSchedules.update(schedule.id, { end_behavior: 'release' });
    await failure(update, errors.StripeInvalidRequestError);
    await sandbox.pass(MONTH);
    const free = await stripe.subscriptions.retrieve(subscription.id);
    assert.deepEqual([free.schedule, free.items.data[0].price.id], [null, item.price.id]);
    assert.deepEqual(await paidOf(subscription), [1200, 1200]);
  });

  test('keeps its subscription from being cancelled later beside it, not from being cancelled now', async () => {
    const { subscription, schedule } = await planned();
    const beside = stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    assert.match((await failure(beside, errors.StripeInvalidRequestError)).message, /managed by the subscription schedule/);
    assert.equal((await stripe.subscriptions.cancel(subscription.id)).status, 'canceled');
    const gone = await stripe.subscriptionSchedules.retrieve(schedule.id);
    assert.deepEqual([gone.status, gone.current_phase], ['canceled', null]);
    assert.equal(typeof gone.canceled_at, 'number');
  });

  test('refuses phases that do not follow each other', async () => {
    const { schedule, item } = await scheduled();
    const items = [{ price: item.price.id, quantity: 1 }];
    const { start_date, end_date } = schedule.current_phase;
    for (const phases of [
      [{ items, start_date, end_date: start_date }],
      [{ items, start_date, end_date }, { items, start_date: end_date + DAY, end_date: end_date + 2 * DAY }],
      [{ items: [{ price: 'price_none' }], start_date, end_date }],
    ]) {
      await failure(stripe.subscriptionSchedules.update(schedule.id, { phases }), errors.StripeInvalidRequestError);
    }
    assert.equal((await stripe.subscriptionSchedules.retrieve(schedule.id)).phases.length, 1);
  });

  test('sends an event for each of its steps', async () => {
    const { subscription, schedule } = await planned();
    await stripe.subscriptionSchedules.release(schedule.id);
    const { data } = await stripe.events.list({ limit: 100 });
    const sent = data.filter((event) => event.data.object.id === schedule.id).map(({ type }) => type);
    for (const step of ['created', 'updated', 'released']) {
      assert.ok(sent.includes(`subscription_schedule.${step}`), step);
    }
    const attached = data.filter(({ type, data: { object, previous_attributes: previous } }) =>
      type === 'customer.subscription.updated' && object.id === subscription.id && previous && 'schedule' in previous);
    assert.deepEqual(attached.map((event) => event.data.object.schedule), [null, schedule.id]);
  });
});

// Every object that came of what a shop does, against the shape that Stripe's library declares for it.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import { Conformance } from '../conformance.js';
import { Declarations } from '../declarations.js';
import { PACKAGE } from '../parameters.js';
import { DAY, EMPTY, intentOf, open } from '../shop.js';

const declarations = new Declarations(PACKAGE);

const { sandbox, stripe, shop } = await open();

describe('every object has the shape that Stripe declares', () => {
  const looks = {
    Customer: ['Customers', 'customers'],
    PaymentMethod: ['PaymentMethods', 'payment_methods'],
    Price: ['Prices', 'prices'],
    Product: ['Products', 'products'],
    Subscription: ['Subscriptions', 'subscriptions', 'status=all'],
    Invoice: ['Invoices', 'invoices'],
    InvoicePayment: ['InvoicePayments', 'invoice_payments'],
    PaymentIntent: ['PaymentIntents', 'payment_intents'],
    SetupIntent: ['SetupIntents', 'setup_intents'],
    Charge: ['Charges', 'charges'],
    Refund: ['Refunds', 'refunds'],
    Dispute: ['Disputes', 'disputes'],
    WebhookEndpoint: ['WebhookEndpoints', 'webhook_endpoints'],
  };
  const schedules = [];

  async function schedule() {
    const { id, items } = await shop.subscribe();
    const made = await stripe.subscriptionSchedules.create({ from_subscription: id });
    schedules.push(made.id);
    const [{ price }] = items.data;
    const follows = { items: [{ price: (await shop.price()).id }], duration: { interval: 'month', interval_count: 1 } };
    const phases = [{ items: [{ price: price.id }], ...made.current_phase }, follows];
    return stripe.subscriptionSchedules.update(made.id, { phases });
  }

  before(async () => {
    // Of each kind a few, in different states: first what takes its time.
    await stripe.subscriptions.update((await shop.subscribe()).id, { pause_collection: { behavior: 'void' } });
    const late = await shop.subscribe({ number: EMPTY, trial_period_days: 7 });
    await sandbox.pass(31 * DAY);
    await stripe.invoices.voidInvoice((await stripe.invoices.list({ subscription: late.id })).data[0].id);
    await shop.subscribe({ trial_period_days: 7 });
    await shop.subscribe({ number: '4000000000003220', payment_behavior: 'allow_incomplete' });
    await shop.subscribe({ number: EMPTY, payment_behavior: 'allow_incomplete' });
    const paid = await shop.subscribe();
    await stripe.refunds.create({ payment_intent: intentOf(paid), amount: 100 });
    await shop.subscribe({ number: '4000000000001976' });
    await shop.subscribe({ number: '4000000000000259' });
    await stripe.subscriptions.cancel((await shop.subscribe()).id);
    const customer = (await stripe.customers.create({ address: { city: 'Izmir', country: 'TR' }, phone: '1' })).id;
    const open = { customer, payment_method: 'pm_card_visa' };
    await stripe.setupIntents.create(open);
    await stripe.paymentIntents.create({ amount: 100, currency: 'usd' });
    await shop.price({ recurring: undefined, lookup_key: 'once' });
    await schedule();
    await stripe.subscriptionSchedules.release((await schedule()).id);
    await stripe.subscriptions.cancel((await schedule()).subscription);
  });

  for (const [name, [resource, path, query = '']] of Object.entries(looks)) {
    test(name, async () => {
      const list = await sandbox.raw(`/v1/${path}?limit=100&${query}`);
      assert.ok(list.data?.length > 0, JSON.stringify(list));
      const shape = new Conformance(declarations, resource);
      const complaints = new Set(list.data.flatMap((object) => shape.complaints(object, name)));
      assert.deepEqual([...complaints], []);
    });
  }

  test('SubscriptionSchedule', async () => {
    const shape = new Conformance(declarations, 'SubscriptionSchedules');
    for (const id of schedules) {
      const shown = await sandbox.raw(`/v1/subscription_schedules/${id}`);
      assert.deepEqual(shape.complaints(shown, 'SubscriptionSchedule'), []);
    }
  });

  test('Invoice that is only a preview', async () => {
    const { id, items } = await shop.subscribe();
    const preview = await sandbox.raw('/v1/invoices/create_preview', {
      subscription: id,
      'subscription_details[items][0][id]': items.data[0].id,
      'subscription_details[items][0][price]': (await shop.price({ unit_amount: 3000 })).id,
      'subscription_details[proration_behavior]': 'always_invoice',
    });
    assert.deepEqual(new Conformance(declarations, 'Invoices').complaints(preview, 'Invoice'), []);
  });

  test('PaymentIntent that was searched for', async () => {
    await stripe.paymentIntents.create({ amount: 100, currency: 'usd', metadata: { order_id: 'ord_1' } });
    const query = new URLSearchParams({ query: "metadata['order_id']:'ord_1'" });
    const found = await sandbox.raw(`/v1/payment_intents/search?${query}`);
    assert.equal(found.data.length, 1);
    const shape = new Conformance(declarations, 'PaymentIntents');
    assert.deepEqual(shape.complaints(found.data[0], 'PaymentIntent'), []);
  });

  test('Event', async () => {
    const data = [];
    for (let more = true, query = 'limit=100'; more; query = `limit=100&starting_after=${data.at(-1).id}`) {
      const page = await sandbox.raw(`/v1/events?${query}`);
      data.push(...page.data);
      more = page.has_more;
    }
    const envelope = new Conformance(declarations, 'Events');
    const complaints = new Set(data.flatMap((event) => envelope.complaints({ ...event, type: event.type }, 'EventBase')));
    const shapes = { ...looks, SubscriptionSchedule: ['SubscriptionSchedules'] };
    const resources = Object.fromEntries(Object.entries(shapes).map(([name, [resource]]) => [snake(name), [name, resource]]));
    for (const { type, data: { object } } of data) {
      const [name, resource] = resources[object.object];
      // What is gone shows little of itself.
      const shown = object.deleted ? [] : new Conformance(declarations, resource).complaints(object, name);
      shown.forEach((one) => complaints.add(`${type}: ${one}`));
    }
    assert.deepEqual([...complaints], []);
  });
});

const snake = (name) => name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();

// Products, prices and webhook endpoints, by Stripe's official library.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import Stripe from 'stripe';

import { failure, open } from '../shop.js';
import { API_VERSION } from '../sandbox.js';

const { errors } = Stripe;

const { sandbox, stripe, shop } = await open();

describe('a price', () => {
  const named = (lookup_key, more = {}) => stripe.prices.list({ lookup_keys: [lookup_key], ...more });

  test('is made with its product, and found by its lookup key', async () => {
    assert.deepEqual((await named('monthly_try', { active: true })).data, []);
    const terms = { currency: 'try', unit_amount: 5999, lookup_key: 'monthly_try' };
    const made = await shop.price({ ...terms, recurring: { interval: 'month', interval_count: 3 } });
    assert.deepEqual([made.currency, made.unit_amount, made.lookup_key], ['try', 5999, 'monthly_try']);
    assert.deepEqual([made.type, made.active, made.billing_scheme], ['recurring', true, 'per_unit']);
    assert.deepEqual([made.recurring.interval, made.recurring.interval_count], ['month', 3]);
    const { data } = await named('monthly_try', { active: true, expand: ['data.product'] });
    assert.deepEqual(data.map(({ id, product }) => [id, product.name]), [[made.id, 'Stillpoint monthly']]);
  });

  test('under its key is made once', async () => {
    const terms = { currency: 'usd', unit_amount: 900, lookup_key: 'once', product_data: { name: 'Once' } };
    const once = { idempotencyKey: 'price-once' };
    const [first, again] = [await stripe.prices.create(terms, once), await stripe.prices.create(terms, once)];
    assert.deepEqual([again.id, first.type, first.recurring], [first.id, 'one_time', null]);
    assert.equal((await named('once')).data.length, 1);
  });

  test('has its lookup key for itself, until another takes it over', async () => {
    const first = await shop.price({ lookup_key: 'taken' });
    const taken = await failure(shop.price({ lookup_key: 'taken' }), errors.StripeInvalidRequestError);
    assert.match(taken.message, /already uses that lookup key/);
    const second = await shop.price({ lookup_key: 'taken', transfer_lookup_key: true });
    assert.deepEqual((await named('taken')).data.map(({ id }) => id), [second.id]);
    assert.equal((await stripe.prices.retrieve(first.id)).lookup_key, null);
  });

  test('that is no longer active is sold no more', async () => {
    const { id } = await shop.price({ lookup_key: 'old' });
    const old = await stripe.prices.update(id, { active: false, nickname: 'old', metadata: { why: 'dear' } });
    assert.deepEqual([old.active, old.nickname, old.metadata.why], [false, 'old', 'dear']);
    assert.deepEqual((await named('old', { active: true })).data, []);
    assert.deepEqual((await named('old', { active: false })).data.map((price) => price.id), [id]);
    const { customer, card } = await shop.buyer();
    const order = { customer, items: [{ price: id }], default_payment_method: card };
    const refused = await failure(stripe.subscriptions.create(order), errors.StripeInvalidRequestError);
    assert.equal(refused.param, 'items[0][price]');
  });
});

describe('a product', () => {
  test('is made, changed, found and priced', async () => {
    const made = await stripe.products.create({ name: 'Stillpoint', metadata: { plan: 'web' } });
    assert.deepEqual([made.name, made.active, made.metadata.plan], ['Stillpoint', true, 'web']);
    const change = { name: 'Stillpoint web', description: 'All of it', active: false };
    const changed = await stripe.products.update(made.id, change);
    assert.deepEqual([changed.name, changed.description, changed.active], ['Stillpoint web', 'All of it', false]);
    assert.equal((await stripe.products.retrieve(made.id)).name, 'Stillpoint web');
    assert.deepEqual((await stripe.products.list({ ids: [made.id] })).data.map(({ id }) => id), [made.id]);
    assert.deepEqual((await stripe.products.list({ ids: [made.id], active: true })).data, []);
    const price = await shop.price({ product: made.id, product_data: undefined });
    assert.deepEqual((await stripe.prices.list({ product: made.id })).data.map(({ id }) => id), [price.id]);
  });
});

describe('a webhook endpoint', () => {
  test('returns its secret once, and is changed, listed and deleted', async () => {
    const made = await stripe.webhookEndpoints.create({
      url: 'https://shop.example/webhooks',
      enabled_events: ['invoice.paid'],
      api_version: API_VERSION,
    });
    assert.match(made.secret, /^whsec_/);
    assert.deepEqual([made.status, made.api_version], ['enabled', API_VERSION]);
    const shown = await stripe.webhookEndpoints.retrieve(made.id);
    assert.deepEqual([shown.secret, shown.enabled_events], [undefined, ['invoice.paid']]);
    const changed = await stripe.webhookEndpoints.update(made.id, { disabled: true, enabled_events: ['*'] });
    assert.deepEqual([changed.status, changed.enabled_events], ['disabled', ['*']]);
    const listed = await stripe.webhookEndpoints.list();
    assert.ok(listed.data.some(({ id }) => id === made.id));
    assert.equal((await stripe.webhookEndpoints.del(made.id)).deleted, true);
    await failure(stripe.webhookEndpoints.retrieve(made.id), errors.StripeInvalidRequestError);
  });

  test('receives the events it subscribed to, signed with its own secret', async () => {
    const url = `http://127.0.0.1:${sandbox.receiver.address().port}/`;
    const { id, secret } = await stripe.webhookEndpoints.create({ url, enabled_events: ['product.created'] });
    sandbox.received.length = 0;
    const product = await stripe.products.create({ name: 'Announced' });
    const genuine = ({ body, signature }) => {
      try {
        return stripe.webhooks.constructEvent(body, signature, secret);
      } catch {
        return null;
      }
    };
    const event = await sandbox.until('the event is received', () => sandbox.received.map(genuine).find((event) => event));
    assert.deepEqual([event.type, event.data.object.id], ['product.created', product.id]);
    await stripe.webhookEndpoints.del(id);
  });
});

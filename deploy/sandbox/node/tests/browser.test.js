// What a shop's page may do with the publishable key, by Stripe's official library: make cards, finish intents, no more.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import Stripe from 'stripe';

import { GOOD, failure, intentOf, open } from '../shop.js';
import { PUBLISHABLE_KEY } from '../sandbox.js';

const { errors } = Stripe;
const ASKING = '4000002760003184';
const ASKING_ONCE = '4000002500003155';

const { sandbox, stripe, shop } = await open();
const page = sandbox.library(PUBLISHABLE_KEY);

/** The buyer's answer to the bank's 3-D Secure request: `succeeded` or `failed`. */
const answer = ({ id, client_secret }, outcome) =>
  page.rawRequest('POST', '/v1/3ds2/challenge_complete', { source: id, client_secret, outcome });

/** As Stripe's script confirms. */
const confirmation = ({ client_secret }, payment_method) => ({ client_secret, payment_method, use_stripe_sdk: true });

describe('a page', () => {
  test('makes payment methods, which the server attaches', async () => {
    const billing_details = { email: 'ada@example.com', name: 'Ada' };
    const card = { number: GOOD, exp_month: 12, exp_year: 2034, cvc: '123' };
    const made = await page.paymentMethods.create({ type: 'card', card, billing_details });
    assert.deepEqual([made.card.last4, made.billing_details.name, made.card.number], ['4242', 'Ada', undefined]);
    const wallet = await page.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    const { id: customer } = await stripe.customers.create({});
    for (const { id } of [made, wallet]) {
      assert.equal((await stripe.paymentMethods.attach(id, { customer })).customer, customer);
    }
    const { data } = await stripe.paymentMethods.list({ customer, type: 'card' });
    assert.deepEqual(data.map(({ id }) => id), [wallet.id, made.id]);
  });

  test('does nothing that takes the secret key', async () => {
    const { customer, card } = await shop.buyer();
    for (const call of [
      () => page.customers.retrieve(customer),
      () => page.paymentMethods.attach(card, { customer }),
      () => page.paymentIntents.create({ amount: 100, currency: 'usd' }),
      () => page.subscriptions.list({ customer }),
      () => page.refunds.create({ payment_intent: 'pi_1' }),
    ]) {
      const error = await failure(call(), errors.StripeAuthenticationError);
      assert.deepEqual([error.statusCode, error.code], [401, 'secret_key_required']);
    }
  });

  test('pays an intent with its secret', async () => {
    const { customer } = await shop.buyer();
    const { id: card } = await shop.card(GOOD);
    const later = { setup_future_usage: 'off_session' };
    const open = await stripe.paymentIntents.create({ amount: 5000, currency: 'usd', customer, ...later });
    const shown = await page.paymentIntents.retrieve(open.id, { client_secret: open.client_secret });
    assert.equal(shown.status, 'requires_payment_method');
    assert.equal((await page.paymentIntents.confirm(open.id, confirmation(open, card))).status, 'succeeded');
    assert.equal((await stripe.paymentMethods.retrieve(card)).customer, customer);
  });

  test('sees no intent whose secret it does not know', async () => {
    const open = await stripe.paymentIntents.create({ amount: 5000, currency: 'usd' });
    const { client_secret } = await stripe.paymentIntents.create({ amount: 5000, currency: 'usd' });
    for (const call of [
      () => page.paymentIntents.retrieve(open.id, { client_secret }),
      () => page.paymentIntents.retrieve(open.id),
      () => page.paymentIntents.confirm(open.id, confirmation({ client_secret }, 'pm_card_visa')),
    ]) {
      await failure(call(), errors.StripeInvalidRequestError);
    }
    assert.equal((await stripe.paymentIntents.retrieve(open.id)).status, 'requires_payment_method');
  });
});

describe('3-D Secure', () => {
  const asked = async (number = ASKING) => {
    const intent = await shop.pay({ number });
    assert.deepEqual([intent.status, intent.next_action.type], ['requires_action', 'use_stripe_sdk']);
    return intent;
  };

  test('that is passed pays', async () => {
    const intent = await asked();
    await answer(intent, 'succeeded');
    const paid = await page.paymentIntents.retrieve(intent.id, { client_secret: intent.client_secret });
    assert.deepEqual([paid.status, paid.next_action], ['succeeded', null]);
  });

  test('that is failed leaves the intent to another card', async () => {
    const intent = await asked();
    await answer(intent, 'failed');
    const refused = await page.paymentIntents.retrieve(intent.id, { client_secret: intent.client_secret });
    assert.equal(refused.status, 'requires_payment_method');
    assert.equal(refused.last_payment_error.code, 'payment_intent_authentication_failure');
    assert.equal((await page.paymentIntents.confirm(intent.id, confirmation(intent, 'pm_card_visa'))).status, 'succeeded');
  });

  test('of the first invoice begins the subscription', async () => {
    const waiting = await shop.subscribe({ number: ASKING, payment_behavior: 'allow_incomplete' });
    const { client_secret } = waiting.latest_invoice.confirmation_secret;
    await answer({ id: intentOf(waiting), client_secret }, 'succeeded');
    const begun = await stripe.subscriptions.retrieve(waiting.id, { expand: ['latest_invoice'] });
    assert.deepEqual([begun.status, begun.latest_invoice.status], ['active', 'paid']);
  });

  test('of a trial saves its card', async () => {
    const trial = await shop.subscribe({ number: ASKING_ONCE, trial_period_days: 7 });
    const setup = trial.pending_setup_intent;
    assert.deepEqual([trial.status, setup.status], ['trialing', 'requires_action']);
    const shown = await page.setupIntents.retrieve(setup.id, { client_secret: setup.client_secret });
    assert.equal(shown.next_action.type, 'use_stripe_sdk');
    await answer(setup, 'succeeded');
    assert.equal((await page.setupIntents.retrieve(setup.id, { client_secret: setup.client_secret })).status, 'succeeded');
    assert.equal((await stripe.subscriptions.retrieve(trial.id)).pending_setup_intent, null);
  });

  test('of a trial that is failed is asked for again', async () => {
    const { id, pending_setup_intent: setup } = await shop.subscribe({ number: ASKING_ONCE, trial_period_days: 7 });
    await answer(setup, 'failed');
    const refused = await page.setupIntents.retrieve(setup.id, { client_secret: setup.client_secret });
    assert.equal(refused.status, 'requires_payment_method');
    assert.equal(refused.last_setup_error.code, 'setup_intent_authentication_failure');
    const { id: card } = await shop.card(GOOD);
    assert.equal((await page.setupIntents.confirm(setup.id, confirmation(setup, card))).status, 'succeeded');
    assert.equal((await stripe.subscriptions.retrieve(id)).pending_setup_intent, null);
  });
});

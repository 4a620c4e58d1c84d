// A shop at Stripe: what the tests sell, to whom, and how that is paid.
import assert from 'node:assert/strict';
import { after } from 'node:test';

import { SandboxProcess } from './sandbox.js';

const CARD = { exp_month: 12, exp_year: 2034, cvc: '123' };
export const GOOD = '4242424242424242';
/** It is saved, and then pays nothing. */
export const EMPTY = '4000000000000341';
export const DAY = 24 * 3600;
export const MONTH = 31 * DAY;

/** A sandbox for the tests of one file, Stripe's library pointed at it, and a shop that uses it. */
export async function open() {
  const sandbox = await SandboxProcess.start();
  after(() => sandbox.stop());
  const stripe = sandbox.library();
  return { sandbox, stripe, shop: new Shop(stripe) };
}

class Shop {
  constructor(stripe) {
    this.stripe = stripe;
  }

  card(number) {
    return this.stripe.paymentMethods.create({ type: 'card', card: { number, ...CARD } });
  }

  async buyer(number = GOOD) {
    const ada = { email: 'ada@example.com', name: 'Ada', metadata: { user_id: 'usr_1' } };
    const customer = await this.stripe.customers.create(ada);
    return { customer: customer.id, card: await this.saved(customer.id, number) };
  }

  async saved(customer, number = GOOD) {
    const { id } = await this.card(number);
    await this.stripe.paymentMethods.attach(id, { customer });
    return id;
  }

  price(more = {}) {
    return this.stripe.prices.create({
      currency: 'usd',
      unit_amount: 1200,
      recurring: { interval: 'month', interval_count: 1 },
      product_data: { name: 'Stillpoint monthly' },
      ...more,
    });
  }

  async subscribe({ number, ...more } = {}) {
    const [{ customer, card }, { id }] = [await this.buyer(number), await this.price()];
    return this.stripe.subscriptions.create({
      customer,
      items: [{ price: id }],
      default_payment_method: card,
      expand: ['latest_invoice.payments', 'latest_invoice.confirmation_secret', 'pending_setup_intent'],
      ...more,
    });
  }

  /** A payment of its own, beside all subscriptions. */
  async pay({ number, ...more } = {}) {
    const { customer, card } = await this.buyer(number);
    return this.stripe.paymentIntents.create({
      amount: 5000,
      currency: 'usd',
      customer,
      payment_method: card,
      confirm: true,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      expand: ['latest_charge'],
      ...more,
    });
  }
}

export const intentOf = (subscription) => subscription.latest_invoice.payments.data[0].payment.payment_intent;

/** The error of a call that must fail. */
export async function failure(call, kind) {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (error) => error,
  );
  assert.ok(error instanceof kind, `${error.constructor.name}: ${error.message}`);
  return error;
}

import { describe, expect, it } from "vitest";
import { campaign, oneOf, type Random } from "~/features/payment/offer/offer-fixtures";
import { type ConfirmationResult, UNKNOWN } from "~/features/payment/pay/confirmation";
import type { Answer } from "~/lib/http/request";
import { seeded } from "~/lib/random";
import type { SubscriptionEnvelope } from "./api";
import { outcomeEvent } from "./pay/outcome";
import { type Attempt, type Outcome, type PayPorts, pay, pollSubscription } from "./pay/pay";
import type { SubscriptionResponse } from "./pay/subscription-response";
import { type CheckoutEvent, type CheckoutState, INITIAL, reduce } from "./state";

/** Our server and the provider: one order per key, charged at most once. */
class Backend {
  charges = 0;
  readonly #orders = new Map<string, { id: string; status: "open" | "processing" | "paid" | "declined" }>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  get orders() {
    return [...this.#orders.values()];
  }

  create({ key }: Attempt): SubscriptionResponse | null {
    const known = this.#orders.get(key);
    if (!known && this.orders.some(({ status }) => status === "paid" || status === "processing")) return null;
    const order = known ?? { id: `sub_${key}`, status: oneOf(this.#random, ["open", "processing", "paid"] as const) };
    if (!known && order.status === "paid") this.charges += 1;
    this.#orders.set(key, order);
    return this.#response(order);
  }

  /** The bank may decide between two polls. */
  confirm(id: string): SubscriptionResponse {
    const order = this.#named(id);
    if (order.status === "processing" && this.#random() < 0.3) {
      order.status = oneOf(this.#random, ["paid", "declined"] as const);
      if (order.status === "paid") this.charges += 1;
    }
    return this.#response(order);
  }

  challenge(id: string): ConfirmationResult {
    const order = this.#named(id);
    if (order.status === "paid") return { status: UNKNOWN };
    order.status = oneOf(this.#random, ["paid", "declined", "processing"] as const);
    if (order.status === "paid") this.charges += 1;
    if (order.status === "declined") return { error: { code: "card_declined", message: "Declined." } };
    return { status: order.status === "paid" ? "succeeded" : "processing" };
  }

  #named(id: string) {
    const order = this.orders.find((one) => one.id === id);
    if (!order) throw new Error(`No order ${id}`);
    return order;
  }

  #response({ id, status }: { id: string; status: string }): SubscriptionResponse {
    const paymentStatus = { open: "requires_action", processing: "processing", paid: "succeeded" }[status];
    return {
      status: status === "paid" ? "active" : "incomplete",
      paymentStatus: paymentStatus ?? "requires_payment_method",
      clientSecret: status === "open" ? id : null,
      setupIntentSecret: null,
      paymentIntentId: null,
      subscription_id: id,
    };
  }
}

/** A browser on a network that loses requests and responses. */
class Visit {
  state: CheckoutState = INITIAL;
  readonly backend: Backend;
  readonly #random: Random;
  #loss: number;
  #open: Attempt | null = null;
  #keys = 0;

  constructor(random: Random, loss: number) {
    this.#random = random;
    this.#loss = loss;
    this.backend = new Backend(random);
    this.#dispatch({ type: "campaignLoaded", campaign: campaign(10) });
  }

  /** From now on nothing is lost. */
  heal() {
    this.#loss = 0;
  }

  async act() {
    if (this.state.step === "pending") return this.#recheck(this.state.subscriptionId);
    if (this.state.step !== "ready") return;
    this.#dispatch({ type: "submitted" });
    this.#conclude(await pay(this.#ports(), this.#open));
  }

  async #recheck(id: string) {
    this.#dispatch({ type: "rechecked" });
    this.#conclude(await pollSubscription(this.#ports(), id));
  }

  #conclude(outcome: Outcome) {
    this.#open = outcome.kind === "unknown" ? outcome.attempt : null;
    this.#dispatch(outcomeEvent(outcome));
  }

  #dispatch(event: CheckoutEvent) {
    this.state = reduce(this.state, event);
  }

  /** Loses the request, or the response of a call that took effect. */
  #over<T, Lost>(work: () => T, lost: Lost): T | Lost {
    if (this.#random() < this.#loss / 2) return lost;
    const answer = work();
    return this.#random() < this.#loss / 2 ? lost : answer;
  }

  #ports(): PayPorts {
    const silence: Answer<SubscriptionEnvelope> = {
      ok: false,
      problem: { status: 0, code: "NETWORK_FAILURE", detail: "", errors: [], retryAfterSecs: null },
    };
    const answered = (data: SubscriptionResponse | null): Answer<SubscriptionEnvelope> => {
      if (data) return { ok: true, status: 200, value: { ...data, data, code: null, message: null } };
      return { ok: true, status: 200, value: { status: false, data: null, code: "ALREADY_SUBSCRIBED", message: null } };
    };
    return {
      source: "stripe",
      cardNetwork: "",
      createCard: async () => ({ id: "pm_1" }),
      createSubscription: async (attempt) => this.#over(() => answered(this.backend.create(attempt)), silence),
      confirmSubscription: async (id) => this.#over(() => answered(this.backend.confirm(id)), silence),
      confirmPayment: async (secret) => this.#over(() => this.backend.challenge(secret), { status: UNKNOWN }),
      confirmSetup: async () => ({ status: UNKNOWN }),
      newKey: () => {
        this.#keys += 1;
        return `key_${this.#keys}`;
      },
      pause: async () => undefined,
      advance: (phase) => this.#dispatch({ type: "phaseChanged", phase }),
    };
  }
}

/** Whether the visitor reads that nothing was charged. */
const isDenied = ({ state }: Visit) =>
  state.step === "ready" &&
  state.fault !== null &&
  !["NETWORK_FAILURE", "ALREADY_SUBSCRIBED"].includes(state.fault.code);

describe("a visit on an unreliable network", () => {
  it.each([0.05, 0.3, 0.6, 0.9])("charges at most once and shows no false result when %f is lost", async (loss) => {
    const ends = new Set<string>();
    for (let seed = 1; seed <= 400; seed += 1) {
      const visit = new Visit(seeded(seed * 31), loss);
      for (let press = 0; press < 6; press += 1) {
        await visit.act();
        expect(visit.backend.charges, `seed ${seed}`).toBeLessThanOrEqual(1);
        const isPaid = visit.backend.orders.some(({ status }) => status === "paid");
        if (visit.state.step === "paid") expect(isPaid, `seed ${seed}: shown as paid`).toBe(true);
        if (isPaid) expect(isDenied(visit), `seed ${seed}: shown as failed`).toBe(false);
        const isOpen = visit.backend.orders.some(({ status }) => status === "processing");
        if (isOpen) expect(isDenied(visit), `seed ${seed}: shown as failed while the bank decides`).toBe(false);
      }
      visit.heal();
      for (let press = 0; press < 12; press += 1) await visit.act();
      ends.add(visit.state.step);
      if (visit.backend.charges === 0) expect(visit.state.step, `seed ${seed}`).not.toBe("paid");
      if (visit.state.step !== "paid") {
        // A visitor who is not shown as paid reads that the subscription exists, or was not charged.
        const shownCode = visit.state.step === "ready" ? visit.state.fault?.code : visit.state.step;
        if (visit.backend.charges > 0) expect(shownCode, `seed ${seed}`).toBe("ALREADY_SUBSCRIBED");
      }
    }
    expect(ends).toContain("paid");
  });
});

import { describe, expect, it } from "vitest";
import type { Answer } from "~/lib/http/request";
import { seeded } from "~/lib/random";
import type { SubscriptionEnvelope } from "./api";
import { conclusionOf } from "./conclusion";
import type { Campaign } from "./offer";
import type { SubscriptionAnswer } from "./outcome";
import { type Attempt, awaitBank, type Outcome, type PayPorts, pay, UNKNOWN, type Verdict } from "./pay";
import type { RussianPages } from "./russia";
import { type CheckoutEvent, type CheckoutState, campaignOf, INITIAL, reduce } from "./state";

/** What must hold whatever happens in whatever order. Each run follows from its seed, so a failure can be run again. */

const campaign = (price: number): Campaign => ({
  customer_id: null,
  price_id: `prc_${price}`,
  currency: "USD",
  price,
  discount_rate: 0,
  default_price: price,
  default_price_currency: "USD",
  discount_amount: 0,
  trial_days: 0,
  campaign_id: "web-annual",
  period_months: 12,
  product: "premium",
});

type Random = () => number;
const oneOf = <T>(random: Random, choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

const pages = (random: Random, turn: number): RussianPages => ({
  redirectUrl: oneOf(random, [null, `https://pay.example/${turn}`]),
  widgetToken: oneOf(random, [null, `ct-${turn}`]),
  hasSubscription: random() < 0.2,
  isOutOfReach: random() < 0.3,
});

/** Any event at all, each with contents of its own, so that a mix-up shows. */
function anyEvent(random: Random, turn: number): CheckoutEvent {
  return oneOf<() => CheckoutEvent>(random, [
    () => ({ type: "campaignLoaded", campaign: campaign(turn) }),
    () => ({ type: "visitorSeen", message: `${turn}` }),
    () => ({ type: "therapyMemberSeen", place: `/en/${turn}/` }),
    () => ({ type: "campaignFailed", code: `${turn}` }),
    () => ({ type: "retried" }),
    () => ({ type: "submitted" }),
    () => ({ type: "advanced", phase: oneOf(random, ["card", "order", "bank", "approval", "checking"]) }),
    () => ({ type: "refused", fault: { code: `${turn}`, message: null } }),
    () => ({ type: "offerEnded", fault: { code: `${turn}`, message: null } }),
    () => ({ type: "bankSilent", subscriptionId: `sub_${turn}` }),
    () => ({ type: "rechecked" }),
    () => ({ type: "settled" }),
    () => ({ type: "directOfferLoaded", campaign: campaign(turn) }),
    () => ({ type: "russianOfferLoaded", campaign: campaign(turn), pages: pages(random, turn) }),
    () => ({ type: "intentOpened" }),
    () => ({ type: "intentFailed", fault: oneOf(random, [null, { code: `${turn}`, message: null }]) }),
    () => ({ type: "intentSilent", intentId: `pi_${turn}` }),
    () => ({ type: "approvalAsked" }),
    () => ({ type: "approvalLeft" }),
    () => ({ type: "approvalFailed", fault: { code: `${turn}`, message: null } }),
    () => ({ type: "approvalSilent", approval: `I-${turn}` }),
    () => ({ type: "approvalFound", campaign: campaign(turn), approval: `I-${turn}` }),
    () => ({ type: "widgetOpened" }),
    () => ({ type: "widgetClosed" }),
    () => ({ type: "widgetEnded", fault: oneOf(random, [null, { code: `${turn}`, message: null }]) }),
    () => ({ type: "widgetPaid" }),
  ])();
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) frozen(part);
  return Object.freeze(value);
}

interface Step {
  before: CheckoutState;
  event: CheckoutEvent;
  after: CheckoutState;
}

const RUNS = 600;
const LENGTH = 40;

/** Many visits, each with its own order of events. Nothing may change a state in place. */
function* everyStep(): Generator<Step> {
  for (let run = 0; run < RUNS; run += 1) {
    const random = seeded(run);
    let before: CheckoutState = frozen({ ...INITIAL });
    for (let turn = 1; turn <= LENGTH; turn += 1) {
      // Half of the time what brings a visit on, or most would end before anything is paid.
      const onward: CheckoutEvent[] = [
        { type: "campaignLoaded", campaign: campaign(turn) },
        { type: "directOfferLoaded", campaign: campaign(turn) },
        { type: "russianOfferLoaded", campaign: campaign(turn), pages: pages(random, turn) },
        { type: "intentOpened" },
        { type: "widgetOpened" },
        { type: "approvalAsked" },
        { type: "submitted" },
        { type: "rechecked" },
        { type: "retried" },
      ];
      const event = frozen(random() < 0.5 ? oneOf(random, onward) : anyEvent(random, turn));
      const after = frozen(reduce(before, event));
      yield { before, event, after };
      before = after;
    }
  }
}

/** The answers to a payment. Any of them may come late. */
const OF_PAYMENT = new Set([
  "advanced",
  "refused",
  "offerEnded",
  "bankSilent",
  "intentSilent",
  "approvalSilent",
  "intentFailed",
  "settled",
]);
const OF_OFFER = new Set([
  "campaignLoaded",
  "directOfferLoaded",
  "russianOfferLoaded",
  "approvalFound",
  "visitorSeen",
  "therapyMemberSeen",
  "campaignFailed",
]);
/** What the window of a wallet or of PayPal's says, while nothing is agreed to. */
const OF_WINDOW = new Set(["approvalLeft", "approvalFailed"]);
const OF_WIDGET = new Set(["widgetClosed", "widgetEnded", "widgetPaid"]);
/** Where an answer to a payment, or to its beginnings, is waited for. */
const OPEN = new Set<CheckoutState["step"]>(["opening", "paying", "pending", "unheard"]);
/** Where money may have moved. */
const BEING_PAID = new Set<CheckoutState["step"]>(["paying", "pending", "unheard"]);

describe("any event in any order", () => {
  const steps = [...everyStep()];
  const all = (holds: (step: Step) => boolean) => expect(steps.find((step) => !holds(step))).toBeUndefined();

  it("is tried from every state", () => {
    const seen = new Set(steps.map(({ before }) => before.step));
    const before = ["loading", "visitor", "inTherapy", "unavailable", "opening", "blocked", "ready", "approving"];
    for (const step of [...before, "elsewhere", "inWidget", "paying", "pending", "unheard", "paid"])
      expect(seen).toContain(step);
  });

  it("leaves what is paid paid", () => all(({ before, after }) => before.step !== "paid" || after === before));

  it("shows nothing as paid that was not being paid", () =>
    all(({ before, event, after }) => {
      if (after.step !== "paid" || before.step === "paid") return true;
      return BEING_PAID.has(before.step) && event.type === "settled";
    }));

  it("takes a payment's late answers nowhere", () =>
    all(({ before, event, after }) => OPEN.has(before.step) || !OF_PAYMENT.has(event.type) || after === before));

  it("takes what a closed form of a provider still says nowhere", () =>
    all(({ before, event, after }) => before.step === "inWidget" || !OF_WIDGET.has(event.type) || after === before));

  it("takes what a closed window still says nowhere", () =>
    all(({ before, event, after }) => before.step === "approving" || !OF_WINDOW.has(event.type) || after === before));

  it("opens a window only over a visible offer, and takes nothing else meanwhile", () =>
    all(({ before, event, after }) => {
      if (after.step === "approving" && before.step !== "approving") return before.step === "ready";
      if (before.step !== "approving" || after === before) return true;
      return OF_WINDOW.has(event.type) ? after.step === "ready" : event.type === "submitted" && after.step === "paying";
    }));

  it("does not give a subscription agreed to at PayPal back to the form without an answer", () =>
    all(({ before, event, after }) => {
      if (before.step !== "unheard" || before.payment.kind !== "approval" || after === before) return true;
      return event.type === "settled" || event.type === "refused";
    }));

  it("shows no card form for an offer that Russian providers sell, before it is asked for anew", () =>
    all(({ before, after }) => {
      const isSoldElsewhere =
        before.step === "elsewhere" ||
        before.step === "inWidget" ||
        (before.step === "unheard" && before.payment.kind === "pages");
      return !isSoldElsewhere || !["ready", "paying", "blocked", "pending"].includes(after.step);
    }));

  it("asks Russian providers again only where none could be reached", () =>
    all(({ before, event, after }) => {
      if (before.step !== "elsewhere" || event.type !== "retried") return true;
      return before.pages.isOutOfReach ? after === INITIAL : after === before;
    }));

  it("opens no form without the token it needs", () =>
    all(({ after }) => after.step !== "inWidget" || after.pages.widgetToken !== null));

  it("says that nothing can be sold twice to whoever has a Russian subscription", () =>
    all(({ event, before, after }) => {
      if (event.type !== "russianOfferLoaded" || after === before || after.step !== "elsewhere") return true;
      return (after.fault?.code === "SB101") === event.pages.hasSubscription;
    }));

  it("takes an offer's late answers nowhere, so no price changes under a visitor's finger", () =>
    all(({ before, event, after }) => before.step === "loading" || !OF_OFFER.has(event.type) || after === before));

  it("charges the price that was on the screen", () =>
    all(({ before, after }) => {
      const from = campaignOf(before);
      const to = campaignOf(after);
      return from === null || to === null || from === to;
    }));

  it("gives the form back only with the reason, and from an open payment only by way of its answer", () =>
    all(({ before, after }) => {
      if (after.step !== "ready" || after === before) return true;
      if (before.step === "loading" || before.step === "opening") return after.fault === before.fault;
      if (before.step === "approving") return true;
      return BEING_PAID.has(before.step) && after.fault !== null;
    }));

  it("sends nobody who waits for the bank anywhere but to the bank", () =>
    all(({ before, event, after }) => {
      if (before.step !== "pending" || after === before) return true;
      const to = { rechecked: "paying", settled: "paid", refused: "ready" }[event.type as string];
      return to === after.step && campaignOf(after) === before.campaign;
    }));

  it("starts a payment only from a visible offer", () =>
    all(({ before, event, after }) => {
      if (after.step !== "paying" || before.step === "paying") return true;
      const isVisible = before.step === "ready" || before.step === "approving";
      return (isVisible && event.type === "submitted") || before.step === "pending";
    }));
});

/** Our side and the provider behind it: one order for each key, charged at most once. */
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

  create({ key }: Attempt): SubscriptionAnswer | null {
    const known = this.#orders.get(key);
    if (!known && this.orders.some(({ status }) => status === "paid" || status === "processing")) return null;
    const order = known ?? { id: `sub_${key}`, status: oneOf(this.#random, ["open", "processing", "paid"] as const) };
    if (!known && order.status === "paid") this.charges += 1;
    this.#orders.set(key, order);
    return this.#tell(order);
  }

  /** The bank thinks it over between two questions. */
  confirm(id: string): SubscriptionAnswer {
    const order = this.#named(id);
    if (order.status === "processing" && this.#random() < 0.3) {
      order.status = oneOf(this.#random, ["paid", "declined"] as const);
      if (order.status === "paid") this.charges += 1;
    }
    return this.#tell(order);
  }

  challenge(id: string): Verdict {
    const order = this.#named(id);
    if (order.status === "paid") return { status: UNKNOWN };
    order.status = oneOf(this.#random, ["paid", "declined", "processing"] as const);
    if (order.status === "paid") this.charges += 1;
    if (order.status === "declined") return { error: { code: "card_declined", message: "Declined." } };
    return { status: order.status === "paid" ? "succeeded" : "processing" };
  }

  #named(id: string) {
    const order = this.orders.find((one) => one.id === id);
    if (!order) throw new Error(`Nobody made ${id}`);
    return order;
  }

  #tell({ id, status }: { id: string; status: string }): SubscriptionAnswer {
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

/** A browser in front of it, over a network that loses what is sent and what is answered. */
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
    this.#tell({ type: "campaignLoaded", campaign: campaign(10) });
  }

  /** From now on everything arrives. */
  heal() {
    this.#loss = 0;
  }

  async act() {
    if (this.state.step === "pending") return this.#recheck(this.state.subscriptionId);
    if (this.state.step !== "ready") return;
    this.#tell({ type: "submitted" });
    this.#conclude(await pay(this.#ports(), this.#open));
  }

  async #recheck(id: string) {
    this.#tell({ type: "rechecked" });
    this.#conclude(await awaitBank(this.#ports(), id));
  }

  #conclude(outcome: Outcome) {
    this.#open = outcome.kind === "unknown" ? outcome.attempt : null;
    this.#tell(conclusionOf(outcome));
  }

  #tell(event: CheckoutEvent) {
    this.state = reduce(this.state, event);
  }

  /** Lost on the way there, or on the way back, when it has already had its effect. */
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
    const answered = (data: SubscriptionAnswer | null): Answer<SubscriptionEnvelope> => {
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
      advance: (phase) => this.#tell({ type: "advanced", phase }),
    };
  }
}

/** What says to a visitor that nothing was charged. */
const isDenied = ({ state }: Visit) =>
  state.step === "ready" &&
  state.fault !== null &&
  !["NETWORK_FAILURE", "ALREADY_SUBSCRIBED"].includes(state.fault.code);

describe("a visit over a network that loses things", () => {
  it.each([0.05, 0.3, 0.6, 0.9])("loses no money and tells no untruth when %f is lost", async (loss) => {
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
        // Whoever is not shown as paid is told that it is paid already, or was not charged at all.
        const told = visit.state.step === "ready" ? visit.state.fault?.code : visit.state.step;
        if (visit.backend.charges > 0) expect(told, `seed ${seed}`).toBe("ALREADY_SUBSCRIBED");
      }
    }
    expect(ends).toContain("paid");
  });
});

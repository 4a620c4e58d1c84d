import { fromMajor, type Money } from "~/lib/format/money";

/** The campaign as `POST /api/web-campaign` answers: amounts are major units. */
export interface Campaign {
  customer_id: string | null;
  price_id: string;
  currency: string;
  price: number;
  discount_rate: number;
  default_price: number;
  default_price_currency: string;
  discount_amount: number;
  trial_days: number;
  campaign_id: string;
  period_months: number;
  product: string;
  /** `subscription`, `one_time`, `gift`, `addition` or `lifetime`. */
  kind?: string;
  /** What it opens for its buyer: `premium`, `coaching`, `therapy`. */
  opens?: string[];
  has_trial_price?: boolean;
  /** What is paid for a trial that is not free. */
  trial_prices?: { stripe: TrialPrice[] };
  /** Who else takes money for it. */
  providers?: Providers;
  /** The offer as the server signed it: sent back, it makes the price shown the price charged. Absent in older answers. */
  quote?: string;
}

export interface TrialPrice {
  price_id: string;
  /** Of what begins after the trial. */
  id: string;
  /** Of the trial. */
  price: number;
}

export interface Providers {
  paypal?: { price_id: string } | null;
  yookassa?: { has_subscription: boolean; confirmation_token: string | null } | null;
  platron?: { price_id: string; redirect_url: string } | null;
  /** Who sells it to this buyer and could not be reached just now. */
  unavailable?: string[];
}

/** The free trial is had once: asked for again, the offer comes without it. */
const TRIAL_USED = "TRIAL_ALREADY_USED";
const ENDED_CODES: readonly string[] = ["QUOTE_EXPIRED", "QUOTE_INVALID", "UNKNOWN_PRICE", TRIAL_USED];

/** Whether a refusal means that the offer on the screen holds no longer. */
export function isOfferEnded(code: string): boolean {
  return ENDED_CODES.includes(code) || isCouponRefused(code);
}

/** What is said of it beside the offer that comes instead. */
export function offerEndedCode(code: string): string {
  return code === TRIAL_USED ? code : "QUOTE_EXPIRED";
}

/** Used up, expired or meant for somebody else: the offer is gone for this visitor. */
function isCouponRefused(code: string): boolean {
  return code === "UNKNOWN_COUPON" || code.startsWith("COUPON_");
}

export interface Amounts {
  price: Money;
  list: Money;
  saving: Money;
  /** What a trial costs that is not free. */
  trialFee: Money | null;
  dueToday: Money;
}

export function amountsOf(campaign: Campaign): Amounts {
  const price = fromMajor(campaign.price, campaign.currency);
  const [trial] = campaign.trial_prices?.stripe ?? [];
  const trialFee = trial ? fromMajor(trial.price, campaign.currency) : null;
  return {
    price,
    list: fromMajor(campaign.default_price, campaign.default_price_currency),
    saving: fromMajor(campaign.discount_amount, campaign.currency),
    trialFee,
    dueToday: trialFee ?? (campaign.trial_days > 0 ? { ...price, minor: 0 } : price),
  };
}

export interface Timeline {
  today: Date;
  /** When we write that the trial ends. */
  reminder: Date;
  charge: Date;
}

/** The payment service's notice: whoever has a shorter trial is written to at once. */
const REMINDER_DAYS = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The three dates of a trial; none without one. */
export function timelineOf(trialDays: number, today: Date): Timeline | null {
  if (trialDays <= 0) return null;
  return {
    today,
    reminder: daysAfter(today, Math.max(0, trialDays - REMINDER_DAYS)),
    charge: daysAfter(today, trialDays),
  };
}

/** Trials are counted in whole days of hours, also where clocks are set in between. */
function daysAfter(date: Date, days: number): Date {
  return new Date(+date + days * DAY_MS);
}

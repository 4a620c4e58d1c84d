import { fromMajor, type Money } from "~/lib/format/money";

/** The campaign of `POST /api/web-campaign`; amounts are major units. */
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
  /** Entitlements it grants: `premium`, `coaching`, `therapy`. */
  opens?: string[];
  has_trial_price?: boolean;
  /** Price of a paid trial. */
  trial_prices?: { stripe: TrialPrice[] };
  /** Other providers that sell it. */
  providers?: Providers;
  /** The offer signed by the server: sent back, it fixes the shown price. Absent in older responses. */
  quote?: string;
}

export interface TrialPrice {
  price_id: string;
  /** Price id of the subscription after the trial. */
  id: string;
  /** Price of the trial. */
  price: number;
}

export interface Providers {
  paypal?: { price_id: string } | null;
  yookassa?: { has_subscription: boolean; confirmation_token: string | null } | null;
  platron?: { price_id: string; redirect_url: string } | null;
  /** Providers that sell it to this buyer but did not answer. */
  unavailable?: string[];
}

/** A free trial can be used once: the reloaded offer comes without it. */
const TRIAL_USED = "TRIAL_ALREADY_USED";
const ENDED_CODES: readonly string[] = ["QUOTE_EXPIRED", "QUOTE_INVALID", "UNKNOWN_PRICE", TRIAL_USED];

/** Whether a refusal means that the shown offer is no longer valid. */
export function isOfferEnded(code: string): boolean {
  return ENDED_CODES.includes(code) || isCouponRefused(code);
}

/** The code shown beside the new offer. */
export function offerEndedCode(code: string): string {
  return code === TRIAL_USED ? code : "QUOTE_EXPIRED";
}

/** Used up, expired or not for this buyer: the offer is not valid for this visitor. */
function isCouponRefused(code: string): boolean {
  return code === "UNKNOWN_COUPON" || code.startsWith("COUPON_");
}

export interface Amounts {
  price: Money;
  list: Money;
  saving: Money;
  /** Price of a paid trial. */
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
  /** Day of the reminder mail. */
  reminder: Date;
  charge: Date;
}

/** The payment service sends the reminder at once for a shorter trial. */
const REMINDER_DAYS = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The three dates of a trial; null without one. */
export function timelineOf(trialDays: number, today: Date): Timeline | null {
  if (trialDays <= 0) return null;
  return {
    today,
    reminder: daysAfter(today, Math.max(0, trialDays - REMINDER_DAYS)),
    charge: daysAfter(today, trialDays),
  };
}

/** A trial counts days of 24 hours, also across clock changes. */
function daysAfter(date: Date, days: number): Date {
  return new Date(+date + days * DAY_MS);
}

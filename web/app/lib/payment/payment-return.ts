import { isTrue } from "../links/sign-up-url";

/** What the query of a return from a payment provider says. It only decides what is shown: what was paid is the provider's word. */
export type PaymentVerdict = "paid" | "failed" | "unknown";

export interface ReturnQuery {
  verdict: PaymentVerdict;
  /** Whether somebody comes back from a payment at all. */
  isReturn: boolean;
  failureCode: string | null;
  /** Platron's number of the payment, to ask it by. */
  paymentId: string | null;
  /** What was to be bought, and with which coupon: what is asked for again. */
  campaign: string | null;
  couponCode: string | null;
  userId: string | null;
  orderId: string | null;
  token: string | null;
  isSpecialProgram: boolean;
  redirectPage: string | null;
  /** Which provider sent the buyer back, where it says nothing else. */
  paymentMethod: string | null;
}

export function paymentVerdict(query: URLSearchParams): PaymentVerdict {
  if (query.has("pg_failure_code")) return "failed";
  return query.get("pg_captured") === "1" ? "paid" : "unknown";
}

/** Providers that say nothing more in the address. */
const PROVIDERS_WITHOUT_RESULT: readonly string[] = ["yookassa", "platron"];

/** Whether this is the way back from a payment: its provider knows how it went. */
export function isPaymentReturn(query: URLSearchParams): boolean {
  if (paymentVerdict(query) !== "unknown" || query.get("pg_payment_id")) return true;
  return PROVIDERS_WITHOUT_RESULT.includes(query.get("paymentMethod") ?? "");
}

/** The same, run by the page before its first paint: styles go by the attribute, so that nobody is thanked before it is known. */
export const MARK_RETURN_SCRIPT = `{
  const query = new URLSearchParams(location.search);
  const isTold = query.has("pg_failure_code") || query.get("pg_captured") === "1" || query.get("pg_payment_id");
  if (isTold || ${JSON.stringify(PROVIDERS_WITHOUT_RESULT)}.includes(query.get("paymentMethod"))) document.documentElement.dataset.unpaid = "";
}`;

export function readReturn(query: URLSearchParams): ReturnQuery {
  const text = (name: string) => query.get(name) || null;
  return {
    verdict: paymentVerdict(query),
    isReturn: isPaymentReturn(query),
    failureCode: text("pg_failure_code"),
    paymentId: text("pg_payment_id"),
    campaign: text("campaign"),
    couponCode: text("code"),
    userId: text("user_id"),
    orderId: text("orderId"),
    token: text("token"),
    isSpecialProgram: isTrue(query.get("specialProgram")),
    redirectPage: text("redirectPage"),
    paymentMethod: text("paymentMethod"),
  };
}

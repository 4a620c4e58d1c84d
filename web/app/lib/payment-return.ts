import { isTrue } from "./sign-up-url";

/** What the query of a return from a payment provider says. It only decides what is shown: what was paid is the provider's word. */
export type PaymentVerdict = "paid" | "failed" | "unknown";

export interface ReturnQuery {
  verdict: PaymentVerdict;
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

export function readReturn(query: URLSearchParams): ReturnQuery {
  const text = (name: string) => query.get(name) || null;
  return {
    verdict: paymentVerdict(query),
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

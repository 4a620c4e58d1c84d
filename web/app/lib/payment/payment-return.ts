import { isTrue } from "../links/sign-up-url";

/**
 * The query of a return from a payment provider. It selects the request and hides content; it claims no result.
 */
export type PaymentVerdict = "paid" | "failed" | "unknown";

export interface ReturnQuery {
  verdict: PaymentVerdict;
  /** Whether the visitor returns from a payment. */
  isReturn: boolean;
  failureCode: string | null;
  /** Platron's payment id. */
  paymentId: string | null;
  /** The campaign and coupon, for a retry. */
  campaign: string | null;
  couponCode: string | null;
  userId: string | null;
  orderId: string | null;
  token: string | null;
  isSpecialProgram: boolean;
  redirectPage: string | null;
  /** The provider, when the query has no other information. */
  paymentMethod: string | null;
}

export function paymentVerdict(query: URLSearchParams): PaymentVerdict {
  if (query.has("pg_failure_code")) return "failed";
  return query.get("pg_captured") === "1" ? "paid" : "unknown";
}

/** Providers whose return URL contains no result. */
const PROVIDERS_WITHOUT_RESULT: readonly string[] = ["yookassa", "platron"];

/** Whether the query belongs to a return from a payment. */
export function isPaymentReturn(query: URLSearchParams): boolean {
  if (paymentVerdict(query) !== "unknown" || query.get("pg_payment_id")) return true;
  return PROVIDERS_WITHOUT_RESULT.includes(query.get("paymentMethod") ?? "");
}

/** The same check as an inline script before the first paint: styles hide the success content by its attribute. */
export const MARK_RETURN_SCRIPT = `{
  const query = new URLSearchParams(location.search);
  const hasResult = query.has("pg_failure_code") || query.get("pg_captured") === "1" || query.get("pg_payment_id");
  if (hasResult || ${JSON.stringify(PROVIDERS_WITHOUT_RESULT)}.includes(query.get("paymentMethod"))) document.documentElement.dataset.unpaid = "";
}`;

/** `paymentVerdict` is `failed`, as an inline script before the first paint: styles then hide the header. */
export const MARK_FAILURE_SCRIPT = `if (new URLSearchParams(location.search).has("pg_failure_code")) document.documentElement.dataset.unpaid = "";`;

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

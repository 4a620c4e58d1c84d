import { describe, expect, it } from "vitest";
import { isPaymentReturn, MARK_FAILURE_SCRIPT, MARK_RETURN_SCRIPT, paymentVerdict } from "./payment-return";

function isMarked(script: string, query: string): boolean {
  const documentElement = { dataset: {} as { unpaid?: string } };
  new Function("location", "document", script)({ search: `?${query}` }, { documentElement });
  return documentElement.dataset.unpaid === "";
}

describe("a return from a payment provider", () => {
  it.each([
    ["pg_captured=1", "paid"],
    ["pg_captured=true", "unknown"],
    ["pg_captured=0", "unknown"],
    ["pg_failure_code=101", "failed"],
    ["pg_captured=1&pg_failure_code=101", "failed"],
    ["", "unknown"],
  ])("with %s is %s, and is marked before the first paint if it failed", (query, verdict) => {
    expect(paymentVerdict(new URLSearchParams(query))).toBe(verdict);
    expect(isMarked(MARK_FAILURE_SCRIPT, query)).toBe(verdict === "failed");
  });

  it.each([
    ["pg_captured=1", true],
    ["pg_captured=true", false],
    ["pg_captured=0&pg_captured=1", false],
    ["pg_failure_code=", true],
    ["pg_payment_id=7", true],
    ["pg_payment_id=", false],
    ["paymentMethod=yookassa", true],
    ["paymentMethod=platron", true],
    ["paymentMethod=card", false],
    ["pg%5Fcaptured=%31", true],
    ["next=pg_captured=1", false],
    ["", false],
  ])("with %s is or is not a return, for the page and its inline script alike", (query, isReturn) => {
    expect(isPaymentReturn(new URLSearchParams(query))).toBe(isReturn);
    expect(isMarked(MARK_RETURN_SCRIPT, query)).toBe(isReturn);
  });
});

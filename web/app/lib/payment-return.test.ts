import { describe, expect, it } from "vitest";
import { paymentVerdict } from "./payment-return";

describe("a return from a payment provider", () => {
  it.each([
    ["pg_captured=1", "paid"],
    ["pg_captured=true", "unknown"],
    ["pg_captured=0", "unknown"],
    ["pg_failure_code=101", "failed"],
    ["pg_captured=1&pg_failure_code=101", "failed"],
    ["", "unknown"],
  ])("with %s is %s", (query, verdict) => {
    expect(paymentVerdict(new URLSearchParams(query))).toBe(verdict);
  });
});

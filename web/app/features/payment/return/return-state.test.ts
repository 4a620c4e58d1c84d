import { describe, expect, it } from "vitest";
import { readReturn } from "~/lib/payment/payment-return";
import { initialState, type ProviderStatus, type ReturnState, reduce } from "./return-state";

const arrived = (query: string) => initialState(readReturn(new URLSearchParams(query)));
const failed: ReturnState = { step: "failed", retryUrl: null };

describe("a return from a payment provider", () => {
  it.each<[string, ReturnState["step"]]>([
    ["pg_captured=1", "asking"],
    ["pg_captured=1&pg_payment_id=7", "asking"],
    ["pg_failure_code=101", "failed"],
    ["pg_captured=true", "unknown"],
    ["pg_captured=0&pg_payment_id=7", "asking"],
    ["pg_payment_id=7", "asking"],
    ["paymentMethod=yookassa", "asking"],
    ["paymentMethod=card", "unknown"],
    ["", "unknown"],
  ])("%s begins as %s", (query, step) => {
    expect(arrived(query).step).toBe(step);
  });

  it.each<[string, ProviderStatus, ReturnState["step"]]>([
    ["pg_captured=1", "paid", "paid"],
    ["pg_captured=1", "open", "checking"],
    ["pg_captured=1", "expired", "failed"],
    ["pg_captured=1", "unknown", "unknown"],
    ["pg_failure_code=1", "unknown", "failed"],
    ["pg_payment_id=7", "unknown", "unknown"],
    ["pg_failure_code=1", "paid", "paid"],
    ["pg_failure_code=1", "open", "failed"],
    ["pg_failure_code=1", "expired", "failed"],
    ["pg_payment_id=7", "paid", "paid"],
    ["pg_payment_id=7", "open", "checking"],
    ["pg_payment_id=7", "expired", "failed"],
    ["", "paid", "unknown"],
  ])("%s, of which the provider says that it is %s, is %s", (query, status, step) => {
    expect(reduce(arrived(query), { type: "statusReceived", status }).step).toBe(step);
  });

  it("offers a retry only after a failure, and keeps it", () => {
    const retry = { type: "retryFound", url: "https://pay.example/1" } as const;
    const offered = reduce(failed, retry);
    expect(offered).toEqual({ step: "failed", retryUrl: "https://pay.example/1" });
    expect(reduce(offered, { type: "statusReceived", status: "expired" })).toBe(offered);
    expect(reduce({ step: "paid" }, retry)).toEqual({ step: "paid" });
  });
});

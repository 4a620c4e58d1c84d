import { describe, expect, it } from "vitest";
import { readReturn } from "~/lib/payment/payment-return";
import { hidesContent, initialState, isFinal, type ProviderStatus, type ReturnState, reduce } from "./return-state";

const read = (query: string) => readReturn(new URLSearchParams(query));
const arrived = (query: string) => initialState(read(query));
const received = (query: string, status: ProviderStatus) =>
  reduce(arrived(query), { type: "statusReceived", status }, read(query).verdict);

describe("a return from a payment provider", () => {
  it.each<[string, ReturnState["step"]]>([
    ["pg_captured=1", "asking"],
    ["pg_captured=1&pg_payment_id=7", "asking"],
    ["pg_failure_code=101", "asking"],
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
    ["pg_failure_code=1", "unknown", "unconfirmed"],
    ["pg_payment_id=7", "unknown", "unknown"],
    ["pg_failure_code=1", "paid", "paid"],
    ["pg_failure_code=1", "open", "declined"],
    ["pg_failure_code=1", "expired", "failed"],
    ["pg_payment_id=7", "paid", "paid"],
    ["pg_payment_id=7", "open", "checking"],
    ["pg_payment_id=7", "expired", "failed"],
    ["", "paid", "unknown"],
  ])("%s, of which the provider says that it is %s, is %s", (query, status, step) => {
    expect(received(query, status).step).toBe(step);
  });

  it("offers a retry only after a failure, and keeps it", () => {
    const retry = { type: "retryFound", url: "https://pay.example/1" } as const;
    for (const [status, step] of [
      ["expired", "failed"],
      ["open", "declined"],
      ["unknown", "unconfirmed"],
    ] as const) {
      const offered = reduce(received("pg_failure_code=1", status), retry, "failed");
      expect(offered).toEqual({ step, retryUrl: "https://pay.example/1" });
      expect(reduce(offered, { type: "statusReceived", status }, "failed")).toBe(offered);
    }
    expect(reduce({ step: "paid" }, retry, "failed")).toEqual({ step: "paid" });
    expect(reduce({ step: "asking" }, retry, "failed")).toEqual({ step: "asking" });
  });

  it.each(["pg_failure_code=1", "pg_captured=1"])("%s claims no result without a response", (query) => {
    expect(reduce(arrived(query), { type: "noResponse" }, read(query).verdict)).toEqual({ step: "unanswered" });
  });

  it.each<[ProviderStatus, string, boolean]>([
    ["open", "pg_captured=1", false],
    ["open", "pg_failure_code=1", true],
    ["expired", "pg_captured=1", true],
    ["unknown", "pg_captured=1", true],
    ["paid", "pg_failure_code=1", true],
  ])("polls an %s payment of %s no longer: %s", (status, query, isOver) => {
    expect(isFinal(status, read(query).verdict)).toBe(isOver);
  });

  it("hides the page's content from the failure code on, until the payment is known to be paid", () => {
    expect(hidesContent(null, "failed")).toBe(true);
    expect(hidesContent(arrived("pg_failure_code=1"), "failed")).toBe(true);
    for (const status of ["open", "expired", "unknown"] as const) {
      expect(hidesContent(received("pg_failure_code=1", status), "failed"), status).toBe(true);
    }
    expect(hidesContent(received("pg_failure_code=1", "paid"), "failed")).toBe(false);
    expect(hidesContent(received("pg_captured=1", "expired"), "paid")).toBe(true);
    for (const status of ["paid", "open", "unknown"] as const) {
      expect(hidesContent(received("pg_captured=1", status), "paid"), status).toBe(false);
    }
  });
});

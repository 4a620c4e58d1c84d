// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import type { PaymentAttempt } from "./pay-one-time";
import { attemptFingerprint, persistAttempt, persistedAttempt, removePersistedAttempt } from "./persisted-attempt";

describe("a persisted attempt", () => {
  const attempt: PaymentAttempt = { key: "key_1", body: { price_id: "prc_1" }, opened: null };
  const mark = attemptFingerprint("guest", "live-program", "prc_1", "ada@example.org");
  beforeEach(() => localStorage.clear());

  it("is restored for the same buyer and price within an hour", () => {
    persistAttempt(mark, { ...attempt, opened: { secret: "s", intentId: "pi_1", status: "processing" } }, 0);
    expect(
      persistedAttempt(attemptFingerprint("guest", "live-program", "prc_1", " Ada@example.org"), 3_600_000),
    ).toEqual(attempt);
    expect(persistedAttempt(mark, 3_600_001)).toBeNull();
  });

  it("is not restored for another buyer or price", () => {
    persistAttempt(mark, attempt, 0);
    expect(persistedAttempt(attemptFingerprint("guest", "live-program", "prc_1", "eve@example.org"), 1)).toBeNull();
    expect(persistedAttempt(attemptFingerprint("guest", "live-program", "prc_2", "ada@example.org"), 1)).toBeNull();
  });

  it("is removed by its own key only", () => {
    persistAttempt(mark, attempt, 0);
    removePersistedAttempt("key_of_another_tab");
    expect(persistedAttempt(mark, 1)).toEqual(attempt);
    removePersistedAttempt("key_1");
    expect(persistedAttempt(mark, 1)).toBeNull();
  });

  it("does not contain the address", () => {
    persistAttempt(mark, attempt, 0);
    expect(JSON.stringify({ ...localStorage })).not.toContain("ada");
  });

  it("is ignored when it cannot be parsed", () => {
    localStorage.setItem("oneTimePayment", "{oops");
    expect(persistedAttempt(mark)).toBeNull();
  });
});

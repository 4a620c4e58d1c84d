// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import type { PaymentAttempt } from "./pay-one-time";
import { attemptFingerprint, persistAttempt, persistedAttempt, removePersistedAttempt } from "./persisted-attempt";

describe("an attempt", () => {
  const attempt: PaymentAttempt = { key: "key_1", body: { price_id: "prc_1" }, opened: null };
  const mark = attemptFingerprint("guest", "live-program", "prc_1", "ada@example.org");
  beforeEach(() => localStorage.clear());

  it("outlives its page for the same buyer and price, an hour long", () => {
    persistAttempt(mark, { ...attempt, opened: { secret: "s", intentId: "pi_1", status: "processing" } }, 0);
    expect(
      persistedAttempt(attemptFingerprint("guest", "live-program", "prc_1", " Ada@example.org"), 3_600_000),
    ).toEqual(attempt);
    expect(persistedAttempt(mark, 3_600_001)).toBeNull();
  });

  it("is nobody else's, and no other price's", () => {
    persistAttempt(mark, attempt, 0);
    expect(persistedAttempt(attemptFingerprint("guest", "live-program", "prc_1", "eve@example.org"), 1)).toBeNull();
    expect(persistedAttempt(attemptFingerprint("guest", "live-program", "prc_2", "ada@example.org"), 1)).toBeNull();
  });

  it("is forgotten by itself alone", () => {
    persistAttempt(mark, attempt, 0);
    removePersistedAttempt("key_of_another_tab");
    expect(persistedAttempt(mark, 1)).toEqual(attempt);
    removePersistedAttempt("key_1");
    expect(persistedAttempt(mark, 1)).toBeNull();
  });

  it("does not keep the address it is for", () => {
    persistAttempt(mark, attempt, 0);
    expect(JSON.stringify({ ...localStorage })).not.toContain("ada");
  });

  it("is none where something else was kept", () => {
    localStorage.setItem("oneTimePayment", "{oops");
    expect(persistedAttempt(mark)).toBeNull();
  });
});

// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import { faultsOf, trimmed } from "./form/buyer";
import { inWordsOf } from "./form/turkish-messages";
import type { Held } from "./pay/pay-one-time";
import { forgetAttempt, keepAttempt, keptAttempt, markOf } from "./pay/persisted-attempt";

describe("who buys", () => {
  it("is asked for a name and an address that can be one", () => {
    expect(faultsOf({ name: "  ", email: "" })).toEqual({ name: "required", email: "required" });
    expect(faultsOf({ name: "Ada", email: "ada@" })).toEqual({ email: "invalidEmail" });
    expect(faultsOf({ name: " Ada ", email: " ada@example.org " })).toEqual({});
  });

  it("is sent without the blanks around", () => {
    expect(trimmed({ name: " Ada Quiet ", email: " ada@example.org\t" })).toEqual({
      name: "Ada Quiet",
      email: "ada@example.org",
    });
  });
});

describe("a card's refusal", () => {
  const fault = (code: string) => ({ code, message: "Your card was declined." });
  const turkish = (code: string) => inWordsOf("tr", fault(code)).message;

  it("has six sentences and a general one in Turkish", () => {
    const codes = [
      "card_not_supported",
      "expired_card",
      "incorrect_number",
      "incorrect_cvc",
      "invalid_expiry_month",
      "insufficient_funds",
      "generic_decline",
    ];
    expect(new Set(codes.map(turkish)).size).toBe(codes.length);
    expect(turkish("invalid_number")).toBe(turkish("incorrect_number"));
    expect(turkish("invalid_cvc")).toBe(turkish("incorrect_cvc"));
    expect(turkish("invalid_expiry_year")).toBe(turkish("invalid_expiry_month"));
    expect(turkish("do_not_honor")).toBe(turkish("generic_decline"));
  });

  it("is shown in the provider's words everywhere else", () => {
    expect(inWordsOf("en", fault("expired_card")).message).toBe("Your card was declined.");
  });

  it("is not mistaken for one of ours", () => {
    const ours = { code: "QUOTE_EXPIRED", message: null };
    expect(inWordsOf("tr", ours)).toBe(ours);
  });
});

describe("an attempt", () => {
  const held: Held = { key: "key_1", body: { price_id: "prc_1" }, opened: null };
  const mark = markOf("guest", "live-program", "prc_1", "ada@example.org");
  beforeEach(() => localStorage.clear());

  it("outlives its page for the same buyer and price, an hour long", () => {
    keepAttempt(mark, { ...held, opened: { secret: "s", intentId: "pi_1", status: "processing" } }, 0);
    expect(keptAttempt(markOf("guest", "live-program", "prc_1", " Ada@example.org"), 3_600_000)).toEqual(held);
    expect(keptAttempt(mark, 3_600_001)).toBeNull();
  });

  it("is nobody else's, and no other price's", () => {
    keepAttempt(mark, held, 0);
    expect(keptAttempt(markOf("guest", "live-program", "prc_1", "eve@example.org"), 1)).toBeNull();
    expect(keptAttempt(markOf("guest", "live-program", "prc_2", "ada@example.org"), 1)).toBeNull();
  });

  it("is forgotten by itself alone", () => {
    keepAttempt(mark, held, 0);
    forgetAttempt("key_of_another_tab");
    expect(keptAttempt(mark, 1)).toEqual(held);
    forgetAttempt("key_1");
    expect(keptAttempt(mark, 1)).toBeNull();
  });

  it("does not keep the address it is for", () => {
    keepAttempt(mark, held, 0);
    expect(JSON.stringify({ ...localStorage })).not.toContain("ada");
  });

  it("is none where something else was kept", () => {
    localStorage.setItem("oneTimePayment", "{oops");
    expect(keptAttempt(mark)).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { withTurkishMessage } from "./turkish-messages";

describe("a declined card", () => {
  const fault = (code: string) => ({ code, message: "Your card was declined." });
  const turkish = (code: string) => withTurkishMessage("tr", fault(code)).message;

  it("has six specific messages and a general one in Turkish", () => {
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

  it("shows the provider's message in other languages", () => {
    expect(withTurkishMessage("en", fault("expired_card")).message).toBe("Your card was declined.");
  });

  it("does not replace our own messages", () => {
    const ours = { code: "QUOTE_EXPIRED", message: null };
    expect(withTurkishMessage("tr", ours)).toBe(ours);
  });
});

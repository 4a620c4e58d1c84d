import { describe, expect, it } from "vitest";
import { type Availability, isCardOpen, layoutOf } from "./payment-methods";

const CASES: [Availability, Availability, ReturnType<typeof layoutOf>][] = [
  ["checking", "checking", "checking"],
  ["checking", "available", "checking"],
  ["checking", "unavailable", "checking"],
  ["available", "checking", "checking"],
  ["unavailable", "checking", "checking"],
  ["available", "available", "cardCollapsed"],
  ["available", "unavailable", "cardCollapsed"],
  ["unavailable", "available", "cardCollapsed"],
  ["unavailable", "unavailable", "cardOnly"],
];

describe("the payment form", () => {
  it.each(CASES)("with a wallet %s and PayPal %s is %s", (wallet, paypal, layout) => {
    expect(layoutOf({ wallet, paypal })).toBe(layout);
  });

  it("shows the card fields at once without other methods", () => {
    expect(isCardOpen("cardOnly", false)).toBe(true);
  });

  it("collapses the card fields next to other methods until they are requested", () => {
    expect(isCardOpen("cardCollapsed", false)).toBe(false);
    expect(isCardOpen("cardCollapsed", true)).toBe(true);
  });

  it("shows no card fields while methods are being checked", () => {
    expect(isCardOpen("checking", true)).toBe(false);
  });
});

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

describe("the form", () => {
  it.each(CASES)("with a wallet %s and PayPal %s is %s", (wallet, paypal, layout) => {
    expect(layoutOf({ wallet, paypal })).toBe(layout);
  });

  it("shows the card's fields at once where nothing else is there", () => {
    expect(isCardOpen("cardOnly", false)).toBe(true);
  });

  it("keeps them behind other ways until they are asked for", () => {
    expect(isCardOpen("cardCollapsed", false)).toBe(false);
    expect(isCardOpen("cardCollapsed", true)).toBe(true);
  });

  it("shows none before everybody has answered", () => {
    expect(isCardOpen("checking", true)).toBe(false);
  });
});

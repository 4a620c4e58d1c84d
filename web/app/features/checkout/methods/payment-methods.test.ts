import { describe, expect, it } from "vitest";
import { isCardOpen, layoutOf, type Standing } from "./payment-methods";

const CASES: [Standing, Standing, ReturnType<typeof layoutOf>][] = [
  ["asking", "asking", "waiting"],
  ["asking", "here", "waiting"],
  ["asking", "absent", "waiting"],
  ["here", "asking", "waiting"],
  ["absent", "asking", "waiting"],
  ["here", "here", "cardBehind"],
  ["here", "absent", "cardBehind"],
  ["absent", "here", "cardBehind"],
  ["absent", "absent", "cardAlone"],
];

describe("the form", () => {
  it.each(CASES)("with a wallet %s and PayPal %s is %s", (wallet, paypal, layout) => {
    expect(layoutOf({ wallet, paypal })).toBe(layout);
  });

  it("shows the card's fields at once where nothing else is there", () => {
    expect(isCardOpen("cardAlone", false)).toBe(true);
  });

  it("keeps them behind other ways until they are asked for", () => {
    expect(isCardOpen("cardBehind", false)).toBe(false);
    expect(isCardOpen("cardBehind", true)).toBe(true);
  });

  it("shows none before everybody has answered", () => {
    expect(isCardOpen("waiting", true)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { CARD_NETWORKS, preferredNetwork } from "./networks";

describe("the network of a card", () => {
  it("is one of eight", () => {
    expect([...CARD_NETWORKS].sort()).toEqual([
      "amex",
      "cartes_bancaires",
      "diners",
      "discover",
      "jcb",
      "mastercard",
      "unionpay",
      "visa",
    ]);
  });

  it("is chosen where the card leaves a choice: the first that is named", () => {
    expect(preferredNetwork({ networks: ["cartes_bancaires", "visa"] })).toBe("cartes_bancaires");
  });

  it.each([[["visa"]], [[]], [["eftpos_au", "visa"]], [undefined]])("is none for %o", (networks) => {
    expect(preferredNetwork({ networks })).toBe("");
  });
});

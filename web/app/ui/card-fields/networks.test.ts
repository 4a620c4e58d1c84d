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

  it("is the first known one of a co-branded card", () => {
    expect(preferredNetwork({ networks: ["cartes_bancaires", "visa"] })).toBe("cartes_bancaires");
  });

  it.each([[["visa"]], [[]], [["eftpos_au", "visa"]], [undefined]])("is empty for %o", (networks) => {
    expect(preferredNetwork({ networks })).toBe("");
  });
});

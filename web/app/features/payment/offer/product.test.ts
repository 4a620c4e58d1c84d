import { describe, expect, it } from "vitest";
import type { Campaign } from "./offer";
import { isCoaching, type PurchaseTerms } from "./product";

const sold = (productCategory: string) =>
  ({ product: { productCategory }, campaign: "a", couponCode: null }) as Pick<
    PurchaseTerms,
    "product" | "campaign" | "couponCode"
  >;
const offer = (opens: string[] | undefined, product = "plus") => ({ opens, product }) as Campaign;

describe("a product is coaching", () => {
  it("when it opens coaching, whatever its name", () => {
    expect(isCoaching(sold("subscription"), offer(["premium", "coaching"]))).toBe(true);
    expect(isCoaching(sold("subscription"), offer(["premium"], "coaching"))).toBe(false);
    expect(isCoaching(sold(""), offer(undefined))).toBe(false);
  });

  it("when its page says so", () => {
    expect(isCoaching(sold("coaching"), offer(["premium"]))).toBe(true);
  });
});

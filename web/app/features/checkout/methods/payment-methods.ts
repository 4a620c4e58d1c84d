/** How one can pay beside the card, and what stands in the form because of it. */

export type Standing = "asking" | "here" | "absent";

export interface Ways {
  wallet: Standing;
  paypal: Standing;
}

/** `waiting`: nothing is drawn before everybody has answered, so that nothing moves afterwards. */
export type Layout = "waiting" | "cardAlone" | "cardBehind";

export function layoutOf({ wallet, paypal }: Ways): Layout {
  const ways = [wallet, paypal];
  if (ways.includes("asking")) return "waiting";
  return ways.includes("here") ? "cardBehind" : "cardAlone";
}

/** The card's fields wait behind other ways to pay until they are asked for; where there is no other way they are simply there. */
export function isCardOpen(layout: Layout, isAskedFor: boolean): boolean {
  return layout === "cardAlone" || (layout === "cardBehind" && isAskedFor);
}

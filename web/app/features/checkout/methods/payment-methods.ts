/** How one can pay beside the card, and what stands in the form because of it. */

export type Availability = "checking" | "available" | "unavailable";

export interface MethodAvailability {
  wallet: Availability;
  paypal: Availability;
}

/** `waiting`: nothing is drawn before everybody has answered, so that nothing moves afterwards. */
export type MethodLayout = "checking" | "cardOnly" | "cardCollapsed";

export function layoutOf({ wallet, paypal }: MethodAvailability): MethodLayout {
  const ways = [wallet, paypal];
  if (ways.includes("checking")) return "checking";
  return ways.includes("available") ? "cardCollapsed" : "cardOnly";
}

/** The card's fields wait behind other ways to pay until they are asked for; where there is no other way they are simply there. */
export function isCardOpen(layout: MethodLayout, isRequested: boolean): boolean {
  return layout === "cardOnly" || (layout === "cardCollapsed" && isRequested);
}

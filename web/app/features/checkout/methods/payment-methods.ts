/** Payment methods beside the card, and the form layout that follows from them. */

export type Availability = "checking" | "available" | "unavailable";

export interface MethodAvailability {
  wallet: Availability;
  paypal: Availability;
}

/** `checking`: nothing is drawn until all methods are checked, so that nothing moves afterwards. */
export type MethodLayout = "checking" | "cardOnly" | "cardCollapsed";

export function layoutOf({ wallet, paypal }: MethodAvailability): MethodLayout {
  const methods = [wallet, paypal];
  if (methods.includes("checking")) return "checking";
  return methods.includes("available") ? "cardCollapsed" : "cardOnly";
}

/** Next to other methods the card fields open on request; alone they are always open. */
export function isCardOpen(layout: MethodLayout, isRequested: boolean): boolean {
  return layout === "cardOnly" || (layout === "cardCollapsed" && isRequested);
}

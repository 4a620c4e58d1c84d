/** The step of a running payment that the buyer is shown. */
export type Phase = "card" | "order" | "bank" | "approval" | "checking";

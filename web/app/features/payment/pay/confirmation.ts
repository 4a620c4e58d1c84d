import type { StripeError } from "@stripe/stripe-js";
import { DECIDED_BEFORE, faultOf, isUndecided } from "~/lib/payment/card";
import type { Fault } from "./fault";

/** The provider's result for a payment or a card setup. */
export type ConfirmationResult = { status: string } | { error: Fault };

/** No result arrived: the money may have moved, and only our server can resolve it. */
export const UNKNOWN = "unknown";

export interface Confirmation {
  intent?: { status: string } | undefined;
  error?: StripeError | undefined;
}

/** A failed connection and an undecided error give `unknown`; only a refused card gives an error. */
export async function resultOf(
  confirmation: Promise<Confirmation>,
  toFault: (error: StripeError) => Fault = faultOf,
): Promise<ConfirmationResult> {
  const { intent, error } = await confirmation.catch((): Confirmation => ({}));
  if (!error) return { status: intent?.status ?? UNKNOWN };
  return isUndecided(error) ? { status: UNKNOWN } : { error: toFault(error) };
}

/** An error that carries an intent decided earlier gives the status of that intent. */
export async function resultWithEarlierDecision(confirmation: Promise<Confirmation>): Promise<ConfirmationResult> {
  const confirmed = await confirmation.catch((): Confirmation => ({}));
  const { error } = confirmed;
  if (error && DECIDED_BEFORE.includes(error.code ?? "")) {
    return { status: (error.payment_intent ?? error.setup_intent)?.status ?? UNKNOWN };
  }
  return resultOf(Promise.resolve(confirmed));
}

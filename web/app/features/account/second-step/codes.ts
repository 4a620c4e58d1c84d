/** Codes of the gateway about the second step of a sign-in, also in the URL after a form posted without scripts. */
export const SECOND_FACTOR_REQUIRED = "SECOND_FACTOR_REQUIRED";
export const CHALLENGE_EXPIRED = "CHALLENGE_EXPIRED";
/** The field and its code. */
export const CODE_WRONG = "CODE_SECOND_FACTOR_WRONG";

/** A refusal that belongs to the form of the second step, not to the sign-in form. */
export function isOfSecondStep(code: string): boolean {
  return code === SECOND_FACTOR_REQUIRED || code === CODE_WRONG;
}

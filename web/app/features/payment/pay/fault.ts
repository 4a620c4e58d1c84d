/** Why nothing was charged. `message` is the provider's own sentence, in the buyer's language. */
export interface Fault {
  code: string;
  message: string | null;
}

export const PAYMENT_ERROR: Fault = { code: "paymentError", message: null };

/** Our own codes are in capitals, the provider's in lower case. */
export function isOwnCode(code: string): boolean {
  return code === code.toUpperCase();
}

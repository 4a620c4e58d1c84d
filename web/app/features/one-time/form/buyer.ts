import { isEmail } from "~/lib/form/account-fields";
import type { CardHolder } from "~/lib/payment/card";

export type BuyerFault = "required" | "invalidEmail";
export type BuyerFaults = Partial<Record<keyof CardHolder, BuyerFault>>;

export function trimBuyer({ name, email }: CardHolder): CardHolder {
  return { name: name.trim(), email: email.trim() };
}

export function faultsOf(buyer: CardHolder): BuyerFaults {
  const { name, email } = trimBuyer(buyer);
  const faults: BuyerFaults = {};
  if (!name) faults.name = "required";
  if (!email) faults.email = "required";
  else if (!isEmail(email)) faults.email = "invalidEmail";
  return faults;
}

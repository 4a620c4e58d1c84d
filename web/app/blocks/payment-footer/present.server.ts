import { settings } from "~/lib/settings.server";
import type { Data } from "../types";

export function presentPaymentFooter(block: Data<"PaymentFooter">) {
  return { ...block, marketingBaseUrl: settings().marketingBaseUrl };
}

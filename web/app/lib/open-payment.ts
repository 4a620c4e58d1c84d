/** What somebody was about to pay when they left for a provider's page: kept in the tab that will come back. */
import { perTab } from "./storage";

const KEY = "openPayment";

export interface OpenPayment {
  campaign: string;
  couponCode: string | null;
  /** Where to go once it is paid. */
  next: string;
  isCoaching: boolean;
}

export function rememberPayment(payment: OpenPayment): void {
  perTab.set(KEY, JSON.stringify(payment));
}

export function openPayment(): OpenPayment | null {
  try {
    const stored = JSON.parse(perTab.get(KEY) ?? "null") as Partial<OpenPayment> | null;
    // Only what leads somewhere on this site was ever written.
    if (!stored?.campaign || !stored.next?.startsWith("/") || stored.next.startsWith("//")) return null;
    return { couponCode: null, isCoaching: false, ...stored, campaign: stored.campaign, next: stored.next };
  } catch {
    return null;
  }
}

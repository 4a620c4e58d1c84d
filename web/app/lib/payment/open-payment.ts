/** What somebody was about to pay when they left for a provider's page: kept in the tab that will come back. */
import { perTab } from "../browser/storage";

const KEY = "openPayment";

/** A way that no link can be: something is done before it, or goes along. */
export type PostPaymentAction =
  /** To the therapy app, with a token that says there who comes, where one is to be had. */
  | { kind: "therapyHandoff"; url: string }
  /** Grant temporary premium first; its answer says where the wish leads, if anywhere. */
  | { kind: "grantThenRedirect"; requestedUrl: string; fallbackUrl: string };

export interface OpenPayment {
  campaign: string;
  couponCode: string | null;
  /** Where to go once it is paid. */
  next: string;
  /** Comes before `next`. */
  action?: PostPaymentAction;
  isCoaching: boolean;
}

export function persistOpenPayment(payment: OpenPayment): void {
  perTab.set(KEY, JSON.stringify(payment));
}

export function openPayment(): OpenPayment | null {
  try {
    const stored = JSON.parse(perTab.get(KEY) ?? "null") as Partial<OpenPayment> | null;
    // Only what leads somewhere on this site was ever written.
    if (!stored?.campaign || !stored.next?.startsWith("/") || stored.next.startsWith("//")) return null;
    const { action, ...rest } = { couponCode: null, isCoaching: false, ...stored };
    const open = { ...rest, campaign: stored.campaign, next: stored.next };
    return action && isAction(action) ? { ...open, action } : open;
  } catch {
    return null;
  }
}

function isAction(errand: Partial<PostPaymentAction>): errand is PostPaymentAction {
  if (errand.kind === "therapyHandoff") return /^https?:\/\//.test(errand.url ?? "");
  // The gateway is asked where it leads.
  return errand.kind === "grantThenRedirect" && Boolean(errand.requestedUrl && errand.fallbackUrl?.startsWith("/"));
}

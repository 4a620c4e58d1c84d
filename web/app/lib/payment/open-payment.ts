/** The order of a buyer who left for a provider's page, stored in the tab that will return. */
import { perTab } from "../browser/storage";

const KEY = "openPayment";

/** A destination that needs an action first. */
export type PostPaymentAction =
  /** Opens the therapy app with a sign-in token, if one is issued. */
  | { kind: "therapyHandoff"; url: string }
  /** Grants temporary premium first; the response has the allowed target. */
  | { kind: "grantThenRedirect"; requestedUrl: string; fallbackUrl: string };

export interface OpenPayment {
  campaign: string;
  couponCode: string | null;
  /** Page after the payment. */
  next: string;
  /** Replaces `next`. */
  action?: PostPaymentAction;
  isCoaching: boolean;
}

export function persistOpenPayment(payment: OpenPayment): void {
  perTab.set(KEY, JSON.stringify(payment));
}

export function openPayment(): OpenPayment | null {
  try {
    const stored = JSON.parse(perTab.get(KEY) ?? "null") as Partial<OpenPayment> | null;
    // This site stores only its own paths.
    if (!stored?.campaign || !stored.next?.startsWith("/") || stored.next.startsWith("//")) return null;
    const { action, ...rest } = { couponCode: null, isCoaching: false, ...stored };
    const open = { ...rest, campaign: stored.campaign, next: stored.next };
    return action && isAction(action) ? { ...open, action } : open;
  } catch {
    return null;
  }
}

function isAction(action: Partial<PostPaymentAction>): action is PostPaymentAction {
  if (action.kind === "therapyHandoff") return /^https?:\/\//.test(action.url ?? "");
  // The gateway decides whether the target is allowed.
  return action.kind === "grantThenRedirect" && Boolean(action.requestedUrl && action.fallbackUrl?.startsWith("/"));
}

/** What somebody was about to pay when they left for a provider's page: kept in the tab that will come back. */
import { perTab } from "./storage";

const KEY = "openPayment";

/** A way that no link can be: something is done before it, or goes along. */
export type Errand =
  /** To the therapy app, with a token that says there who comes, where one is to be had. */
  | { kind: "handOver"; url: string }
  /** Grant temporary premium first; its answer says where the wish leads, if anywhere. */
  | { kind: "grantThenLeave"; wanted: string; otherwise: string };

export interface OpenPayment {
  campaign: string;
  couponCode: string | null;
  /** Where to go once it is paid. */
  next: string;
  /** Comes before `next`. */
  errand?: Errand;
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
    const { errand, ...rest } = { couponCode: null, isCoaching: false, ...stored };
    const open = { ...rest, campaign: stored.campaign, next: stored.next };
    return errand && isErrand(errand) ? { ...open, errand } : open;
  } catch {
    return null;
  }
}

function isErrand(errand: Partial<Errand>): errand is Errand {
  if (errand.kind === "handOver") return /^https?:\/\//.test(errand.url ?? "");
  // The gateway is asked where it leads.
  return errand.kind === "grantThenLeave" && Boolean(errand.wanted && errand.otherwise?.startsWith("/"));
}

import type { Campaign } from "~/features/payment/offer/offer";
import { perTab } from "~/lib/storage";

/**
 * An agreement at PayPal that our side has not answered yet outlives a reload of its tab: PayPal takes the money whether we have
 * heard of it or not, so nobody may be shown a form to pay again. A tab that is closed is spared the waiting: PayPal tells us.
 */

const KEY = "openApproval";

export interface KeptApproval {
  approval: string;
  userId: string;
  /** The offer as it was agreed to. */
  campaign: Campaign;
}

interface Kept extends KeptApproval {
  /** What the page sells. */
  of: string;
}

export function keepApproval(of: string, { approval, userId, campaign }: KeptApproval): void {
  perTab.set(KEY, JSON.stringify({ of, approval, userId, campaign } satisfies Kept));
}

/** Of this member and what this page sells. */
export function keptApproval(of: string, userId: string): KeptApproval | null {
  const kept = parse(perTab.get(KEY));
  return kept?.of === of && kept.userId === userId ? kept : null;
}

export function forgetApproval(approval: string): void {
  if (parse(perTab.get(KEY))?.approval === approval) perTab.remove(KEY);
}

function parse(text: string | null): Kept | null {
  try {
    const kept = JSON.parse(text ?? "null");
    return typeof kept?.approval === "string" && typeof kept.campaign?.price_id === "string" ? kept : null;
  } catch {
    return null;
  }
}

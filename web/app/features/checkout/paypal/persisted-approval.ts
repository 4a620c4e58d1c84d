import type { Campaign } from "~/features/payment/offer/offer";
import { perTab } from "~/lib/browser/storage";

/**
 * An agreement at PayPal that our side has not answered yet outlives a reload of its tab: PayPal takes the money whether we have
 * heard of it or not, so nobody may be shown a form to pay again. A tab that is closed is spared the waiting: PayPal tells us.
 */

const KEY = "openApproval";

export interface PersistedApproval {
  approval: string;
  userId: string;
  /** The offer as it was agreed to. */
  campaign: Campaign;
}

interface StoredApproval extends PersistedApproval {
  /** What the page sells. */
  campaignCode: string;
}

export function persistApproval(campaignCode: string, { approval, userId, campaign }: PersistedApproval): void {
  perTab.set(KEY, JSON.stringify({ campaignCode, approval, userId, campaign } satisfies StoredApproval));
}

/** Of this member and what this page sells. */
export function persistedApproval(campaignCode: string, userId: string): PersistedApproval | null {
  const stored = parse(perTab.get(KEY));
  return stored?.campaignCode === campaignCode && stored.userId === userId ? stored : null;
}

export function removePersistedApproval(approval: string): void {
  if (parse(perTab.get(KEY))?.approval === approval) perTab.remove(KEY);
}

function parse(text: string | null): StoredApproval | null {
  try {
    const stored = JSON.parse(text ?? "null");
    return typeof stored?.approval === "string" && typeof stored.campaign?.price_id === "string" ? stored : null;
  } catch {
    return null;
  }
}

import type { Campaign } from "~/features/payment/offer/offer";
import { perTab } from "~/lib/browser/storage";

/**
 * A PayPal approval without a result survives a reload of its tab: PayPal charges it in any case, so no second payment
 * form may be shown. In a closed tab PayPal's webhook settles it.
 */

const KEY = "openApproval";

export interface PersistedApproval {
  approval: string;
  userId: string;
  /** The offer that was approved. */
  campaign: Campaign;
}

interface StoredApproval extends PersistedApproval {
  campaignCode: string;
}

export function persistApproval(campaignCode: string, { approval, userId, campaign }: PersistedApproval): void {
  perTab.set(KEY, JSON.stringify({ campaignCode, approval, userId, campaign } satisfies StoredApproval));
}

/** The approval of this member for this campaign. */
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

import { type Answer, postJson } from "~/lib/http/request";
import type { Campaign } from "./offer";

/** Business refusals have HTTP status 200 and `status: false`. */
export type Envelope<T> = ({ status: true; data: T } | { status: false; data: null }) & {
  code: string | null;
  message: string | null;
};

/** The specification requires the field; the gateway ignores it and uses the connection's address. */
export const FIXED_IP = "127.0.0.1";
/** For calls that wait for a provider. */
export const PAYMENT_TIMEOUT_MS = 30_000;

export interface CampaignRequest {
  campaign: string;
  couponCode: string | null;
  language: string;
  country: string;
  userId: string;
}

export function loadCampaign(request: CampaignRequest): Promise<Answer<Envelope<Campaign>>> {
  return postJson("/api/web-campaign", {
    body: {
      campaign: request.campaign,
      coupon_code: request.couponCode ?? "",
      language: request.language,
      country: request.country,
      user_id: request.userId,
      ip: FIXED_IP,
    },
  });
}

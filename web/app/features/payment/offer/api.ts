import { type Answer, postJson } from "~/lib/http/request";
import type { Campaign } from "./offer";

/** Business refusals come with HTTP 200 and `status: false`. */
export type Envelope<T> = ({ status: true; data: T } | { status: false; data: null }) & {
  code: string | null;
  message: string | null;
};

/** The field is specified and has no meaning: the gateway knows the address from the connection. */
export const FIXED_IP = "127.0.0.1";
/** Calls that wait for a provider. */
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

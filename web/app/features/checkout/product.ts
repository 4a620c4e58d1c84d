import type { Fields } from "~/lib/analytics/queue";
import type { Campaign } from "./offer";
import type { CheckoutTerms } from "./terms";

/** What analytics hears of the thing being bought. */
export function productFields(terms: CheckoutTerms, campaign: Campaign): Fields {
  return {
    product_id: terms.product.id,
    product_name: terms.product.name || campaign.product,
    product_category: terms.product.category,
    campaign: terms.campaign,
    coupon_code: terms.couponCode ?? "",
    price: campaign.price,
    currency: campaign.currency,
    trial_days: campaign.trial_days,
  };
}

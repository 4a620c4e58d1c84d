import type { Fields } from "~/lib/analytics/queue";
import type { Campaign } from "./offer";
import type { CheckoutTerms } from "./terms";

type Sold = Pick<CheckoutTerms, "product" | "campaign" | "couponCode">;

/** Coaching continues a survey: its order is settled when the payment is made. */
export function isCoaching({ product }: Sold, offer: Campaign): boolean {
  return offer.opens?.includes("coaching") || /coaching/i.test(product.productCategory);
}

/** What analytics hears of the thing being bought: the block's words, and the price that is really asked. */
export function productFields({ product, campaign, couponCode }: Sold, offer: Campaign): Fields {
  return {
    ...product,
    productName: product.productName || offer.product,
    productPrice: product.productPrice || offer.price,
    campaign,
    couponCode: couponCode ?? "",
    price: offer.price,
    currency: offer.currency,
  };
}

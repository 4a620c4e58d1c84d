import type { Fields } from "~/lib/analytics/queue";
import type { Campaign } from "./offer";

/** The product as its block describes it to analytics. */
export type Product = Record<
  | "productId"
  | "productName"
  | "productCategory"
  | "productPrice"
  | "packageValidityPeriod"
  | "freeTrialPeriod"
  | "transactionType",
  string
> & { autoRenew: boolean };

/** The part of a page's terms that every purchase has. */
export interface PurchaseTerms {
  campaign: string;
  couponCode: string | null;
  product: Product;
  /** A user attribute that the block sets for buyers. */
  leanplum: { key: string; value: string } | null;
}

type ProductTerms = Pick<PurchaseTerms, "product" | "campaign" | "couponCode">;

/** Coaching continues a survey: its order is reported as paid. */
export function isCoaching({ product }: ProductTerms, offer: Campaign): boolean {
  return offer.opens?.includes("coaching") || /coaching/i.test(product.productCategory);
}

/** Analytics fields of the product: the block's values, and the price of the offer. */
export function productFields({ product, campaign, couponCode }: ProductTerms, offer: Campaign): Fields {
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

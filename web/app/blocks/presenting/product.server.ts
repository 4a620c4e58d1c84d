import type { Product } from "~/features/payment/offer/product";

interface SellingBlock {
  campaign: string;
  productId: string | null;
  productName: string | null;
  productCategory: string | null;
  productPrice: string | null;
  packageValidityPeriod: string | null;
  freeTrialPeriod: string | null;
  autoRenew: boolean;
  transactionType: string | null;
}

/** Analytics fields of a block's product, with defaults. */
export function productOf(block: SellingBlock): Product {
  return {
    productId: block.productId ?? block.campaign,
    productName: block.productName ?? "",
    productCategory: block.productCategory ?? "",
    productPrice: block.productPrice ?? "",
    packageValidityPeriod: block.packageValidityPeriod ?? "",
    freeTrialPeriod: block.freeTrialPeriod ?? "",
    autoRenew: block.autoRenew,
    transactionType: block.transactionType ?? "",
  };
}

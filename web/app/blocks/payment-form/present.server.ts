import type { CheckoutProps } from "~/features/checkout/checkout";
import { settings } from "~/lib/settings.server";
import type { Data, PageContext } from "../types";

type Form = Data<"PaymentForm"> | Data<"TwoColPaymentForm">;

export function presentPaymentForm(block: Form, { template }: PageContext) {
  const { stripePublishableKey, stripeJsUrl, therapyAppUrl, redirectHosts } = settings();
  const checkout: CheckoutProps = {
    title: block.title,
    consents: { terms: block.termsAndConditionsCheckbox, gdpr: block.gdprCheckbox },
    priceLabel: block.priceLabel,
    submitLabel: block.submitLabel,
    infoHtml: block.infoHtml,
    terms: {
      campaign: block.campaign,
      couponCode: block.couponCode,
      product: {
        id: block.productId ?? block.campaign,
        name: block.productName ?? "",
        category: block.productCategory ?? "",
      },
      nextPage: block.nextPage,
      redirectVisitors: template !== "PaymentNoRedirect",
      therapyAppUrl,
      redirectHosts,
      stripe: { publishableKey: stripePublishableKey, scriptUrl: stripeJsUrl },
    },
  };
  return { __typename: "PaymentForm" as const, id: block.id, checkout };
}

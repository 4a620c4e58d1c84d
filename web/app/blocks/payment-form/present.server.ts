import type { CheckoutProps } from "~/features/checkout/checkout";
import { settings } from "~/lib/server/settings.server";
import { consentOrDefault } from "../presenting/consent.server";
import { productOf } from "../presenting/product.server";
import type { Data, PageContext } from "../types";

type Form = Data<"PaymentForm"> | Data<"TwoColPaymentForm">;

export function presentPaymentForm(block: Form, { template }: PageContext) {
  const { stripePublishableKey, stripeJsUrl, therapyAppUrl, yookassaWidgetUrl, paypal } = settings();
  const checkout: CheckoutProps = {
    product: block.priceLabel ?? block.title,
    consents: {
      terms: consentOrDefault(
        block.termsAndConditionsCheckbox,
        block.termsAndConditionsText,
        block.termsAndConditionsTextHtml,
      ),
      gdpr: consentOrDefault(block.gdprCheckbox, block.gdprText, block.gdprTextHtml),
    },
    submitLabel: block.submitLabel,
    terms: {
      campaign: block.campaign,
      couponCode: block.couponCode,
      product: productOf(block),
      leanplum: block.leanplumKey ? { key: block.leanplumKey, value: block.leanplumValue ?? "" } : null,
      nextPage: block.nextPage,
      mayRedirect: template !== "PaymentNoRedirect",
      therapyAppUrl,
      paypal,
      walletLabel: block.appleGooglePay ? (block.appleGooglePayProductName ?? "") : null,
      stripe: { publishableKey: stripePublishableKey, scriptUrl: stripeJsUrl },
      yookassaWidgetUrl,
    },
  };
  const { id, title, infoHtml } = block;
  return { __typename: "PaymentForm" as const, id, title, infoHtml, checkout };
}

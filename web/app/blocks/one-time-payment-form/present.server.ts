import type { OneTimeCheckoutProps } from "~/features/one-time/one-time-checkout";
import type { OneTimeKind, OneTimeRoute } from "~/features/one-time/terms";
import { settings } from "~/lib/server/settings.server";
import { consentOf } from "../presenting/consent.server";
import { productOf } from "../presenting/product.server";
import type { Data, PageContext } from "../types";

type Form = Data<"OneTimePaymentForm"> | Data<"OneTimePaymentWithAdditionForm">;

export function presentOneTimePaymentForm(block: Data<"OneTimePaymentForm">, page: PageContext) {
  const { __typename, id, title, infoHtml } = block;
  const checkout = presentOneTime(block, { kind: "program", route: block.programVariant }, page);
  return { __typename, id, title, infoHtml, checkout };
}

export function presentOneTimePaymentWithAdditionForm(
  block: Data<"OneTimePaymentWithAdditionForm">,
  page: PageContext,
) {
  const { __typename, id, title, infoHtml } = block;
  const checkout = presentOneTime(block, { kind: block.additionVariant, route: "addition" }, page);
  return { __typename, id, title, infoHtml, checkout };
}

interface Variant {
  kind: OneTimeKind;
  route: OneTimeRoute;
}

function presentOneTime(block: Form, variant: Variant, { template }: PageContext): OneTimeCheckoutProps {
  const { stripePublishableKey, stripeJsUrl, therapyAppUrl } = settings();
  return {
    product: block.priceLabel ?? block.title,
    consents: {
      terms: consentOf(block.termsAndConditionsCheckbox, block.termsAndConditionsTextHtml),
      gdpr: consentOf(block.gdprCheckbox, block.gdprTextHtml),
    },
    submitLabel: block.submitLabel,
    terms: {
      ...variant,
      campaign: block.campaign,
      couponCode: block.couponCode,
      product: productOf(block),
      leanplum: block.leanplumKey ? { key: block.leanplumKey, value: block.leanplumValue ?? "" } : null,
      nextPage: block.nextPage,
      successRedirect: block.successRedirect,
      mayRedirect: template !== "PaymentNoRedirect",
      therapyAppUrl,
      stripe: { publishableKey: stripePublishableKey, scriptUrl: stripeJsUrl },
    },
  };
}

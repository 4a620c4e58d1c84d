import { useStripe } from "@stripe/react-stripe-js";
import { StripeGate } from "~/features/payment/form/stripe-gate";
import type { OrderView } from "~/features/payment/order/order-view";
import { FormSkeleton } from "~/features/payment/order/skeletons";
import type { CardHolder } from "~/lib/payment/card";
import { usePaymentMethods } from "../methods/use-payment-methods";
import { campaignOf } from "../state";
import type { CheckoutTerms, Consents } from "../terms";
import type { Checkout } from "../use-checkout";
import { PayForm } from "./pay-form";

export interface PayPanelProps {
  checkout: Checkout;
  order: OrderView;
  holder: CardHolder;
  consents: Consents;
  terms: CheckoutTerms;
  submitLabel: string | null;
}

/** The payment form, once the available methods are known. */
export function PayPanel(props: PayPanelProps) {
  return (
    <StripeGate settings={props.terms.stripe} fallback={<PaySkeleton {...props} />}>
      <PayFormWithMethods {...props} />
    </StripeGate>
  );
}

function PayFormWithMethods(props: PayPanelProps) {
  const methods = usePaymentMethods(useStripe(), campaignOf(props.checkout.state), props.terms);
  if (methods.layout === "checking") return <PaySkeleton {...props} />;
  return <PayForm {...props} methods={methods} />;
}

function PaySkeleton({ order, submitLabel }: PayPanelProps) {
  return <FormSkeleton hasTrial={order.timeline !== null} submitLabel={submitLabel} />;
}

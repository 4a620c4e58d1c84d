import { useStripe } from "@stripe/react-stripe-js";
import { ProviderGate } from "~/features/payment/form/stripe-gate";
import type { OrderView } from "~/features/payment/order/order-view";
import { FormSkeleton } from "~/features/payment/order/skeletons";
import type { CardHolder } from "~/lib/card";
import { useWays } from "../methods/use-payment-methods";
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

/** The ways to pay, once they are known. */
export function PayPanel(props: PayPanelProps) {
  return (
    <ProviderGate settings={props.terms.stripe} meanwhile={<Meanwhile {...props} />}>
      <FoundWays {...props} />
    </ProviderGate>
  );
}

function FoundWays(props: PayPanelProps) {
  const ways = useWays(useStripe(), campaignOf(props.checkout.state), props.terms);
  if (ways.layout === "waiting") return <Meanwhile {...props} />;
  return <PayForm {...props} ways={ways} />;
}

function Meanwhile({ order, submitLabel }: PayPanelProps) {
  return <FormSkeleton hasTrial={order.timeline !== null} submitLabel={submitLabel} />;
}

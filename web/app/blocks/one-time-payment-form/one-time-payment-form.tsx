import { OneTimeCheckout, type OneTimeCheckoutProps } from "~/features/checkout/one-time/one-time-checkout";
import { PaymentSection } from "../payment-section";

export default function OneTimePaymentForm({ block: { checkout } }: { block: { checkout: OneTimeCheckoutProps } }) {
  return (
    <PaymentSection title={checkout.title}>
      <OneTimeCheckout {...checkout} />
    </PaymentSection>
  );
}

import { OneTimeCheckout, type OneTimeCheckoutProps } from "~/features/one-time/one-time-checkout";
import { PaymentSection } from "../shared/payment-section";

interface OneTimePaymentFormProps {
  block: { title: string; infoHtml: string | null; checkout: OneTimeCheckoutProps };
}

export default function OneTimePaymentForm({ block }: OneTimePaymentFormProps) {
  return (
    <PaymentSection title={block.title} infoHtml={block.infoHtml}>
      <OneTimeCheckout {...block.checkout} />
    </PaymentSection>
  );
}

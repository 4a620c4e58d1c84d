import { Checkout } from "~/features/checkout/checkout";
import type { BlockProps } from "../registry";
import { PaymentSection } from "../shared/payment-section";

export default function PaymentForm({ block }: BlockProps<"PaymentForm">) {
  return (
    <PaymentSection title={block.title} infoHtml={block.infoHtml}>
      <Checkout {...block.checkout} />
    </PaymentSection>
  );
}

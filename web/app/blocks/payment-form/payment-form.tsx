import { Checkout } from "~/features/checkout/checkout";
import { PaymentSection } from "../payment-section";
import type { BlockProps } from "../registry";

export default function PaymentForm({ block }: BlockProps<"PaymentForm">) {
  return (
    <PaymentSection title={block.title} infoHtml={block.infoHtml}>
      <Checkout {...block.checkout} />
    </PaymentSection>
  );
}

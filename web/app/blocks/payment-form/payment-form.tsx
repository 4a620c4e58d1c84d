import { Checkout } from "~/features/checkout/checkout";
import { PaymentSection } from "../payment-section";
import type { BlockProps } from "../registry";

export default function PaymentForm({ block }: BlockProps<"PaymentForm">) {
  return (
    <PaymentSection title={block.checkout.title}>
      <Checkout {...block.checkout} />
    </PaymentSection>
  );
}

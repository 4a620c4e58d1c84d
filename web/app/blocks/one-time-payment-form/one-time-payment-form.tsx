import { OneTimeCheckout } from "~/features/checkout/one-time/one-time-checkout";
import type { BlockProps } from "../registry";

export default function OneTimePaymentForm({ block }: BlockProps<"OneTimePaymentForm">) {
  return (
    <section className="wrap wrap-narrow pt-6 pb-16 md:pt-10">
      <h1 className="display mb-6 text-3xl md:mb-8">{block.checkout.title}</h1>
      <div className="@container">
        <OneTimeCheckout {...block.checkout} />
      </div>
    </section>
  );
}

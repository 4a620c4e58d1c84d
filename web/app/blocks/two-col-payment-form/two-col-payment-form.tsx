import { Checkout } from "~/features/checkout/checkout";
import { Icon } from "~/ui/icon/icon";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";
import { PaymentHeading } from "../shared/payment-section";

/** The checkout beside its benefits; on a phone the form comes first. */
export default function TwoColPaymentForm({ block }: BlockProps<"TwoColPaymentForm">) {
  return (
    <section className="wrap grid items-start gap-10 pt-6 pb-16 md:pt-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-16">
      <div className="@container lg:order-2">
        <PaymentHeading title={block.title} infoHtml={block.infoHtml} />
        <Checkout {...block.checkout} />
      </div>
      <aside className="lg:sticky lg:top-24 lg:order-1">
        {block.sideImage && (
          <Picture image={block.sideImage} className="mb-8 aspect-4/3 w-full rounded-card object-cover" />
        )}
        {block.sideTitle && <h2 className="display text-2xl">{block.sideTitle}</h2>}
        {block.sideItems.length > 0 && (
          <ul className="mt-6 space-y-4">
            {block.sideItems.map((item) => (
              <li key={item} className="flex gap-3">
                <Icon name="check" className="mt-1 text-action" />
                {item}
              </li>
            ))}
          </ul>
        )}
      </aside>
    </section>
  );
}

import { PlanPrice } from "../plan-list/plan-price";
import type { BlockProps } from "../registry";

export default function PaymentPrice({ block }: BlockProps<"PaymentPrice">) {
  return (
    <section className="wrap wrap-narrow py-6">
      <div className="rounded-card bg-mist p-5 md:p-8">
        {block.heading && <h2 className="text-lg font-bold">{block.heading}</h2>}
        <div className={block.heading ? "-mt-4" : "-mt-6"}>
          <PlanPrice price={block.price} label={null} />
        </div>
        {block.note && <p className="mt-3 text-2xs text-muted">{block.note}</p>}
      </div>
    </section>
  );
}

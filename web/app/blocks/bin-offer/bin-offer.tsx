import { Dusk } from "~/ui/art/dusk";
import { ContactLine } from "~/ui/contact-line/contact-line";
import { PlanPrice } from "../plan-list/plan-price";
import type { BlockProps } from "../registry";

export default function BinOffer({ block }: BlockProps<"BinOffer">) {
  return (
    <section className="wrap grid items-center gap-10 py-8 md:py-14 lg:grid-cols-[6fr_5fr] lg:gap-16">
      <div>
        <h1 className="display text-display">{block.title}</h1>
        {block.body && <p className="hero-lede mt-5 text-lg text-muted">{block.body}</p>}
        <PlanPrice price={block.price} label={null} />
        <div className="mt-8 max-w-form">
          <ContactLine email={block.contactEmail} subject={block.title} />
        </div>
      </div>
      <Dusk seed={block.id} className="hidden aspect-square w-full lg:block" />
    </section>
  );
}

import { OfferCard } from "~/ui/offer-card/offer-card";
import type { BlockProps } from "../registry";

export default function SpecialOfferBox({ block }: BlockProps<"SpecialOfferBox">) {
  return (
    <section className="wrap py-8 md:py-12">
      <OfferCard title={block.title} text={block.body} badge={block.offerBadge} button={block.button} />
    </section>
  );
}

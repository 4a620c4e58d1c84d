import { Dusk } from "~/ui/art/dusk";
import { ContentButton } from "~/ui/button/content-button";
import { Picture } from "~/ui/picture/picture";
import { Badge } from "../price-badge/badge";
import type { BlockProps } from "../registry";

export default function NewYearHero({ block }: BlockProps<"NewYearHero">) {
  return (
    <section className="wrap half pt-6 pb-14 md:pt-10 lg:pb-20">
      <div className="on-night grid overflow-hidden rounded-card bg-night text-white shadow-floating lg:grid-cols-2">
        <div className="p-6 py-10 md:p-12 lg:p-14">
          <h1 className="display text-display text-white">{block.title}</h1>
          {block.description && <p className="hero-lede mt-5 text-lg text-lav">{block.description}</p>}
          {block.priceBadge && (
            <div className="mt-8">
              <Badge badge={block.priceBadge} />
            </div>
          )}
          <ContentButton button={block.button} className="mt-8 max-xs:w-full" />
          {block.note && <p className="mt-4 text-sm text-lav">{block.note}</p>}
        </div>
        {block.image ? (
          <Picture image={block.image} eager className="size-full min-h-64 object-cover" />
        ) : (
          <Dusk seed={block.id} className="min-h-72 rounded-none" />
        )}
      </div>
    </section>
  );
}

import { ContentButton } from "~/ui/button/content-button";
import type { BlockProps } from "../registry";
import { Art } from "./art";
import { ProofLine } from "./proof-line";

export default function Hero({ block }: BlockProps<"Hero">) {
  return (
    <section className="wrap grid items-center gap-10 pt-8 pb-14 md:pt-12 lg:grid-cols-[6fr_5fr] lg:gap-16 lg:pb-20">
      <div>
        {block.eyebrow && <p className="mb-4 text-sm font-bold tracking-label text-action">{block.eyebrow}</p>}
        <h1 className="display text-display">{block.title}</h1>
        {block.description && <p className="hero-lede mt-5 text-lg text-muted">{block.description}</p>}
        {block.buttons.length > 0 && (
          <div className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-3">
            {block.buttons.map((button) => (
              <ContentButton key={button.url + button.text} button={button} className="max-xs:w-full" />
            ))}
          </div>
        )}
        {block.priceNote && <p className="mt-4 text-sm text-muted">{block.priceNote}</p>}
        {block.proofLine && <ProofLine text={block.proofLine} />}
      </div>
      <Art seed={block.artSeed ?? block.id} />
    </section>
  );
}

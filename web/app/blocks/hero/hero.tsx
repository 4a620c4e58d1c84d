import clsx from "clsx";
import type { ReactNode } from "react";
import { ContentButton } from "~/ui/button/content-button";
import type { BlockProps } from "../registry";
import { InnerBlocks } from "../render";
import { Art } from "./art";
import { FADE_IN_UP, fadeAttributes } from "./fade";
import { ProofLine } from "./proof-line";
import "./hero.css";

type HeroBlock = BlockProps<"Hero">["block"];

export default function Hero({ block }: BlockProps<"Hero">) {
  const isCentered = block.layout === "centered";
  return (
    <section className={clsx("relative isolate overflow-clip", !block.backgroundSection && "half")}>
      {block.backgroundSection && <Behind>{<InnerBlocks sections={[block.backgroundSection]} />}</Behind>}
      <div
        className={clsx(
          "wrap grid items-center gap-10 pt-8 pb-14 md:pt-12 lg:pb-20",
          isCentered ? "justify-items-center text-center" : "lg:grid-cols-[6fr_5fr] lg:gap-16",
        )}
      >
        <Words block={block} isCentered={isCentered} />
        {block.sections.length > 0 ? (
          <div
            {...(block.fadeInUp ? fadeAttributes(FADE_IN_UP) : {})}
            className={clsx(
              "w-full space-y-6 text-start",
              block.fadeInUp && "fade-in-up",
              isCentered && "hero-centred max-w-[56rem]",
            )}
          >
            <InnerBlocks sections={block.sections} />
          </div>
        ) : (
          !isCentered && <Art seed={block.artSeed ?? block.id} />
        )}
      </div>
    </section>
  );
}

function Words({ block, isCentered }: { block: HeroBlock; isCentered: boolean }) {
  return (
    <div className={isCentered ? "flex max-w-[48rem] flex-col items-center" : ""}>
      {block.eyebrow && <p className="mb-4 text-sm font-bold tracking-label text-action">{block.eyebrow}</p>}
      <h1 className="display text-display">{block.title}</h1>
      {block.description && <p className="hero-lede mt-5 text-lg text-muted">{block.description}</p>}
      {block.buttons.length > 0 && (
        <div
          className={clsx("mt-8 flex w-full flex-wrap items-center gap-x-4 gap-y-3", isCentered && "justify-center")}
        >
          {block.buttons.map((button) => (
            <ContentButton key={button.url + button.text} button={button} className="max-xs:w-full" />
          ))}
        </div>
      )}
      {block.priceNote && <p className="mt-4 text-sm text-muted">{block.priceNote}</p>}
      {block.proofLine && <ProofLine text={block.proofLine} />}
    </div>
  );
}

/** The background is tinted, so that the text keeps its contrast on any picture. */
function Behind({ children }: { children: ReactNode }) {
  return (
    <div className="behind absolute inset-0 -z-10 overflow-hidden">
      {children}
      <div className="absolute inset-0 bg-paper/85" />
    </div>
  );
}

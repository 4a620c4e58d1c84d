import { parseHex, toneOn } from "~/lib/format/colour";
import { LotusMark } from "~/ui/art/lotus";
import { ContentButton } from "~/ui/button/content-button";
import type { BlockProps } from "../registry";

const scopes = { light: "on-night", dark: "on-day" } as const;

/** A night-blue card, or one in content's colour while its text is readable. */
export default function CallToActionBanner({ block }: BlockProps<"CallToActionBanner">) {
  const background = parseHex(block.background);
  const tone = background && toneOn(background);
  return (
    <section className="wrap section">
      <div
        className={`relative isolate overflow-hidden rounded-card px-6 py-12 text-center text-ink md:px-14 md:py-16 ${scopes[tone ?? "light"]} ${tone ? "" : "bg-night"}`}
      >
        {tone && (
          <svg aria-hidden="true" className="absolute inset-0 -z-20 size-full">
            <rect width="100%" height="100%" fill={block.background ?? undefined} />
          </svg>
        )}
        <LotusMark className="absolute -inset-x-full -bottom-1/4 -z-10 mx-auto h-[150%] w-auto text-ink opacity-[0.06]" />
        <h2 className="display mx-auto max-w-[24ch] text-3xl">{block.title}</h2>
        {block.body && <p className="mx-auto mt-4 max-w-[48ch] text-lg text-balance text-muted">{block.body}</p>}
        <div className="mt-8 flex flex-wrap justify-center gap-x-4 gap-y-3">
          <ContentButton button={{ ...block.button, primary: !block.button.link }} className="max-xs:w-full" />
          {block.secondButton && <ContentButton button={block.secondButton} className="max-xs:w-full" />}
        </div>
      </div>
    </section>
  );
}

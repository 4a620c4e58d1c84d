import { parseHex, toneOn } from "~/lib/colour";
import { FeatureIcon } from "~/ui/icon/feature-icon";
import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";

type ExplanationBlock = BlockProps<"ExplanationBoxes">["block"];

const tones = { light: "text-white", dark: "text-night-deep" } as const;
const TOKENS: Record<string, string> = { action: "var(--color-violet)", night: "var(--color-night)" };

export default function ExplanationBoxes({ block }: BlockProps<"ExplanationBoxes">) {
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <ul className="grid gap-4 md:grid-cols-2 md:gap-6">
        {block.boxes.map((box) => (
          <Box key={box.title} box={box} isFaint={block.backgroundOpacity} heading={block.heading ? "h3" : "h2"} />
        ))}
      </ul>
    </section>
  );
}

interface BoxProps {
  box: ExplanationBlock["boxes"][number];
  isFaint: boolean;
  heading: "h2" | "h3";
}

/** The colour is a layer of its own: at full strength the words on it follow its lightness, faint it only tints the card. */
function Box({ box, isFaint, heading: Heading }: BoxProps) {
  const fill = fillOf(box.backgroundColor);
  const tone = isFaint ? null : fill.tone;
  return (
    <li
      className={`relative isolate overflow-hidden rounded-card bg-card p-6 shadow-rest md:p-8 ${tone ? tones[tone] : "text-ink"}`}
    >
      <svg
        aria-hidden="true"
        className={`explanation-background absolute inset-0 -z-10 size-full ${isFaint ? "opacity-[0.15]" : "opacity-100"}`}
      >
        <rect width="100%" height="100%" fill={fill.colour} />
      </svg>
      {box.icon && (
        <span className="mb-5 block">
          <FeatureIcon name={box.icon} />
        </span>
      )}
      <Heading className="display text-xl">{box.title}</Heading>
      <p className="mt-2">{box.text}</p>
    </li>
  );
}

/** A colour on which nothing could be read is not shown at full strength. */
function fillOf(colour: string | null) {
  const token = TOKENS[colour ?? ""];
  if (token) return { colour: token, tone: "light" as const };
  const rgb = parseHex(colour);
  const tone = rgb && toneOn(rgb);
  return rgb && tone ? { colour: colour ?? "", tone } : { colour: "var(--color-mist)", tone: null };
}

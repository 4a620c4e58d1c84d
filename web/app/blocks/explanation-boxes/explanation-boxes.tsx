import { FeatureIcon } from "~/ui/icon/feature-icon";
import { SectionHeader } from "~/ui/section-header/section-header";
import { type Surface, SurfaceLayer, surfaceOf } from "~/ui/surface/surface";
import type { BlockProps } from "../registry";

type ExplanationBlock = BlockProps<"ExplanationBoxes">["block"];

export default function ExplanationBoxes({ block }: BlockProps<"ExplanationBoxes">) {
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <ul className="cards cards-halves">
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

const PLAIN: Surface = { fill: "var(--color-mist)", scope: "text-ink" };

/** At full opacity the text colour follows the background; at a low one it only tints the card. */
function Box({ box, isFaint, heading: Heading }: BoxProps) {
  const surface = surfaceOf(box.backgroundColor) ?? PLAIN;
  return (
    <li
      className={`relative isolate rounded-card bg-card p-6 shadow-rest md:p-8 ${isFaint ? "text-ink" : surface.scope}`}
    >
      <SurfaceLayer
        surface={surface}
        className={`explanation-background ${isFaint ? "opacity-[0.15]" : "opacity-100"}`}
      />
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

import clsx from "clsx";
import { DynamicStylesLink, dynamicStylesOf } from "~/ui/dynamic-styles/dynamic-styles";
import type { BlockProps } from "../registry";

const sizes: Record<number, string> = {
  1: "display text-display",
  2: "display text-3xl",
  3: "display text-2xl",
  4: "display text-xl",
  5: "text-lg font-bold",
  6: "text-base font-bold",
};

const defaultLevels = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6, p: 5 } as const;

export default function Heading({ block }: BlockProps<"Heading">) {
  const Tag = block.tag;
  const styles = dynamicStylesOf({
    ink: block.color,
    blend: block.gradient,
    face: block.font?.family,
    size: block.font?.size,
    weight: block.font?.weight,
    leading: block.font?.lineHeight,
  });
  return (
    <header
      className="wrap pt-12 pb-2 text-center in-[.landing-hero]:text-start in-[.nested]:py-0 md:pt-16"
      dir={block.direction ?? undefined}
    >
      <DynamicStylesLink paint={styles} />
      <Tag
        className={clsx(
          sizes[block.level ?? defaultLevels[block.tag]] ?? sizes[2],
          // A gradient covers the text, not the empty rest of the line.
          block.gradient && "mx-auto w-fit",
          styles?.className,
        )}
      >
        {block.text}
      </Tag>
      {block.sub && <p className="hero-lede mx-auto mt-4 text-lg text-muted in-[.landing-hero]:mx-0">{block.sub}</p>}
    </header>
  );
}

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

/** Content names colours by token; anything else keeps the ink, whose contrast is known. */
const colours: Record<string, string> = {
  action: "text-action",
  muted: "text-muted",
  ink: "text-ink",
};

export default function Heading({ block }: BlockProps<"Heading">) {
  const Tag = block.tag;
  const size = sizes[block.level ?? defaultLevels[block.tag]] ?? sizes[2];
  return (
    <header className="wrap pt-12 pb-2 text-center md:pt-16" dir={block.direction ?? undefined}>
      <Tag className={`${size} ${colours[block.color ?? ""] ?? ""}`}>{block.text}</Tag>
      {block.sub && <p className="hero-lede mx-auto mt-4 text-lg text-muted">{block.sub}</p>}
    </header>
  );
}

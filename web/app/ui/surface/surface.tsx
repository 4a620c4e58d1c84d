import { parseHex, toneOn } from "~/lib/format/colour";

/** A ground in a colour that content chose, and which of our letters can be read on it. */
export interface Surface {
  fill: string;
  /** For the element the ground belongs to. */
  scope: "text-ink" | "on-night" | "on-day";
}

/** Names that follow the scheme, and names that are dark in both. */
const quiet: Record<string, string> = {
  paper: "var(--color-paper)",
  card: "var(--color-card)",
  sand: "var(--color-sand)",
  mist: "var(--color-mist)",
};
const dark: Record<string, string> = {
  action: "var(--color-violet)",
  violet: "var(--color-violet)",
  night: "var(--color-night)",
};

export function isSurfaceName(name: string): boolean {
  return Object.hasOwn(quiet, name) || Object.hasOwn(dark, name);
}

/** Nothing where content names no colour, or one that nothing could be read on. */
export function surfaceOf(colour: string | null | undefined): Surface | null {
  const name = colour?.trim() ?? "";
  if (quiet[name]) return { fill: quiet[name], scope: "text-ink" };
  if (dark[name]) return { fill: dark[name], scope: "on-night" };
  const rgb = parseHex(name);
  const tone = rgb && toneOn(rgb);
  return tone && { fill: name, scope: tone === "light" ? "on-night" : "on-day" };
}

/** An SVG, because the page's policy allows no styles. Its element must be `relative isolate`. */
export function SurfaceLayer({ ground, className = "" }: { ground: Surface | null; className?: string }) {
  return (
    ground && (
      <svg aria-hidden="true" className={`absolute inset-0 -z-10 size-full ${className}`}>
        <rect width="100%" height="100%" rx="18" fill={ground.fill} />
      </svg>
    )
  );
}

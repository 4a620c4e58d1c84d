import { parseHex, toneOn } from "~/lib/format/colour";

/** A background colour from content, with the readable text colour. */
export interface Surface {
  fill: string;
  /** Class of the element with the background. */
  scope: "text-ink" | "on-night" | "on-day";
}

/** Tokens that follow the scheme, and tokens that are dark in both. */
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

/** Null without a colour, or with one on which no text is readable. */
export function surfaceOf(colour: string | null | undefined): Surface | null {
  const name = colour?.trim() ?? "";
  if (quiet[name]) return { fill: quiet[name], scope: "text-ink" };
  if (dark[name]) return { fill: dark[name], scope: "on-night" };
  const rgb = parseHex(name);
  const tone = rgb && toneOn(rgb);
  return tone && { fill: name, scope: tone === "light" ? "on-night" : "on-day" };
}

/** SVG, because inline styles are forbidden. The parent must be `relative isolate`. */
export function SurfaceLayer({ surface, className = "" }: { surface: Surface | null; className?: string }) {
  return (
    surface && (
      <svg aria-hidden="true" className={`absolute inset-0 -z-10 size-full ${className}`}>
        <rect width="100%" height="100%" rx="18" fill={surface.fill} />
      </svg>
    )
  );
}

/**
 * Colours and fonts from content. The content security policy forbids inline styles, so each combination is a small
 * style sheet of this site, named after its values: `/paint/ink-xffffff_ground-action.css`. `sheet.server.ts` generates
 * it.
 */

export interface ChosenStyles {
  ink?: string | null | undefined;
  ground?: string | null | undefined;
  line?: string | null | undefined;
  /** Colours of a text gradient, separated by commas. */
  blend?: string | null | undefined;
  face?: string | null | undefined;
  /** In pixels, as `width`. */
  size?: number | null | undefined;
  weight?: number | null | undefined;
  /** In percent of the size. */
  leading?: number | null | undefined;
  width?: number | null | undefined;
}

export interface DynamicStyles {
  className: string;
  href: string;
}

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})$/;
const TOKEN = /^[a-z]+(-[a-z]+)*$/;

/** Hex colours start with an x, because `facade` is both a colour and a word. */
function codeOf(colour: string | null | undefined): string | null {
  const normalised = colour?.trim().toLowerCase() ?? "";
  const [, hex] = HEX.exec(normalised) ?? [];
  if (hex) return `x${hex}`;
  return TOKEN.test(normalised) ? normalised : null;
}

function blendOf(blend: string | null | undefined): string | null {
  const codes = blend?.split(",").map(codeOf) ?? [];
  return codes.length > 1 && codes.every((code) => code !== null) ? codes.join("--") : null;
}

/** The class and style sheet for these values; null when content sets none. */
export function dynamicStylesOf(chosen: ChosenStyles): DynamicStyles | null {
  const parts = {
    ink: codeOf(chosen.ink),
    ground: codeOf(chosen.ground),
    line: codeOf(chosen.line),
    blend: blendOf(chosen.blend),
    face: codeOf(chosen.face),
    size: chosen.size,
    weight: chosen.weight,
    leading: chosen.leading,
    width: chosen.width,
  };
  const given = Object.entries(parts).filter(([, value]) => value !== null && value !== undefined);
  if (given.length === 0) return null;
  const name = given.map(([part, value]) => `${part}-${value}`).join("_");
  return { className: `paint_${name}`, href: `/paint/${name}.css` };
}

/** React moves it into the head and waits for it. */
export function DynamicStylesLink({ paint }: { paint: DynamicStyles | null }) {
  return paint && <link rel="stylesheet" href={paint.href} precedence="paint" />;
}

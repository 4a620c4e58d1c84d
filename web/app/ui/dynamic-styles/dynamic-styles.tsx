/**
 * Colours and letters that content chooses. The page's policy allows no styles of its own, so each look is a small style sheet of this
 * site whose name says what is in it: `/paint/ink-xffffff_ground-action.css`. `sheet.server.ts` writes it.
 */

export interface ChosenStyles {
  ink?: string | null | undefined;
  ground?: string | null | undefined;
  line?: string | null | undefined;
  /** Colours with commas between them, for the letters themselves. */
  blend?: string | null | undefined;
  face?: string | null | undefined;
  /** In pixels, as `width` is. */
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

/** Hex colours start with an x, which no token does: `facade` is both a colour and a word. */
function codeOf(colour: string | null | undefined): string | null {
  const wanted = colour?.trim().toLowerCase() ?? "";
  const [, hex] = HEX.exec(wanted) ?? [];
  if (hex) return `x${hex}`;
  return TOKEN.test(wanted) ? wanted : null;
}

function blendOf(blend: string | null | undefined): string | null {
  const codes = blend?.split(",").map(codeOf) ?? [];
  return codes.length > 1 && codes.every((code) => code !== null) ? codes.join("--") : null;
}

/** What paints this look, or nothing where content leaves all of it to the design. */
export function dynamicStylesOf(look: ChosenStyles): DynamicStyles | null {
  const parts = {
    ink: codeOf(look.ink),
    ground: codeOf(look.ground),
    line: codeOf(look.line),
    blend: blendOf(look.blend),
    face: codeOf(look.face),
    size: look.size,
    weight: look.weight,
    leading: look.leading,
    width: look.width,
  };
  const given = Object.entries(parts).filter(([, value]) => value !== null && value !== undefined);
  if (given.length === 0) return null;
  const name = given.map(([part, value]) => `${part}-${value}`).join("_");
  return { className: `paint_${name}`, href: `/paint/${name}.css` };
}

/** Stands beside what is painted; React moves it into the head and waits for it. */
export function DynamicStylesLink({ paint }: { paint: DynamicStyles | null }) {
  return paint && <link rel="stylesheet" href={paint.href} precedence="paint" />;
}

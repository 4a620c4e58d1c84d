/** The arrangement of a page's blocks. */
export type Arrangement =
  /** Stacked. */
  | "stack"
  /** The last block beside the others, at the inline end. */
  | "sideEnd"
  /** The first block beside the others. */
  | "twoColumns";

/** The frame of a page. */
export interface Layout {
  /** Focused pages have a quiet header and footer. */
  quiet: boolean;
  isHome: boolean;
  /** Full width, or contained on wide screens. */
  width: "bleed" | "contained";
  arrangement: Arrangement;
}

const PAGE: Layout = { quiet: false, isHome: false, width: "contained", arrangement: "stack" };
const BLEED: Layout = { ...PAGE, width: "bleed" };
const QUIET: Layout = { ...PAGE, quiet: true };

const layouts = {
  Autosignin: QUIET,
  CreatingProgram: { ...QUIET, width: "bleed" },
  GiftPayment: QUIET,
  Home: { ...BLEED, isHome: true },
  Landing: BLEED,
  LoginRegister: QUIET,
  Page: PAGE,
  Payment: QUIET,
  // The same frame as `Payment`; only the redirects differ.
  PaymentNoRedirect: QUIET,
  SideBarRight: { ...PAGE, arrangement: "sideEnd" },
  SuccessPage: PAGE,
  SuccessPageTemplateWithUpdateProfile: PAGE,
  TwoColPayment: { ...QUIET, arrangement: "twoColumns" },
} as const satisfies Record<string, Layout>;

export const TEMPLATES = Object.keys(layouts);

/** An unknown template is a plain page. */
export function layoutOf(template: string): Layout {
  return Object.hasOwn(layouts, template) ? layouts[template as keyof typeof layouts] : PAGE;
}

/** Pages of one partner, in its colours. */
const PARTNER_PATH = "/Pasaj";

export function mainClass({ width }: Layout, urlPath: string, className: string | null): string {
  return [width === "contained" && "contained", urlPath.includes(PARTNER_PATH) && "partner-pasaj", className]
    .filter(Boolean)
    .join(" ");
}

export interface Columns<Section> {
  main: Section[];
  side: Section[];
}

interface Placed {
  __typename: string;
}

/** This form has its own two columns. */
const TWO_COLUMN_FORM = "TwoColPaymentForm";

/** The columns of the blocks; an empty side: stacked. */
export function columnsOf<Section extends Placed>(arrangement: Arrangement, sections: Section[]): Columns<Section> {
  const alone = { main: sections, side: [] };
  if (arrangement === "stack" || sections.length < 2) return alone;
  if (arrangement === "sideEnd") return { main: sections.slice(0, -1), side: sections.slice(-1) };
  if (sections.some((section) => section.__typename === TWO_COLUMN_FORM)) return alone;
  return { main: sections.slice(0, 1), side: sections.slice(1) };
}

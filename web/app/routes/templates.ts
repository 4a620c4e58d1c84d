/** Which frame a page gets. Pages with one thing to do keep the header and footer quiet. */
export interface Layout {
  quiet: boolean;
  isHome: boolean;
}

const PLAIN: Layout = { quiet: false, isHome: false };
const QUIET: Layout = { quiet: true, isHome: false };

const layouts: Record<string, Layout> = {
  Home: { quiet: false, isHome: true },
  LoginRegister: QUIET,
  Payment: QUIET,
  PaymentNoRedirect: QUIET,
  GiftPayment: QUIET,
  TwoColPayment: QUIET,
  CreatingProgram: QUIET,
  Autosignin: QUIET,
};

export function layoutOf(template: string): Layout {
  return layouts[template] ?? PLAIN;
}

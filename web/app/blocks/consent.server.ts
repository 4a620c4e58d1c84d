/** How content says that there is no box. */
const NO_TEXT = "none";

/** The words beside a box to tick. Null: without words there is no box. */
export function consentOf(flag: boolean, text: string | null, html: string | null): string | null {
  const words = text?.trim();
  return flag && words && words !== NO_TEXT ? html : null;
}

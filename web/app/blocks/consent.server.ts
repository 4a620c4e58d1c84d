import type { ConsentView } from "~/ui/consent-boxes/consent-boxes";

/** How content says that there is no box. */
const NO_TEXT = "none";

/** A box to tick, with the words content has for it. */
export function consentOf(flag: boolean, text: string | null, html: string | null): ConsentView {
  return { asked: flag && text?.trim() !== NO_TEXT, html };
}

/** The text of a required box. Null: no box, for an empty text or `none`. */
export function consentOf(flag: boolean, html: string | null): string | null {
  return flag && html ? html : null;
}

/** The same for optional texts: `true` is a box with our text. */
export function consentOrDefault(flag: boolean, text: string | null, html: string | null): string | boolean {
  return flag && text === null ? true : (consentOf(flag, html) ?? false);
}

/** The words beside a box to tick. Null: without words, or with `none` for them, there is no box. */
export function consentOf(flag: boolean, html: string | null): string | null {
  return flag && html ? html : null;
}

/** The same where content need not have words: `true` is a box with ours. */
export function consentOrDefault(flag: boolean, text: string | null, html: string | null): string | boolean {
  return flag && text === null ? true : (consentOf(flag, html) ?? false);
}

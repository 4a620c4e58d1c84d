/** Helpers for form faults: which ones show, which are fixed, and which field gets the focus. */

export function present<Code>(faults: Record<string, Code | undefined>): Record<string, Code> {
  const entries = Object.entries(faults).filter((entry): entry is [string, Code] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

export function only<Code>(faults: Record<string, Code>, fields: ReadonlySet<string>): Record<string, Code> {
  return Object.fromEntries(Object.entries(faults).filter(([field]) => fields.has(field)));
}

export function without<Code>(faults: Record<string, Code>, fields: string[]): Record<string, Code> {
  return Object.fromEntries(Object.entries(faults).filter(([field]) => !fields.includes(field)));
}

/** After the faults are rendered. */
export function focusFirstFault(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

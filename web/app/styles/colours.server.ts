import tokens from "./tokens.css?raw";

/** The colours of `tokens.css` as values, for output outside the page that cannot use custom properties. */

const [everywhere = "", fromDark = ""] = tokens.split(/@media \(prefers-color-scheme: dark\) \{/);
const [inTheDark = ""] = fromDark.split("\n}");

function valuesIn(css: string): [name: string, value: string][] {
  const found = css.matchAll(/--color-([a-z-]+):\s*(#[0-9a-f]{3,6})\b/g);
  return [...found].map(([, name = "", value = ""]) => [name, value]);
}

export const lightColours: ReadonlyMap<string, string> = new Map(valuesIn(everywhere));
export const darkColours: ReadonlyMap<string, string> = new Map([...lightColours, ...valuesIn(inTheDark)]);

import type account from "../../../locales/account/en.json";
import type consent from "../../../locales/consent/en.json";
import type page from "../../../locales/en.json";
import type journeys from "../../../locales/journeys/en.json";
import type subscription from "../../../locales/subscription/en.json";
import type withdrawal from "../../../locales/withdrawal/en.json";
import type { Locale } from "../locale";

export type PageTexts = typeof page;
export type Journeys = typeof journeys;
export type AccountTexts = typeof account;
export type ConsentTexts = typeof consent;
export type SubscriptionTexts = typeof subscription;
export type WithdrawalTexts = typeof withdrawal;
export type Catalogue = PageTexts & AccountTexts & ConsentTexts & Journeys & SubscriptionTexts & WithdrawalTexts;

type Plain<Key extends string> = Key extends `${infer Base}_${Intl.LDMLPluralRule}` ? Base : Key;
type KeysOf<Node, Prefix extends string = ""> = {
  [Key in keyof Node & string]: Node[Key] extends string
    ? `${Prefix}${Plain<Key>}`
    : KeysOf<Node[Key], `${Prefix}${Key}.`>;
}[keyof Node & string];

/** The key of a text, as `plans.choose`; a plural text is named without its plural form. */
export type TextKey = KeysOf<Catalogue>;
export type Values = Record<string, string | number>;
export type Texts = (key: TextKey, values?: Values) => string;

/** The texts of one language. `count` selects the plural form. */
export function textsOf(locale: Locale, catalogue: Catalogue): Texts {
  const plurals = new Intl.PluralRules(locale);
  return (key, values = {}) => {
    const { count } = values;
    const text =
      lookUp(catalogue, typeof count === "number" ? `${key}_${plurals.select(count)}` : key) ?? lookUp(catalogue, key);
    // Tests prove that every key has its text; during development a missing one shows its key.
    return (text ?? key).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
  };
}

function lookUp(catalogue: Catalogue, key: string): string | undefined {
  let node: unknown = catalogue;
  for (const part of key.split(".")) {
    if (typeof node !== "object" || node === null) return undefined;
    node = (node as Record<string, unknown>)[part];
  }
  return typeof node === "string" ? node : undefined;
}

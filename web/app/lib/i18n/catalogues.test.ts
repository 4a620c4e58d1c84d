import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LOCALES, type Locale } from "../locale";
import { catalogues } from "./catalogues.server";

const PLURAL = /_(zero|one|two|few|many|other)$/;

type Node = { [key: string]: Node | string };

function flat(node: Node, prefix = ""): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "string") texts.set(prefix + key, value);
    else for (const [inner, text] of flat(value, `${prefix}${key}.`)) texts.set(inner, text);
  }
  return texts;
}

const textsOf = (locale: Locale) => flat(catalogues[locale] as unknown as Node);
const base = (key: string) => key.replace(PLURAL, "");
const keysOf = (locale: Locale) => [...new Set([...textsOf(locale).keys()].map(base))].sort();
const placeholders = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();

const english = textsOf("en");
const pluralBases = [...new Set([...english.keys()].filter((key) => PLURAL.test(key)).map(base))];

describe.each(LOCALES)("the texts of %s", (locale) => {
  const texts = textsOf(locale);

  it("have exactly the keys of English", () => {
    expect(keysOf(locale)).toEqual(keysOf("en"));
  });

  it("have every plural form of the language", () => {
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    for (const key of pluralBases) {
      const given = [...texts.keys()].filter((candidate) => base(candidate) === key && PLURAL.test(candidate));
      expect(given.sort(), key).toEqual(forms.map((form) => `${key}_${form}`).sort());
    }
  });

  it("use only placeholders of English", () => {
    for (const [key, text] of texts) {
      const original = english.get(key) ?? english.get(`${base(key)}_other`) ?? "";
      const unknown = placeholders(text).filter((name) => !placeholders(original).includes(name));
      expect(unknown, key).toEqual([]);
      // The forms for exactly one or two may spell out the number; the general form must contain it.
      if (!PLURAL.test(key) || key.endsWith("_other")) expect(placeholders(text), key).toEqual(placeholders(original));
    }
  });

  it("are not empty and not in capitals", () => {
    for (const [key, text] of texts) {
      expect(text.trim(), key).not.toBe("");
      expect(text, key).not.toMatch(/[!！]/);
    }
  });
});

describe("an Arabic sentence", () => {
  it("does not end with a price, because the riyal's sign ends in a full stop", () => {
    for (const [key, text] of textsOf("ar")) expect(text, key).not.toMatch(/\{\{(price|fee|renewal)\}\}\./);
  });
});

/** Words that are the same in English. */
const SHARED: Partial<Record<Locale, string[]>> = {
  es: ["program.premium", "subscription.product.coaching", "video.label"],
  fr: [
    "auth.fields.email",
    "gift.themes.indigo",
    "gift.themes.violet",
    "player.seek",
    "program.premium",
    "samples.list",
    "samples.minutes_one",
    "samples.minutes_other",
    "subscription.product.coaching",
  ],
  pt: ["auth.fields.email", "carousel.label", "player.label", "program.premium", "subscription.product.coaching"],
  tr: ["program.premium", "video.label"],
  it: ["auth.fields.email", "auth.fields.password", "program.premium", "subscription.product.coaching", "video.label"],
  de: [
    "auth.fields.name",
    "gift.themes.indigo",
    "guide.meditation",
    "player.label",
    "player.pause",
    "player.seek",
    "program.premium",
    "video.label",
  ],
  pl: ["auth.fields.email", "program.premium"],
  az: ["program.premium", "video.label"],
  da: [
    "ai.stop",
    "art.hold",
    "auth.fields.email",
    "gift.themes.indigo",
    "gift.themes.violet",
    "guide.meditation",
    "player.pause",
    "player.seek",
    "program.premium",
    "video.label",
  ],
};

describe.each(LOCALES.filter((locale) => locale !== "en"))("the translation into %s", (locale) => {
  it("differs from English, except for shared words", () => {
    const same = [...textsOf(locale)].filter(([key, text]) => text === english.get(key)).map(([key]) => key);
    expect(same.sort()).toEqual(SHARED[locale] ?? []);
  });
});

describe("the code", () => {
  const sources = readdirSync("app", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes(".test."))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");

  it("uses every text", () => {
    const named = new Set([...sources.matchAll(/"([a-z]\w*(?:\.\w+)+)"/g)].map(([, key]) => key));
    const composed = [...sources.matchAll(/`([a-z]\w*\.[^`\s]*\$\{[^`]*)`/g)].map(
      ([, key = ""]) => new RegExp(`^${key.replaceAll(".", "\\.").replaceAll(/\$\{[^}]*\}/g, "[^.]+")}$`),
    );
    const unused = keysOf("en").filter((key) => !named.has(key) && !composed.some((pattern) => pattern.test(key)));
    expect(unused).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { catalogues } from "./catalogues.server";
import { type Catalogue, textsOf } from "./text";

const counting = (forms: Record<string, string>) => {
  const days = Object.fromEntries(Object.entries(forms).map(([form, text]) => [`days_${form}`, text]));
  return { ...days, named: "Hello {{name}}" } as unknown as Catalogue;
};
type Key = Parameters<ReturnType<typeof textsOf>>[0];
const key = (name: string) => name as Key;

describe("a text", () => {
  it("is found by its key", () => {
    expect(textsOf("en", catalogues.en)("nav.viewAll")).toBe(catalogues.en.nav.viewAll);
  });

  it("replaces all of its placeholders", () => {
    const t = textsOf("en", counting({ other: "" }));
    expect(t(key("named"), { name: "Ada" })).toBe("Hello Ada");
    expect(t(key("named"))).toBe("Hello ");
  });

  it("does not treat a value as a pattern", () => {
    expect(textsOf("en", counting({ other: "" }))(key("named"), { name: "$& {{name}}" })).toBe("Hello $& {{name}}");
  });

  it.each([
    ["en", [1, 2, 5], ["one", "other", "other"]],
    ["ru", [1, 2, 5, 21], ["one", "few", "many", "one"]],
    ["ar", [0, 1, 2, 5, 11, 100], ["zero", "one", "two", "few", "many", "other"]],
    ["pl", [1, 3, 5], ["one", "few", "many"]],
    ["ja", [1, 2], ["other", "other"]],
  ] as const)("selects the plural form of %s", (locale, counts, forms) => {
    const catalogue = counting(
      Object.fromEntries(["zero", "one", "two", "few", "many", "other"].map((form) => [form, form])),
    );
    const t = textsOf(locale, catalogue);
    expect(counts.map((count) => t(key("days"), { count }))).toEqual(forms);
  });

  it("that is missing shows its key", () => {
    expect(textsOf("en", catalogues.en)(key("no.such.text"))).toBe("no.such.text");
  });
});

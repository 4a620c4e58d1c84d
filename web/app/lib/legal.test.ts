import { describe, expect, it } from "vitest";
import { isEuCountry, legalUrl } from "./legal";

const site = "https://www.stillpoint.example";
const read = (locale: "en" | "tr" | "ja", country: string, url: string) =>
  legalUrl(url, { locale, country, marketingBaseUrl: site });

describe("a legal link", () => {
  it.each([
    ["en", "DE", `${site}/en/terms-and-conditions/`, `${site}/eu/terms/`],
    ["tr", "FR", `${site}/tr/privacy-policy/`, `${site}/eu/privacy-policy/`],
    ["en", "CH", `${site}/terms-and-conditions`, `${site}/eu/terms/`],
    ["tr", "TR", `${site}/tr/terms-and-conditions/`, `${site}/tr/terms-and-conditions/`],
    ["ja", "JP", `${site}/ja/terms-and-conditions/`, `${site}/en/terms-and-conditions/`],
    ["en", "", `${site}/privacy-policy/`, `${site}/privacy-policy/`],
    ["tr", "US", "/tr/privacy-policy", `${site}/tr/privacy-policy/`],
  ] as const)("of a page in %s read in %s, %s, is %s", (locale, country, url, expected) => {
    expect(read(locale, country, url)).toBe(expected);
  });

  it.each(["/imprint", `${site}/help/`, "mailto:hello@stillpoint.example"])("%s is none and stays", (url) => {
    expect(read("en", "DE", url)).toBe(url);
  });
});

describe("the countries with their own texts", () => {
  it("are the thirty-two, and the United Kingdom under either code", () => {
    expect(["UK", "GB", "NO", "LI", "PL"].every(isEuCountry)).toBe(true);
    expect(["US", "TR", "JP", ""].some(isEuCountry)).toBe(false);
  });
});

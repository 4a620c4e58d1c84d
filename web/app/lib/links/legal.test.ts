import { describe, expect, it } from "vitest";
import { isEuCountry, type LegalReader, legalUrl, namesLegalTexts, withLegalLinks } from "./legal";

const site = "https://www.stillpoint.example";
const reader = (
  locale: LegalReader["locale"],
  country: string,
  marketingBaseUrl: string | null = site,
): LegalReader => ({
  locale,
  country,
  marketingBaseUrl,
});

describe("a legal link", () => {
  it.each([
    ["en", "DE", `${site}/en/terms-and-conditions/`, `${site}/eu/terms/`],
    ["tr", "FR", `${site}/tr/privacy-policy/`, `${site}/eu/privacy-policy/`],
    ["en", "CH", `${site}/terms-and-conditions`, `${site}/eu/terms/`],
    ["tr", "TR", `${site}/tr/terms-and-conditions/`, `${site}/tr/terms-and-conditions/`],
    ["tr", "US", "/privacy-policy", `${site}/tr/privacy-policy/`],
    ["ja", "JP", `${site}/ja/terms-and-conditions/`, `${site}/en/terms-and-conditions/`],
    ["en", "", `${site}/privacy-policy/?from=mail#data`, `${site}/en/privacy-policy/?from=mail#data`],
    ["fr", "", "/fr/privacy-policy", `${site}/en/privacy-policy/`],
  ] as const)("of a page in %s read in %s, %s, is %s", (locale, country, url, expected) => {
    expect(legalUrl(url, reader(locale, country))).toBe(expected);
  });

  it("leads to the configured marketing site, whichever one content names", () => {
    expect(legalUrl(`${site}/en/privacy-policy/`, reader("en", "US", "https://m.example"))).toBe(
      "https://m.example/en/privacy-policy/",
    );
  });

  it("keeps content's host, or this site, without a marketing site", () => {
    expect(legalUrl(`${site}/en/privacy-policy/`, reader("en", "DE", null))).toBe(`${site}/eu/privacy-policy/`);
    expect(legalUrl("/privacy-policy", reader("en", "DE", null))).toBe("/privacy-policy");
  });

  it.each([
    "/imprint",
    `${site}/help/`,
    "mailto:hello@stillpoint.example",
    "https://bank.example/privacy-policy/",
    "/en/help/privacy-policy/",
    "/constructor",
  ])("%s is no legal link and stays unchanged", (url) => {
    expect(legalUrl(url, reader("en", "DE"))).toBe(url);
  });
});

describe("rendered HTML", () => {
  const html = `<p>Our <a target="_blank" href="${site}/en/terms-and-conditions/" rel="noopener">terms</a> and <a href="/help">help</a>.</p>`;

  it("gets the reader's legal links, and no other change", () => {
    expect(withLegalLinks(html, reader("en", "AT"))).toBe(
      html.replace(`${site}/en/terms-and-conditions/`, `${site}/eu/terms/`),
    );
  });

  it("needs the reader's country only when it contains a legal link", () => {
    expect([namesLegalTexts(html), namesLegalTexts("<p>Breathe.</p>")]).toEqual([true, false]);
  });
});

describe("the EU texts", () => {
  it("are for thirty-two countries, and the United Kingdom under either code", () => {
    const listed =
      "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE UK IS LI NO CH".split(" ");
    expect(listed).toHaveLength(32);
    expect([...listed, "GB"].every(isEuCountry)).toBe(true);
    expect(["US", "TR", "JP", "RU", ""].some(isEuCountry)).toBe(false);
  });
});

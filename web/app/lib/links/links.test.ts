import { describe, expect, it } from "vitest";
import { internalHref, languageHref, offeredInSwitcher, urlPathOf } from "./links";

describe("links of this site", () => {
  it.each([
    ["/", "/en/"],
    ["/signin", "/en/signin/"],
    ["/payment/annual/", "/en/payment/annual/"],
    ["/tr/signup", "/tr/signup/"],
    ["/signin?redirectPage=/en/coach/", "/en/signin/?redirectPage=/en/coach/"],
    ["/#plans", "/en/#plans"],
    ["#plans", "#plans"],
    ["https://example.com/x", "https://example.com/x"],
    ["mailto:hello@example.com", "mailto:hello@example.com"],
  ])("%s leads to %s", (url, href) => {
    expect(internalHref(url, "en")).toBe(href);
  });

  it.each([
    [undefined, "/"],
    ["", "/"],
    ["signup/", "/signup"],
    ["payment//annual", "/payment/annual"],
  ])("a splat of %j is the path %s", (splat, path) => {
    expect(urlPathOf(splat)).toBe(path);
  });
});

describe("the language switcher", () => {
  it("offers neither the current language nor az, da, pl", () => {
    expect(offeredInSwitcher("en", "en")).toBe(false);
    expect(offeredInSwitcher("pl", "en")).toBe(false);
    expect(offeredInSwitcher("ja", "en")).toBe(true);
  });

  it("sends six languages to the marketing site where there is one", () => {
    const base = "https://www.example.com";
    expect(languageHref("tr", base)).toBe("https://www.example.com/tr/");
    expect(languageHref("de", base)).toBe("https://www.example.com/de/individuals/");
    expect(languageHref("ja", base)).toBe("/ja/");
    expect(languageHref("tr", null)).toBe("/tr/");
  });
});

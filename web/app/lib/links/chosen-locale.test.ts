// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import { rememberLanguageSwitch, storeLocale } from "./chosen-locale";

describe("the chosen language", () => {
  beforeEach(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the code under test.
    document.cookie = "locale=; path=/; max-age=0";
  });

  it("is stored in a cookie for the gateway", () => {
    storeLocale("ja");
    expect(document.cookie).toBe("locale=ja");
    storeLocale("tr");
    expect(document.cookie).toBe("locale=tr");
  });

  it("is stored after a link from a page in another language", () => {
    rememberLanguageSwitch("ja", `${location.origin}/en/pricing/`);
    expect(document.cookie).toBe("locale=ja");
  });

  it.each([
    ["nowhere", ""],
    ["the same language", "/ja/pricing/"],
    ["no page of a language", "/success/"],
  ])("is not changed by a visit from %s", (_, path) => {
    rememberLanguageSwitch("ja", path && `${location.origin}${path}`);
    expect(document.cookie).toBe("");
  });

  it("is not changed by a visit from another site", () => {
    rememberLanguageSwitch("ja", "https://elsewhere.example/en/");
    expect(document.cookie).toBe("");
  });
});

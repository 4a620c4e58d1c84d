import { describe, expect, it } from "vitest";
import { cacheHeaders } from "./caching";
import { originOf, seoLinks } from "./seo";

describe("cache headers", () => {
  it("have keys for page, chrome and prices", () => {
    const headers = cacheHeaders({ locale: "tr", urlPath: "/", found: true, offers: "shown" });
    expect(headers["surrogate-key"]).toBe("page:tr:/ chrome:tr offers");
    expect(headers["cache-control"]).toMatch(/s-maxage=86400/);
  });

  it("are short-lived while a price is missing", () => {
    const headers = cacheHeaders({ locale: "en", urlPath: "/", found: true, offers: "missing" });
    expect(headers["cache-control"]).toMatch(/s-maxage=5,/);
  });

  it("have keys for paths in any script", () => {
    const keyOf = (urlPath: string) =>
      cacheHeaders({ locale: "ja", urlPath, found: false, offers: "none" })["surrogate-key"] ?? "";
    expect(new Headers({ key: keyOf("/瞑想") }).get("key")).toBe("page:ja:/%E7%9E%91%E6%83%B3 chrome:ja page:ja:/404");
    expect(keyOf("/a b").split(" ")).toHaveLength(3);
  });

  it("of a missing page have the keys of both pages", () => {
    const headers = cacheHeaders({ locale: "en", urlPath: "/new", found: false, offers: "none" });
    expect(headers["surrogate-key"]).toBe("page:en:/new chrome:en page:en:/404");
  });
});

const place = { origin: "https://s.example", urlPath: "/signup", available: ["ar", "en", "tr"], canonicalPath: null };

describe("links for search engines", () => {
  it("are absolute, include the page itself and are the same on every sibling", () => {
    const en = seoLinks({ ...place, locale: "en" });
    const tr = seoLinks({ ...place, locale: "tr" });
    expect(en.canonical).toBe("https://s.example/en/signup/");
    expect(tr.canonical).toBe("https://s.example/tr/signup/");
    expect(en.alternates).toEqual(tr.alternates);
    expect(en.alternates.map(({ hreflang }) => hreflang)).toEqual(["en", "tr", "ar", "x-default"]);
  });

  it("of an untranslated page name the shown page, without alternates", () => {
    const links = seoLinks({ ...place, urlPath: "/", available: ["en", "tr"], locale: "de" });
    expect(links).toEqual({ canonical: "https://s.example/en/", alternates: [] });
  });

  it("name the canonical page that an editor chose", () => {
    const links = seoLinks({ ...place, locale: "tr", canonicalPath: "/individuals" });
    expect(links).toEqual({ canonical: "https://s.example/tr/individuals/", alternates: [] });
    expect(seoLinks({ ...place, locale: "tr", canonicalPath: "/signup" }).alternates).toHaveLength(4);
  });

  it("have the address of the proxy", () => {
    const headers = { "x-forwarded-host": "s.example", "x-forwarded-proto": "https" };
    expect(originOf(new Request("http://127.0.0.1:3000/en/", { headers }), null)).toBe("https://s.example");
    expect(originOf(new Request("http://127.0.0.1:3000/en/"), null)).toBe("http://127.0.0.1:3000");
    expect(originOf(new Request("http://127.0.0.1:3000/en/", { headers }), "https://p.example")).toBe(
      "https://p.example",
    );
  });
});

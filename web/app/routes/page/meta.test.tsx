import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub, Meta, Outlet } from "react-router";
import { describe, expect, it } from "vitest";
import { pageMeta } from "./meta";

const head: Parameters<typeof pageMeta>[0] = {
  language: "en",
  favicon: null,
  seo: { title: "A page", description: "Of ours.", noindex: false, nofollow: false },
  imageUrl: null,
  links: { canonical: "https://s.example/en/a/", alternates: [{ hreflang: "en", href: "https://s.example/en/a/" }] },
  structuredData: null,
};

const robots = (change: Partial<typeof head>) =>
  pageMeta({ ...head, ...change }).find((tag) => "name" in tag && tag.name === "robots");

const has = (tags: ReturnType<typeof pageMeta>, rel: string) => tags.some((tag) => "rel" in tag && tag.rel === rel);

/** Renders a page's head as the root does. */
function Frame() {
  return createElement("div", null, createElement(Meta), createElement(Outlet));
}

describe("the head of a page", () => {
  it.each([
    [false, false, "index, follow"],
    [true, false, "noindex, follow"],
    [false, true, "index, nofollow"],
    [true, true, "noindex, nofollow"],
  ])("with noindex %s and nofollow %s has robots %s", (noindex, nofollow, content) => {
    expect(robots({ seo: { ...head.seo, noindex, nofollow } })).toMatchObject({ content });
  });

  it("is noindex for a page that replaces a missing one", () => {
    expect(robots({ links: null })).toMatchObject({ content: "noindex, follow" });
  });

  it.each([
    ["en", "en_US"],
    ["az", "az_AZ"],
    ["ar", "ar_AR"],
    ["es", "es_MX"],
  ] as const)("has the language %s of its texts as %s", (language, content) => {
    const tag = pageMeta({ ...head, language }).find((tag) => "property" in tag && tag.property === "og:locale");
    expect(tag).toMatchObject({ content });
  });

  it("has no canonical URL when the page is noindex", () => {
    const hidden = pageMeta({ ...head, seo: { ...head.seo, noindex: true } });
    expect([has(hidden, "canonical"), has(hidden, "alternate")]).toEqual([false, false]);
    expect([has(pageMeta(head), "canonical"), has(pageMeta(head), "alternate")]).toEqual([true, true]);
  });

  it("escapes answers that contain a closing script tag", () => {
    const evil = "</script><script>alert(1)</script>";
    const structuredData = {
      "@context": "https://schema.org" as const,
      "@graph": [{ "@type": "FAQPage", name: evil }],
    };
    const Stub = createRoutesStub([
      {
        path: "/",
        Component: Frame,
        meta: () => pageMeta({ ...head, structuredData }),
      },
    ]);
    const html = renderToString(createElement(Stub));
    const script = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? "";
    expect(JSON.parse(script)["@graph"][0].name).toBe(evil);
    expect(html).not.toContain("<script>alert");
  });
});

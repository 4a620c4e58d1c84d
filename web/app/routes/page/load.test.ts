import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { samples } from "~/blocks/samples";
import type { PageContentFragment } from "~/gen/graphql";
import { LOCALES } from "~/lib/locale";
import { chunksOf, loadChrome, loadPage } from "./load.server";

/** A reduced build manifest: a payment block and a text block. */
const shared = { file: "assets/shared-1.js", dynamicImports: LOCALES.map((locale) => `locales/${locale}.json`) };
const manifest = {
  "_shared-1.js": shared,
  "_journeys-1.js": {
    file: "assets/journeys-1.js",
    imports: ["_shared-1.js"],
    dynamicImports: LOCALES.map((locale) => `locales/journeys/${locale}.json`),
  },
  "_checkout-1.js": {
    file: "assets/checkout-1.js",
    css: ["assets/checkout-1.css"],
    imports: ["_shared-1.js", "_journeys-1.js"],
  },
  "app/blocks/payment-form/payment-form.tsx": { file: "assets/payment-form-1.js", imports: ["_checkout-1.js"] },
  "app/blocks/heading/heading.tsx": { file: "assets/heading-1.js", imports: ["_shared-1.js"] },
  "locales/de.json": { file: "assets/de-page.js" },
  "locales/journeys/de.json": { file: "assets/de-journeys.js" },
  "locales/journeys/en.json": { file: "assets/en-journeys.js" },
};

const chunksOfOne = (kind: string) =>
  chunksOf(samples.filter((sample) => sample.__typename === kind).slice(0, 1), "de", manifest);

describe("the scripts of a page", () => {
  it("are its blocks and its language with all imports, each once", () => {
    expect(chunksOfOne("Heading").modules).toEqual([
      "/assets/heading-1.js",
      "/assets/shared-1.js",
      "/assets/de-page.js",
    ]);
  });

  it("include the journey texts in its language, where a block imports them", () => {
    const { modules } = chunksOfOne("PaymentForm");
    expect(modules).toContain("/assets/checkout-1.js");
    expect(modules).toContain("/assets/de-journeys.js");
    expect(modules).not.toContain("/assets/en-journeys.js");
    expect(chunksOfOne("Heading").modules).not.toContain("/assets/de-journeys.js");
  });

  it("include the style sheets of their imports", () => {
    expect(chunksOfOne("PaymentForm").styles).toEqual(["/assets/checkout-1.css"]);
  });
});

describe("a page", () => {
  const TOKEN = "a-token-of-a-preview-link";

  function content(title: string, urlPath: string): PageContentFragment {
    const seo = { title, description: "", noindex: false, nofollow: false, imageUrl: null, canonicalPath: null };
    const data = { article: null, breadcrumbs: [], howTo: null, speakable: [], video: null, job: null };
    return {
      urlPath,
      contentLocale: "en",
      template: "Page",
      pageType: "page",
      className: null,
      favicon: null,
      availableLocales: ["en"],
      seo: { ...seo, ...data, organization: false },
      sections: [],
    };
  }

  const published: Record<string, string> = { "/known": "Published", "/404": "Nothing here" };
  const drafted: Record<string, string> = { "/known": "Draft", "/new": "New" };

  /** The gateway: a preview token gets drafts, the renderer's token published pages. */
  beforeEach(() => {
    vi.stubGlobal("fetch", async (_: string, { headers, body }: RequestInit) => {
      const { urlPath } = JSON.parse(String(body)).variables as { urlPath: string };
      const isPreview = new Headers(headers).get("authorization") === `Bearer ${TOKEN}`;
      const title = (isPreview ? drafted[urlPath] : undefined) ?? published[urlPath];
      return Response.json({ data: { page: title ? content(title, urlPath) : null, chrome: null } });
    });
  });
  afterEach(() => void vi.unstubAllGlobals());

  async function load(urlPath: string, headers: Record<string, string> = {}) {
    const { data, init } = await loadPage(new Request(`http://web/en${urlPath}/`, { headers }), "en", urlPath);
    const cacheControl = new Headers(init?.headers).get("cache-control") ?? "";
    return { title: data.seo.title, status: init?.status, isKept: cacheControl.includes("s-maxage") };
  }

  it("without a translation has the language of its texts", async () => {
    const { data } = await loadPage(new Request("http://web/az/known/"), "az", "/known");
    expect(data).toMatchObject({ locale: "az", language: "en" });
  });

  it("has the script of TR_ANALYTICS_SCRIPT_URL and the base of MARKETING_BASE_URL, the script in Turkish only", async () => {
    vi.resetModules();
    vi.stubEnv("TR_ANALYTICS_SCRIPT_URL", "https://stats.example/tr.js");
    vi.stubEnv("MARKETING_BASE_URL", "https://marketing.example/");
    const { loadPage: load } = await import("./load.server");
    for (const [locale, analyticsScriptUrl] of [
      ["tr", "https://stats.example/tr.js"],
      ["en", null],
    ] as const) {
      const { data } = await load(new Request(`http://web/${locale}/known/`), locale, "/known");
      expect(data).toMatchObject({ analyticsScriptUrl, marketingBaseUrl: "https://marketing.example" });
    }
    vi.unstubAllEnvs();
  });

  it("is the published one, and cacheable", async () => {
    expect(await load("/known")).toEqual({ title: "Published", status: 200, isKept: true });
    expect(await load("/new")).toEqual({ title: "Nothing here", status: 404, isKept: true });
  });

  it("is the draft with a preview token, not cacheable, also when it was never published", async () => {
    const preview = { "x-stillpoint-preview": TOKEN };
    expect(await load("/known", preview)).toEqual({ title: "Draft", status: 200, isKept: false });
    expect(await load("/new", preview)).toEqual({ title: "New", status: 200, isKept: false });
  });
});

describe("a page without content of its own", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("has the site's header and footer", async () => {
    const footer = { socialLinks: [] };
    vi.stubGlobal("fetch", async () => Response.json({ data: { page: null, chrome: { navigation: null, footer } } }));
    expect(await loadChrome("en", "/account/end-session")).toMatchObject({ navigation: null, footer });
  });

  it("is shown without them while content is unavailable", async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.stubGlobal("fetch", async () => new Response(null, { status: 503 }));
    expect(await loadChrome("en", "/account/end-session")).toMatchObject({ navigation: null, footer: null });
  });
});

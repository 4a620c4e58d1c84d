import { describe, expect, it } from "vitest";
import { isoDuration, type PageSeo, type SeoSubject, structuredData } from "./seo-data";

const origin = "https://s.example";

const bare: PageSeo = {
  title: "Sleep, gently",
  description: "Fourteen evenings.",
  noindex: false,
  nofollow: false,
  imageUrl: "/art/cover/sleep.svg",
  canonicalPath: null,
  article: null,
  breadcrumbs: [],
  howTo: null,
  speakable: [],
  video: null,
  job: null,
  organization: false,
};

const full: PageSeo = {
  ...bare,
  article: { headline: "How to fall asleep", authorName: "Ada", datePublished: "2026-01-02", dateModified: null },
  breadcrumbs: [
    { name: "Home", url: "/" },
    { name: "Articles", url: "/articles" },
  ],
  howTo: { name: "Fall asleep", steps: ["Dim the light.", "Breathe out."] },
  speakable: ["#title", ".lede"],
  video: {
    name: "A still minute",
    description: "One minute.",
    thumbnailUrl: "/art/waves/minute.svg",
    uploadDate: "2026-01-02",
    contentUrl: "https://cdn.example/minute.mp4",
    durationSecs: 65,
  },
  job: {
    title: "Coach",
    description: "Listen well.",
    datePosted: "2026-01-02",
    validThrough: null,
    employmentType: "FULL_TIME",
    country: null,
  },
  organization: true,
};

const subject = (seo: PageSeo, change: Partial<SeoSubject> = {}): SeoSubject => ({
  seo,
  questions: [{ question: "Is it hard?", answerHtml: "<p>No.</p>" }],
  locale: "tr",
  language: "tr",
  origin,
  canonical: `${origin}/tr/programs/sleep/`,
  isHome: true,
  ...change,
});

/** Required and allowed properties of each schema.org type we use. */
type Kind = "text" | "url" | "date" | "duration" | "number" | "texts" | readonly string[];
interface Vocabulary {
  required: Record<string, Kind>;
  optional: Record<string, Kind>;
}

const organization = {
  required: { name: "text", url: "url" },
  optional: { logo: "url", description: "text" },
} as const;

const vocabulary: Record<string, Vocabulary> = {
  Organization: organization,
  WebSite: { required: { name: "text", url: "url" }, optional: { inLanguage: "text", publisher: ["Organization"] } },
  FAQPage: { required: { mainEntity: ["Question"] }, optional: {} },
  Question: { required: { name: "text", acceptedAnswer: ["Answer"] }, optional: {} },
  Answer: { required: { text: "text" }, optional: {} },
  Article: {
    required: { headline: "text", publisher: ["Organization"] },
    optional: {
      author: ["Person"],
      datePublished: "date",
      dateModified: "date",
      description: "text",
      inLanguage: "text",
      mainEntityOfPage: "url",
      image: "url",
    },
  },
  Person: { required: { name: "text" }, optional: {} },
  BreadcrumbList: { required: { itemListElement: ["ListItem"] }, optional: {} },
  ListItem: { required: { position: "number", name: "text", item: "url" }, optional: {} },
  HowTo: { required: { name: "text", step: ["HowToStep"] }, optional: {} },
  HowToStep: { required: { text: "text" }, optional: { position: "number" } },
  WebPage: {
    required: { name: "text", url: "url" },
    optional: { inLanguage: "text", speakable: ["SpeakableSpecification"] },
  },
  SpeakableSpecification: { required: { cssSelector: "texts" }, optional: {} },
  VideoObject: {
    required: { name: "text", description: "text", thumbnailUrl: "url", uploadDate: "date" },
    optional: { contentUrl: "url", duration: "duration" },
  },
  JobPosting: {
    required: { title: "text", description: "text", datePosted: "date", hiringOrganization: ["Organization"] },
    optional: {
      validThrough: "date",
      employmentType: "text",
      jobLocation: ["Place"],
      jobLocationType: "text",
      applicantLocationRequirements: ["AdministrativeArea"],
    },
  },
  Place: { required: { address: ["PostalAddress"] }, optional: {} },
  PostalAddress: { required: { addressCountry: "text" }, optional: {} },
  AdministrativeArea: { required: { name: "text" }, optional: {} },
};

function faultsOf(node: Record<string, unknown>, at: string): string[] {
  const known = vocabulary[String(node["@type"])];
  if (!known) return [`${at}: unknown type ${node["@type"]}`];
  const allowed: Record<string, Kind> = { ...known.required, ...known.optional };
  const missing = Object.keys(known.required).filter((name) => node[name] === undefined);
  const wrong = Object.entries(node).flatMap(([name, value]) => {
    if (name.startsWith("@")) return [];
    const kind = allowed[name];
    return kind ? valueFaults(value, kind, `${at}.${name}`) : [`${at}: no property ${name}`];
  });
  return [...missing.map((name) => `${at}: ${name} is missing`), ...wrong];
}

const tests: Record<Exclude<Kind, readonly string[]>, (value: unknown) => boolean> = {
  text: (value) => typeof value === "string" && value.trim() !== "",
  url: (value) => typeof value === "string" && /^https:\/\/\S+$/.test(value) && URL.canParse(value),
  date: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)),
  duration: (value) => typeof value === "string" && /^PT(?=\d)(\d+H)?(\d+M)?(\d+S)?$/.test(value),
  number: (value) => Number.isInteger(value),
  texts: (value) => Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string"),
};

function valueFaults(value: unknown, kind: Kind, at: string): string[] {
  if (typeof kind === "string") return tests[kind](value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${kind}`];
  return [value].flat().flatMap((part, index) => {
    const node = part as Record<string, unknown>;
    if (Object.keys(node).join() === "@id") return [];
    if (!kind.includes(String(node["@type"]))) return [`${at}: ${node["@type"]} is not expected`];
    return faultsOf(node, `${at}[${index}]`);
  });
}

describe("structured data", () => {
  it("of every kind is valid in schema.org's vocabulary", () => {
    const graph = structuredData(subject(full))?.["@graph"] ?? [];
    expect(graph.map((thing) => thing["@type"]).sort()).toEqual([
      "Article",
      "BreadcrumbList",
      "FAQPage",
      "HowTo",
      "JobPosting",
      "Organization",
      "VideoObject",
      "WebPage",
      "WebSite",
    ]);
    expect(graph.flatMap((thing) => faultsOf(thing, thing["@type"]))).toEqual([]);
  });

  it("with every optional field is valid, too", () => {
    const seo: PageSeo = {
      ...full,
      article: full.article && { ...full.article, dateModified: "2026-02-03" },
      job: full.job && { ...full.job, validThrough: "2026-12-31", country: "TR" },
    };
    const graph = structuredData(subject(seo))?.["@graph"] ?? [];
    expect(graph.flatMap((thing) => faultsOf(thing, thing["@type"]))).toEqual([]);
  });

  it("of an article without its own fields has the page's title only", () => {
    const article = { headline: null, authorName: null, datePublished: null, dateModified: null };
    const graph = structuredData(subject({ ...bare, article }, { questions: [], isHome: false }))?.["@graph"] ?? [];
    expect(graph.flatMap((thing) => faultsOf(thing, thing["@type"]))).toEqual([]);
    expect(graph).toMatchObject([{ "@type": "Article", headline: bare.title }]);
    expect(Object.keys(graph[0] ?? {})).not.toContain("author");
  });

  it("is absent without content, and on noindex pages", () => {
    expect(structuredData(subject(bare, { questions: [], isHome: false }))).toBeNull();
    expect(structuredData(subject({ ...full, noindex: true }))).toBeNull();
  });

  it("has breadcrumbs in the page's language, with a trailing slash", () => {
    const list = structuredData(subject(full))?.["@graph"].find((thing) => thing["@type"] === "BreadcrumbList");
    expect(JSON.stringify(list)).toContain(`"item":"${origin}/tr/articles/"`);
    expect(JSON.stringify(list)).toContain(`"item":"${origin}/tr/"`);
  });

  it("has the language of the texts, not of the path", () => {
    const graph = structuredData(subject(full, { locale: "az", language: "en" }))?.["@graph"] ?? [];
    const languages = graph.map((thing) => thing.inLanguage).filter((language) => language !== undefined);
    expect(languages).toEqual(["en-US", "en-US", "en-US"]);
  });

  it("is checked by a test that can fail", () => {
    expect(faultsOf({ "@type": "Answer" }, "a")).toEqual(["a: text is missing"]);
    expect(faultsOf({ "@type": "WebSite", name: "S", url: "/", colour: "red" }, "s")).toHaveLength(2);
  });
});

describe("a duration", () => {
  it.each([
    [65, "PT1M5S"],
    [3725, "PT1H2M5S"],
    [600, "PT10M"],
    [0, "PT0S"],
  ])("of %i seconds is %s", (seconds, text) => {
    expect(isoDuration(seconds)).toBe(text);
  });
});

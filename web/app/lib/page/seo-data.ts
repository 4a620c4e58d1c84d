import type { PageContentFragment } from "~/gen/graphql";
import { internalHref, isExternal } from "../links/links";
import { type Locale, locales } from "../locale";

/** Structured data of a page for search engines: one schema.org graph. */

export type PageSeo = PageContentFragment["seo"];

export interface Question {
  question: string;
  answerHtml: string;
}

export interface SeoSubject {
  seo: PageSeo;
  questions: readonly Question[];
  /** Locale of the path, used for links. */
  locale: Locale;
  /** Language of the texts, which differs on an untranslated page. */
  language: Locale;
  origin: string;
  canonical: string;
  isHome: boolean;
}

type Thing = { "@type": string } & Record<string, unknown>;

export interface StructuredData {
  "@context": "https://schema.org";
  "@graph": Thing[];
}

const NAME = "Stillpoint";

export function structuredData(subject: SeoSubject): StructuredData | null {
  if (subject.seo.noindex) return null;
  const graph = [
    ...site(subject),
    faq(subject),
    article(subject),
    breadcrumbs(subject),
    howTo(subject),
    speakable(subject),
    video(subject),
    job(subject),
  ].filter((thing) => thing !== null);
  return graph.length > 0 ? { "@context": "https://schema.org", "@graph": graph } : null;
}

function organization(origin: string): Thing {
  return {
    "@type": "Organization",
    "@id": `${origin}/#organization`,
    name: NAME,
    url: `${origin}/`,
    logo: `${origin}/favicon.svg`,
  };
}

function site({ seo, origin, language, isHome }: SeoSubject): Thing[] {
  if (!isHome && !seo.organization) return [];
  const whole: Thing = {
    "@type": "WebSite",
    "@id": `${origin}/#website`,
    name: NAME,
    url: `${origin}/`,
    inLanguage: locales[language].tag,
    publisher: { "@id": `${origin}/#organization` },
  };
  return [{ ...organization(origin), description: seo.description }, ...(isHome ? [whole] : [])];
}

function faq({ questions, canonical }: SeoSubject): Thing | null {
  if (questions.length === 0) return null;
  return {
    "@type": "FAQPage",
    "@id": `${canonical}#faq`,
    mainEntity: questions.map(({ question, answerHtml }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answerHtml },
    })),
  };
}

function article({ seo, origin, language, canonical }: SeoSubject): Thing | null {
  if (!seo.article) return null;
  const { headline, authorName, datePublished, dateModified } = seo.article;
  return {
    "@type": "Article",
    "@id": `${canonical}#article`,
    headline: headline ?? seo.title,
    description: seo.description,
    inLanguage: locales[language].tag,
    mainEntityOfPage: canonical,
    ...(datePublished ? { datePublished } : {}),
    ...((dateModified ?? datePublished) ? { dateModified: dateModified ?? datePublished } : {}),
    ...(authorName ? { author: { "@type": "Person", name: authorName } } : {}),
    publisher: organization(origin),
    ...(seo.imageUrl ? { image: absolute(seo.imageUrl, origin) } : {}),
  };
}

function breadcrumbs({ seo, origin, locale, canonical }: SeoSubject): Thing | null {
  if (seo.breadcrumbs.length === 0) return null;
  return {
    "@type": "BreadcrumbList",
    "@id": `${canonical}#breadcrumbs`,
    itemListElement: seo.breadcrumbs.map(({ name, url }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: absolute(internalHref(url, locale), origin),
    })),
  };
}

function howTo({ seo, canonical }: SeoSubject): Thing | null {
  if (!seo.howTo) return null;
  return {
    "@type": "HowTo",
    "@id": `${canonical}#how-to`,
    name: seo.howTo.name,
    step: seo.howTo.steps.map((text, index) => ({ "@type": "HowToStep", position: index + 1, text })),
  };
}

function speakable({ seo, language, canonical }: SeoSubject): Thing | null {
  if (seo.speakable.length === 0) return null;
  return {
    "@type": "WebPage",
    "@id": canonical,
    url: canonical,
    name: seo.title,
    inLanguage: locales[language].tag,
    speakable: { "@type": "SpeakableSpecification", cssSelector: seo.speakable },
  };
}

function video({ seo, origin, canonical }: SeoSubject): Thing | null {
  if (!seo.video) return null;
  const { name, description, thumbnailUrl, uploadDate, contentUrl, durationSecs } = seo.video;
  return {
    "@type": "VideoObject",
    "@id": `${canonical}#video`,
    name,
    description,
    thumbnailUrl: absolute(thumbnailUrl, origin),
    uploadDate,
    contentUrl: absolute(contentUrl, origin),
    ...(durationSecs ? { duration: isoDuration(durationSecs) } : {}),
  };
}

/** Without a country the job is remote. */
function job({ seo, origin, canonical }: SeoSubject): Thing | null {
  if (!seo.job) return null;
  const { title, description, datePosted, validThrough, employmentType, country } = seo.job;
  const location = country
    ? { jobLocation: { "@type": "Place", address: { "@type": "PostalAddress", addressCountry: country } } }
    : {
        jobLocationType: "TELECOMMUTE",
        applicantLocationRequirements: { "@type": "AdministrativeArea", name: "Worldwide" },
      };
  return {
    "@type": "JobPosting",
    "@id": `${canonical}#job`,
    title,
    description,
    datePosted,
    ...(validThrough ? { validThrough } : {}),
    ...(employmentType ? { employmentType } : {}),
    hiringOrganization: organization(origin),
    ...location,
  };
}

export function absolute(url: string, origin: string): string {
  return isExternal(url) ? url : `${origin}${url.startsWith("/") ? "" : "/"}${url}`;
}

/** 3725 is PT1H2M5S. */
export function isoDuration(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `PT${hours ? `${hours}H` : ""}${minutes ? `${minutes}M` : ""}${rest || seconds === 0 ? `${rest}S` : ""}`;
}

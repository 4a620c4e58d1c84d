/** What a structured-data object must say, after schema.org and what search engines ask of each type. */

type Thing = Record<string, unknown>;

const required: Record<string, string[]> = {
  Organization: ["name", "url"],
  WebSite: ["name", "url"],
  WebPage: ["name"],
  BreadcrumbList: ["itemListElement"],
  ListItem: ["position", "name"],
  FAQPage: ["mainEntity"],
  Question: ["name", "acceptedAnswer"],
  Answer: ["text"],
  Article: ["headline", "author", "datePublished"],
  Person: ["name"],
  HowTo: ["name", "step"],
  HowToStep: ["text"],
  VideoObject: ["name", "description", "thumbnailUrl", "uploadDate"],
  JobPosting: ["title", "description", "datePosted", "hiringOrganization"],
  SpeakableSpecification: ["cssSelector"],
  Product: ["name"],
  Offer: ["price", "priceCurrency"],
  ImageObject: ["url"],
  Place: [],
  PostalAddress: [],
  Country: ["name"],
  AdministrativeArea: ["name"],
  Brand: ["name"],
};

export function faultsOf(data: unknown): string[] {
  if (!isThing(data)) return ["is not an object"];
  const faults = data["@context"] === "https://schema.org" ? [] : ["has no @context https://schema.org"];
  return [...faults, ...walk(data, "")];
}

function walk(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => walk(item, `${place}[${index}]`));
  if (!isThing(value)) return value === null || value === "" ? [`${place} is empty`] : dateFaults(value, place);
  const below = Object.entries(value).flatMap(([name, inner]) => walk(inner, place ? `${place}.${name}` : name));
  const type = value["@type"];
  if (typeof type !== "string")
    return "@graph" in value || "@id" in value ? below : [`${place || "it"} has no @type`, ...below];
  const fields = required[type];
  if (!fields) return [`${place || "it"} is a ${type}, which is not known here`, ...below];
  const missing = fields.filter((field) => value[field] === undefined);
  return [...missing.map((field) => `${place || type} lacks ${field}`), ...below];
}

function dateFaults(value: unknown, place: string): string[] {
  if (!/(date\w*|validThrough|uploadDate)$/i.test(place)) return [];
  return Number.isNaN(Date.parse(String(value))) ? [`${place} is no date: ${String(value)}`] : [];
}

function isThing(value: unknown): value is Thing {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

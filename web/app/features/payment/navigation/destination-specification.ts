import type { Destination, OneTimeVisit } from "./destination";

/**
 * The destinations after a payment as the specification lists them, for tests: a table of rules and all visits to try.
 */

export type Form = "subscription" | OneTimeVisit["route"];

export interface SpecifiedVisit {
  form: Form;
  locale: "en" | "ar";
  path: string;
  query: URLSearchParams;
  nextPage: string | null;
  successRedirect: string | null;
  therapyAppUrl: string | null;
}

/** One rule of the specification: its condition and its destination. */
export interface SpecificationLine {
  name: string;
  /** What the condition reads; `always`: the default rule. */
  when: "field" | "flag" | "present" | "always";
  leads: (sale: SpecifiedVisit) => Destination;
}

const page = (url: string): Destination => ({ kind: "page", url });
const backTo = ({ path }: SpecifiedVisit) => `redirectPage=${encodeURIComponent(path)}`;

export const SOUL_REDIRECTION_URL = "https://soul.example/in/";
export const NEXT_PAGE = "/almost-done";
export const SUCCESS_REDIRECT = "/success/live-program";
export const THERAPY_APP = "https://therapy.example";

/**
 * "Other variants of the one-time forms use similar targets; one uses /success-coaching-new instead": the two rules
 * that differ.
 */
const PAGES_BY_FORM: Record<Form, { coaching: string; usual: string }> = {
  subscription: { coaching: "success/coaching/newuser", usual: "success-page" },
  program: { coaching: "success/coaching/newuser", usual: "success-page" },
  liveProgram: { coaching: "success/coaching/newuser", usual: "success-page" },
  coachingNew: { coaching: "success-coaching-new", usual: "success-page" },
  addition: { coaching: "success-coaching-new", usual: "success-coaching-new" },
};

const defaultUrl = ({ form, locale }: SpecifiedVisit) => `/${locale}/${PAGES_BY_FORM[form].usual}/`;

/** In order: the first matching rule wins. */
export const SPECIFIED: SpecificationLine[] = [
  { name: "nextPage", when: "field", leads: (sale) => page(`/${sale.locale}/almost-done/?${backTo(sale)}`) },
  // "The one-time live-program form goes to /{locale}/{successRedirect}": no flag changes that.
  { name: "successRedirect", when: "field", leads: ({ locale }) => page(`/${locale}/success/live-program/`) },
  {
    name: "specialProgram",
    when: "flag",
    leads: (sale) => page(`/${sale.locale}/success-page-premium/?${backTo(sale)}`),
  },
  { name: "survey", when: "flag", leads: ({ locale }) => page(`/${locale}/success/`) },
  {
    name: "successpageSpecialprogram",
    when: "flag",
    leads: ({ locale }) => page(`/${locale}/successpage-specialprogram/`),
  },
  {
    name: "coachingSuccess",
    when: "flag",
    leads: ({ form, locale }) => page(`/${locale}/${PAGES_BY_FORM[form].coaching}/`),
  },
  {
    name: "therapySuccess",
    when: "flag",
    // Without a therapy app the default page follows.
    leads: (sale) =>
      sale.therapyAppUrl
        ? { kind: "therapyHandoff", url: `https://therapy.example/${sale.locale}/therapy/` }
        : page(defaultUrl(sale)),
  },
  { name: "nativeRedirection", when: "flag", leads: ({ locale, query }) => page(`/${locale}/success-page/?${query}`) },
  { name: "downloadApp", when: "flag", leads: ({ locale }) => page(`/${locale}/success/premium/downloadapp/`) },
  { name: "downloadAppNewUser", when: "flag", leads: ({ locale }) => page(`/${locale}/success-newuser/`) },
  {
    name: "soul_redirection_url",
    when: "present",
    // A URL that is not allowed leads to the default page.
    leads: (sale) => ({ kind: "grantThenRedirect", requestedUrl: SOUL_REDIRECTION_URL, fallbackUrl: defaultUrl(sale) }),
  },
  { name: "default", when: "always", leads: (sale) => page(defaultUrl(sale)) },
];

export const FLAGS = SPECIFIED.filter(({ when }) => when === "flag").map(({ name }) => name);

export interface Visit {
  query: URLSearchParams;
  setFlags: Set<string>;
}

/** Values a flag can have in the query (null: absent), and whether each sets it. */
export type FlagValues = [value: string | null, raised: boolean][];

const PRESENT: FlagValues = [
  [null, false],
  ["", false],
  [SOUL_REDIRECTION_URL, true],
];

/** Every combination of flag values. */
export function* everyQuery(written: (flag: number) => FlagValues): Generator<Visit> {
  yield* combinations(SPECIFIED, written);
}

function* combinations(
  [line, ...others]: SpecificationLine[],
  written: (flag: number) => FlagValues,
): Generator<Visit> {
  if (!line) return yield { query: new URLSearchParams(), setFlags: new Set() };
  const values = line.when === "flag" ? written(FLAGS.indexOf(line.name)) : line.when === "present" ? PRESENT : null;
  for (const rest of combinations(others, written)) {
    if (!values) yield rest;
    for (const [value, raised] of values ?? []) {
      const query = new URLSearchParams(rest.query);
      if (value !== null) query.set(line.name, value);
      yield { query, setFlags: raised ? new Set([...rest.setFlags, line.name]) : rest.setFlags };
    }
  }
}

/** The form fields that match a rule. Every form has a next page; only the live program has a success redirect. */
function fieldsOf({ nextPage, form, successRedirect }: SpecifiedVisit): string[] {
  const names = nextPage ? ["nextPage"] : [];
  return form === "liveProgram" && successRedirect ? [...names, "successRedirect"] : names;
}

/** The destination that the specification demands. */
export function specified(sale: SpecifiedVisit, raised: ReadonlySet<string>): Destination | undefined {
  const holds = new Set([...raised, ...fieldsOf(sale), "default"]);
  return SPECIFIED.find(({ name }) => holds.has(name))?.leads(sale);
}

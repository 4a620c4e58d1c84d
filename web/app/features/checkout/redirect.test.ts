import { describe, expect, it } from "vitest";
import { signUpUrl } from "~/lib/sign-up-url";
import { afterPayment, type Destination, type PaidVisit, withToken } from "./redirect";

const visit: PaidVisit = {
  locale: "en",
  path: "/en/payment/annual/",
  query: new URLSearchParams(),
  nextPage: null,
  therapyAppUrl: "https://therapy.example",
};

const page = (url: string): Destination => ({ kind: "page", url });
const BACK = "redirectPage=%2Fen%2Fpayment%2Fannual%2F";
const WISH = "https://soul.example/in/";

/** One line of the specification: what must be so for it to hold, and where it leads. */
interface Rule {
  name: string;
  /** What of a visit it looks at; none: the last rule, which always holds. */
  when: "nextPage" | "flag" | "present" | "always";
  /** With everything that stands in the query in its place. */
  leads: (query: string) => Destination;
}

/** The specification in its order: the first line that holds wins. */
const SPECIFIED: Rule[] = [
  { name: "nextPage", when: "nextPage", leads: () => page(`/en/almost-done/?${BACK}`) },
  { name: "specialProgram", when: "flag", leads: () => page(`/en/success-page-premium/?${BACK}`) },
  { name: "survey", when: "flag", leads: () => page("/en/success/") },
  { name: "successpageSpecialprogram", when: "flag", leads: () => page("/en/successpage-specialprogram/") },
  { name: "coachingSuccess", when: "flag", leads: () => page("/en/success/coaching/newuser/") },
  {
    name: "therapySuccess",
    when: "flag",
    leads: () => ({ kind: "handOver", url: "https://therapy.example/en/therapy/" }),
  },
  { name: "nativeRedirection", when: "flag", leads: (query) => page(`/en/success-page/?${query}`) },
  { name: "downloadApp", when: "flag", leads: () => page("/en/success/premium/downloadapp/") },
  { name: "downloadAppNewUser", when: "flag", leads: () => page("/en/success-newuser/") },
  {
    name: "soul_redirection_url",
    when: "present",
    leads: () => ({ kind: "grantThenLeave", wanted: WISH, otherwise: "/en/success-page/" }),
  },
  { name: "default", when: "always", leads: () => page("/en/success-page/") },
];

/** How a flag may stand in the address, and whether it is raised then. */
const WRITTEN: Record<string, [value: string | null, raised: boolean][]> = {
  nextPage: [
    [null, false],
    ["/almost-done", true],
  ],
  flag: [
    [null, false],
    ["true", true],
    ["true/", true],
    ["false", false],
  ],
  present: [
    [null, false],
    ["", false],
    [WISH, true],
  ],
};

interface Case {
  nextPage: string | null;
  query: URLSearchParams;
  raised: Set<string>;
}

/** Every way of writing every flag, with every way of writing all others: 2 × 4⁸ × 3 visits. */
function* everyVisit(rules: Rule[] = SPECIFIED): Generator<Case> {
  const [rule, ...others] = rules;
  if (!rule || rule.when === "always") {
    yield { nextPage: null, query: new URLSearchParams(), raised: new Set(["default"]) };
    return;
  }
  for (const rest of everyVisit(others)) {
    for (const [value, raised] of WRITTEN[rule.when] ?? []) {
      const query = new URLSearchParams(rest.query);
      if (value !== null && rule.when !== "nextPage") query.set(rule.name, value);
      yield {
        nextPage: rule.when === "nextPage" ? value : rest.nextPage,
        query,
        raised: raised ? new Set([...rest.raised, rule.name]) : rest.raised,
      };
    }
  }
}

describe("after a payment", () => {
  it("every combination of flags leads where the first line of the specification says that holds", () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const { nextPage, query, raised } of everyVisit()) {
      const rule = SPECIFIED.find(({ name }) => raised.has(name));
      const expected = rule?.leads(String(query));
      const led = afterPayment({ ...visit, nextPage, query });
      if (JSON.stringify(led) !== JSON.stringify(expected)) wrong.push(`${nextPage} ${query}: ${JSON.stringify(led)}`);
      tried += 1;
    }
    expect(tried).toBe(2 * 4 ** 8 * 3);
    expect(wrong.slice(0, 5)).toEqual([]);
  }, 60_000);

  const flags = SPECIFIED.filter(({ when }) => when === "flag").map(({ name }) => name);
  const lowered = ["false", "1", "TRUE", "True", "true//", "/true", "yes", "", " true", "true "];

  it.each(flags)("takes %s for raised by true and true/ alone", (flag) => {
    for (const value of lowered) {
      const query = new URLSearchParams({ [flag]: value });
      expect(afterPayment({ ...visit, query }), value).toEqual(page("/en/success-page/"));
    }
  });

  it("takes no notice of a nextPage in the address, which anybody can write", () => {
    const query = new URLSearchParams({ nextPage: "/en/elsewhere/", survey: "true" });
    expect(afterPayment({ ...visit, query })).toEqual(page("/en/success/"));
  });

  it("keeps every value of every query for the native app", () => {
    const query = new URLSearchParams("utm_source=a&nativeRedirection=true/&x=1&x=2&survey=false&empty=");
    expect(afterPayment({ ...visit, query })).toEqual(
      page("/en/success-page/?utm_source=a&nativeRedirection=true%2F&x=1&x=2&survey=false&empty="),
    );
  });

  it("hands on the redirectPage it came with, from both rules that have one", () => {
    const query = new URLSearchParams({ specialProgram: "true", redirectPage: "/en/coach/" });
    expect(afterPayment({ ...visit, query })).toEqual(page("/en/success-page-premium/?redirectPage=%2Fen%2Fcoach%2F"));
    expect(afterPayment({ ...visit, query, nextPage: "/almost-done?step=2" })).toEqual(
      page("/en/almost-done/?step=2&redirectPage=%2Fen%2Fcoach%2F"),
    );
  });

  it("speaks the language of the visit", () => {
    const arabic = { ...visit, locale: "ar" as const };
    const led = SPECIFIED.flatMap(({ name, when }) => {
      if (when === "nextPage") return [afterPayment({ ...arabic, nextPage: "/almost-done" })];
      const value = when === "present" ? WISH : "true";
      return [afterPayment({ ...arabic, query: new URLSearchParams({ [name]: value }) })];
    });
    for (const destination of led) {
      const url = destination.kind === "grantThenLeave" ? destination.otherwise : destination.url;
      expect(new URL(url, "https://same.invalid").pathname).toMatch(/^\/ar\//);
    }
  });

  it("stays here when no therapy app is configured", () => {
    const query = new URLSearchParams({ therapySuccess: "true" });
    expect(afterPayment({ ...visit, query, therapyAppUrl: null })).toEqual(page("/en/success-page/"));
  });

  it("gives the therapy app a token only where there is one", () => {
    const url = "https://therapy.example/en/therapy/";
    expect(withToken(url, "a/b")).toBe("https://therapy.example/en/therapy/?token=a%2Fb");
    expect(withToken(url, null)).toBe(url);
  });
});

describe("without an account", () => {
  it("goes to sign-up with the way back and the flags of the visit", () => {
    expect(signUpUrl("tr", "/tr/payment/annual/", new URLSearchParams({ survey: "true" }))).toBe(
      "/tr/signup/?survey=true&redirectPage=%2Ftr%2Fpayment%2Fannual%2F",
    );
  });

  it("goes to e-mail sign-up for special programs", () => {
    expect(signUpUrl("en", "/en/x/", new URLSearchParams({ specialProgram: "true/" }))).toMatch(
      /^\/en\/email-signup\/\?/,
    );
  });
});

// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { signUpUrl } from "~/lib/links/sign-up-url";
import { openPayment, persistOpenPayment } from "~/lib/payment/open-payment";
import { afterPayment, continuationOf, type Destination, type PaidVisit, withToken } from "./destination";
import {
  everyQuery,
  FLAGS,
  type FlagValues,
  SOUL_REDIRECTION_URL,
  SPECIFIED,
  type SpecifiedVisit,
  specified,
  THERAPY_APP,
} from "./destination-specification";

const visit: PaidVisit = {
  locale: "en",
  path: "/en/payment/annual/",
  query: new URLSearchParams(),
  nextPage: null,
  therapyAppUrl: THERAPY_APP,
};

const page = (url: string): Destination => ({ kind: "page", url });

const EVERY_WRITING: FlagValues = [
  [null, false],
  ["true", true],
  ["true/", true],
  ["false", false],
];

describe("after a payment", () => {
  it("every combination of flags follows the first matching rule of the specification", () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const { query, setFlags } of everyQuery(() => EVERY_WRITING)) {
      for (const nextPage of [null, "/almost-done"]) {
        const sale: SpecifiedVisit = {
          ...visit,
          form: "subscription",
          locale: "en",
          query,
          nextPage,
          successRedirect: null,
        };
        const led = afterPayment({ ...visit, nextPage, query });
        const isRight = JSON.stringify(led) === JSON.stringify(specified(sale, setFlags));
        if (!isRight) wrong.push(`${nextPage} ${query}: ${JSON.stringify(led)}`);
        tried += 1;
      }
    }
    expect(tried).toBe(2 * 4 ** 8 * 3);
    expect(wrong.slice(0, 5)).toEqual([]);
  }, 60_000);

  const lowered = ["false", "1", "TRUE", "True", "true//", "/true", "yes", "", " true", "true "];

  it.each(FLAGS)("takes %s as set for true and true/ only", (flag) => {
    for (const value of lowered) {
      const query = new URLSearchParams({ [flag]: value });
      expect(afterPayment({ ...visit, query }), value).toEqual(page("/en/success-page/"));
    }
  });

  it("ignores nextPage in the query, which anyone can write", () => {
    const query = new URLSearchParams({ nextPage: "/en/elsewhere/", survey: "true" });
    expect(afterPayment({ ...visit, query })).toEqual(page("/en/success/"));
  });

  it("keeps the whole query for the native app", () => {
    const query = new URLSearchParams("utm_source=a&nativeRedirection=true/&x=1&x=2&survey=false&empty=");
    expect(afterPayment({ ...visit, query })).toEqual(
      page("/en/success-page/?utm_source=a&nativeRedirection=true%2F&x=1&x=2&survey=false&empty="),
    );
  });

  it("passes redirectPage on in both rules that have one", () => {
    const query = new URLSearchParams({ specialProgram: "true", redirectPage: "/en/coach/" });
    expect(afterPayment({ ...visit, query })).toEqual(page("/en/success-page-premium/?redirectPage=%2Fen%2Fcoach%2F"));
    expect(afterPayment({ ...visit, query, nextPage: "/almost-done?step=2" })).toEqual(
      page("/en/almost-done/?step=2&redirectPage=%2Fen%2Fcoach%2F"),
    );
  });

  it("stays in the visit's language", () => {
    const arabic = { ...visit, locale: "ar" as const };
    const led = SPECIFIED.flatMap(({ name, when }) => {
      if (when === "field") return [afterPayment({ ...arabic, nextPage: "/almost-done" })];
      const value = when === "present" ? SOUL_REDIRECTION_URL : "true";
      return [afterPayment({ ...arabic, query: new URLSearchParams({ [name]: value }) })];
    });
    for (const destination of led) {
      const url = destination.kind === "grantThenRedirect" ? destination.fallbackUrl : destination.url;
      expect(new URL(url, "https://same.invalid").pathname).toMatch(/^\/ar\//);
    }
  });

  it("stays on this site without a therapy app", () => {
    const query = new URLSearchParams({ therapySuccess: "true" });
    expect(afterPayment({ ...visit, query, therapyAppUrl: null })).toEqual(page("/en/success-page/"));
  });

  it("adds a token for the therapy app only when there is one", () => {
    const url = "https://therapy.example/en/therapy/";
    expect(withToken(url, "a/b")).toBe("https://therapy.example/en/therapy/?token=a%2Fb");
    expect(withToken(url, null)).toBe(url);
  });
});

describe("a payment on a provider's page", () => {
  it("continues after the return where the specification leads", () => {
    const sale: SpecifiedVisit = { ...visit, form: "subscription", locale: "en", successRedirect: null };
    for (const { leads } of SPECIFIED) {
      const to = leads(sale);
      persistOpenPayment({ campaign: "web-monthly", couponCode: null, isCoaching: false, ...continuationOf(to, "en") });
      const open = openPayment();
      expect(open?.action ?? { kind: "page", url: open?.next }).toEqual(to);
    }
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

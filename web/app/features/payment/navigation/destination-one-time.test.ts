import { describe, expect, it } from "vitest";
import { afterOneTimePayment, afterPayment, type Destination, type OneTimeVisit } from "./destination";
import {
  everyQuery,
  type FlagValues,
  type Form,
  NEXT_PAGE,
  type SpecifiedVisit,
  SUCCESS_REDIRECT,
  specified,
  THERAPY_APP,
} from "./destination-specification";

const visit: OneTimeVisit = {
  locale: "en",
  path: "/en/payment/live-program/",
  query: new URLSearchParams(),
  nextPage: null,
  therapyAppUrl: null,
  route: "program",
  successRedirect: null,
};

const goes = (change: Partial<OneTimeVisit>, query = "") =>
  afterOneTimePayment({ ...visit, ...change, query: new URLSearchParams(query) });
const page = (url: string): Destination => ({ kind: "page", url });

describe("after a one-time payment", () => {
  it("a program's buyer goes where a subscriber goes", () => {
    expect(goes({})).toEqual(page("/en/success-page/"));
    expect(goes({}, "survey=true")).toEqual(page("/en/success/"));
    expect(goes({}, "coachingSuccess=true")).toEqual(page("/en/success/coaching/newuser/"));
  });

  it("a live program's buyer goes to the page its form names, whatever the URL says", () => {
    const live = { route: "liveProgram", successRedirect: "/success/live-program" } as const;
    expect(goes({ ...live, locale: "tr" }, "survey=true")).toEqual(page("/tr/success/live-program/"));
    expect(goes({ ...live, nextPage: "/coach" })).toEqual(
      page("/en/coach/?redirectPage=%2Fen%2Fpayment%2Flive-program%2F"),
    );
  });

  it("a live program without such a page goes to the usual page", () => {
    expect(goes({ route: "liveProgram" })).toEqual(page("/en/success-page/"));
  });

  it.each(["coachingNew", "addition"] as const)("%s has its own coaching page", (route) => {
    expect(goes({ route }, "coachingSuccess=true/")).toEqual(page("/en/success-coaching-new/"));
    expect(goes({ route }, "survey=true&coachingSuccess=true")).toEqual(page("/en/success/"));
  });

  it("an addition's buyer goes to the coaching page without a flag as well, unless the form names a page", () => {
    expect(goes({ route: "addition", locale: "ar" })).toEqual(page("/ar/success-coaching-new/"));
    expect(goes({ route: "coachingNew" })).toEqual(page("/en/success-page/"));
    expect(goes({ route: "addition", nextPage: "/success/counseling-welcome" })).toEqual(
      page("/en/success/counseling-welcome/?redirectPage=%2Fen%2Fpayment%2Flive-program%2F"),
    );
  });

  it("falls back to the usual page when the requested URL is not allowed or there is no therapy app", () => {
    const query = "soul_redirection_url=https://soul.example/in";
    const grant = { kind: "grantThenRedirect", requestedUrl: "https://soul.example/in" };
    expect(goes({ route: "addition" }, query)).toEqual({ ...grant, fallbackUrl: "/en/success-coaching-new/" });
    expect(goes({ route: "coachingNew" }, query)).toEqual({ ...grant, fallbackUrl: "/en/success-page/" });
    expect(goes({ route: "addition" }, "therapySuccess=true")).toEqual(page("/en/success-coaching-new/"));
  });
});

const FORMS: Form[] = ["subscription", "program", "liveProgram", "coachingNew", "addition"];

/** Every combination of form fields and renderer settings. */
function* everySetting(form: Form): Generator<Omit<SpecifiedVisit, "query">> {
  for (const nextPage of [null, NEXT_PAGE])
    for (const successRedirect of [null, SUCCESS_REDIRECT])
      for (const therapyAppUrl of [null, THERAPY_APP])
        for (const locale of ["en", "ar"] as const)
          yield { form, nextPage, successRedirect, therapyAppUrl, locale, path: `/${locale}/payment/x/` };
}

/**
 * Every flag with two values that set it and two that do not, in turn; the subscription's test combines all of them.
 */
const writings = [0, 1].map((turn) => (flag: number): FlagValues => {
  const isEven = (flag + turn) % 2 === 0;
  return isEven
    ? [
        [null, false],
        ["true/", true],
      ]
    : [
        ["false", false],
        ["true", true],
      ];
});

describe.each(FORMS)("the form %s", (form) => {
  it("leads, for every combination of flags and fields, where the specification says", () => {
    const queries = writings.flatMap((written) => [...everyQuery(written)]);
    const wrong: string[] = [];
    let tried = 0;
    for (const setting of everySetting(form)) {
      for (const { query, setFlags } of queries) {
        const sale = { ...setting, query };
        const led = form === "subscription" ? afterPayment(sale) : afterOneTimePayment({ ...sale, route: form });
        const isRight = JSON.stringify(led) === JSON.stringify(specified(sale, setFlags));
        if (!isRight) wrong.push(`${JSON.stringify(setting)} ${query}: ${JSON.stringify(led)}`);
        tried += 1;
      }
    }
    expect(tried).toBe(2 ** 4 * 2 * 2 ** 8 * 3);
    expect(wrong.slice(0, 5)).toEqual([]);
  }, 60_000);
});

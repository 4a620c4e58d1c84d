import { describe, expect, it } from "vitest";
import { afterOneTimePayment, type Destination, type OneTimeVisit } from "./redirect";

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

describe("after something was paid once", () => {
  it("a program's buyer goes where a subscriber goes", () => {
    expect(goes({})).toEqual(page("/en/success-page/"));
    expect(goes({}, "survey=true")).toEqual(page("/en/success/"));
    expect(goes({}, "coachingSuccess=true")).toEqual(page("/en/success/coaching/newuser/"));
  });

  it("a live program's buyer goes to the page its form names, whatever the address says", () => {
    const live = { route: "liveProgram", successRedirect: "/success/live-program" } as const;
    expect(goes({ ...live, locale: "tr" }, "survey=true")).toEqual(page("/tr/success/live-program/"));
    expect(goes({ ...live, nextPage: "/coach" })).toEqual(
      page("/en/coach/?redirectPage=%2Fen%2Fpayment%2Flive-program%2F"),
    );
  });

  it("a live program without such a page ends as any other", () => {
    expect(goes({ route: "liveProgram" })).toEqual(page("/en/success-page/"));
  });

  it.each(["coachingNew", "addition"] as const)("%s has a coaching page of its own", (route) => {
    expect(goes({ route }, "coachingSuccess=true/")).toEqual(page("/en/success-coaching-new/"));
    expect(goes({ route }, "survey=true&coachingSuccess=true")).toEqual(page("/en/success/"));
  });

  it("an addition's buyer goes there without a flag as well, unless the form says where", () => {
    expect(goes({ route: "addition", locale: "ar" })).toEqual(page("/ar/success-coaching-new/"));
    expect(goes({ route: "coachingNew" })).toEqual(page("/en/success-page/"));
    expect(goes({ route: "addition", nextPage: "/success/counseling-welcome" })).toEqual(
      page("/en/success/counseling-welcome/?redirectPage=%2Fen%2Fpayment%2Flive-program%2F"),
    );
  });
});

import { describe, expect, it } from "vitest";
import { signUpUrl } from "~/lib/sign-up-url";
import { afterPayment, type Destination, type PaidVisit } from "./redirect";

const visit: PaidVisit = {
  locale: "en",
  path: "/en/payment/annual/",
  query: new URLSearchParams(),
  nextPage: null,
  therapyAppUrl: "https://therapy.example",
  token: null,
};

const page = (url: string): Destination => ({ kind: "page", url });
const back = "redirectPage=%2Fen%2Fpayment%2Fannual%2F";

/** Every flag at once, in the order the rules are checked: taking the first away lets the next one win. */
const ladder: [string, string, Destination][] = [
  ["specialProgram", "true", page(`/en/success-page-premium/?${back}`)],
  ["survey", "true/", page("/en/success/")],
  ["successpageSpecialprogram", "true", page("/en/successpage-specialprogram/")],
  ["coachingSuccess", "true", page("/en/success/coaching/newuser/")],
  ["therapySuccess", "true/", { kind: "leave", url: "https://therapy.example/en/therapy/" }],
  [
    "nativeRedirection",
    "true",
    page(
      "/en/success-page/?nativeRedirection=true&downloadApp=true&downloadAppNewUser=true&soul_redirection_url=https%3A%2F%2Fsoul.example%2Fin%2F",
    ),
  ],
  ["downloadApp", "true", page("/en/success/premium/downloadapp/")],
  ["downloadAppNewUser", "true", page("/en/success-newuser/")],
  [
    "soul_redirection_url",
    "https://soul.example/in/",
    { kind: "grantThenLeave", wanted: "https://soul.example/in/", otherwise: "/en/success-page/" },
  ],
];

describe("after a payment", () => {
  it.each(ladder.map(([flag, , expected], index) => ({ flag, expected, index })))(
    "$flag wins over everything below it",
    ({ expected, index }) => {
      const query = new URLSearchParams(ladder.slice(index).map(([name, value]) => [name, value]));
      expect(afterPayment({ ...visit, query })).toEqual(expected);
    },
  );

  it("goes to the block's next page before any flag", () => {
    const query = new URLSearchParams(ladder.map(([name, value]) => [name, value]));
    expect(afterPayment({ ...visit, query, nextPage: "/almost-done" })).toEqual(page(`/en/almost-done/?${back}`));
  });

  it("hands on the redirectPage it came with", () => {
    const query = new URLSearchParams({ specialProgram: "true", redirectPage: "/en/coach/" });
    expect(afterPayment({ ...visit, query })).toEqual(page("/en/success-page-premium/?redirectPage=%2Fen%2Fcoach%2F"));
  });

  it("ends on the success page without flags", () => {
    expect(afterPayment(visit)).toEqual(page("/en/success-page/"));
  });

  it.each(["false", "1", "TRUE", ""])("does not take %j for true", (value) => {
    expect(afterPayment({ ...visit, query: new URLSearchParams({ survey: value }) })).toEqual(
      page("/en/success-page/"),
    );
  });

  it("gives the therapy app the member's token only where there is one", () => {
    const query = new URLSearchParams({ therapySuccess: "true" });
    const url = "https://therapy.example/en/therapy/?token=a%2Fb";
    expect(afterPayment({ ...visit, query, token: "a/b" })).toEqual({ kind: "leave", url });
  });

  it("stays here when no therapy app is configured", () => {
    const query = new URLSearchParams({ therapySuccess: "true" });
    expect(afterPayment({ ...visit, query, therapyAppUrl: null })).toEqual(page("/en/success-page/"));
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

import { describe, expect, it } from "vitest";
import { formatWait } from "~/lib/format/wait";
import { orderIdOf } from "~/lib/survey/order-id";
import { type SignInContext, signInDestination } from "./destination";
import { fieldOf, refusedFields, returnedProblem } from "./form/refusal";
import { EMPTY_DRAFT, type Rules, validate } from "./form/validate";

const signUp: Rules = { purpose: "signUp" };
const signIn: Rules = { purpose: "signIn" };
const draft = { ...EMPTY_DRAFT, name: "Ada", email: "ada@example.com", password: "secret" };

describe("the account form", () => {
  it("requires name, e-mail and password to sign up, and no name to sign in", () => {
    expect(validate(EMPTY_DRAFT, signUp)).toEqual({ name: "required", email: "required", password: "required" });
    expect(validate({ ...draft, name: "" }, signIn)).toEqual({});
  });

  it("requires only an address, or only a password, in forms that have nothing else", () => {
    expect(validate(EMPTY_DRAFT, { purpose: "email" })).toEqual({ email: "required" });
    expect(validate(EMPTY_DRAFT, { purpose: "password" })).toEqual({ password: "required" });
  });

  it.each(["a@", "a@b", "a b@c.de", "@c.de", "a@b..de"])("rejects %s as an address", (email) => {
    expect(validate({ ...draft, email }, signIn)).toEqual({ email: "invalid" });
  });

  it("accepts a password of six characters, not of five, however they are encoded", () => {
    expect(validate({ ...draft, password: "12345" }, signUp)).toEqual({ password: "short" });
    expect(validate({ ...draft, password: "123456" }, signUp)).toEqual({});
    expect(validate({ ...draft, password: "🌸🌸🌸" }, signUp)).toEqual({ password: "short" });
  });

  it("requires the repeated address only where the page asks for it", () => {
    const twice = { ...signUp, confirmEmail: true };
    expect(validate({ ...draft, emailConfirmation: "bob@example.com" }, twice)).toEqual({
      emailConfirmation: "different",
    });
    expect(validate({ ...draft, emailConfirmation: " ada@example.com " }, twice)).toEqual({});
    expect(validate(draft, { ...twice, purpose: "signIn" })).toEqual({});
  });

  it("requires both consents in the Russian sign-up", () => {
    expect(validate(draft, { ...signUp, consents: true })).toEqual({ terms: "consent", renewal: "consent" });
    expect(validate({ ...draft, terms: true, renewal: true }, { ...signUp, consents: true })).toEqual({});
  });

  it("maps the gateway's field names", () => {
    expect(fieldOf("email")).toBe("email");
    expect(fieldOf("body.password")).toBe("password");
    expect(fieldOf("order_id")).toBeNull();
  });
});

describe("a form that came back with an error", () => {
  it("names the fault and its field", () => {
    expect(refusedFields(returnedProblem("PASSWORD_TOO_COMMON"))).toEqual({ password: "common" });
    expect(refusedFields(returnedProblem("PASSWORD_BREACHED"))).toEqual({ password: "breached" });
    expect(refusedFields(returnedProblem("R100"))).toEqual({ email: "taken" });
  });

  it.each(["INVALID_CREDENTIALS", "PASSWORD_<script>", "ORDER_ID_REQUIRED", ""])("names no field for %s", (code) => {
    expect(returnedProblem(code)).toMatchObject({ code, errors: [] });
    expect(refusedFields(returnedProblem(code))).toEqual({});
  });
});

describe("the wait after too many attempts", () => {
  it.each([
    [1, "10 seconds"],
    [45, "50 seconds"],
    [121, "3 minutes"],
    [600, "10 minutes"],
    [3 * 60 * 60, "3 hours"],
  ])("%i seconds are %s", (seconds, wait) => expect(formatWait(seconds, "en")).toBe(wait));

  it("is formatted in the language", () => {
    expect(formatWait(600, "ru")).toBe("10 минут");
    expect(formatWait(600, "tr")).toBe("10 dakika");
    expect(formatWait(600, "ar")).toBe("10 دقائق");
  });
});

describe("the destination after a sign-in", () => {
  const user = {
    user_id: "usr_1",
    fullName: "Ada",
    email: "a@example.com",
    isCoachingUser: false,
    isTherapyUser: false,
  };
  const coaching = { ...user, isCoachingUser: true };
  const therapy = { ...user, isTherapyUser: true };
  const both = { ...coaching, isTherapyUser: true };

  const go = (query: string, arrival: Partial<SignInContext> = {}) => {
    const here = { kind: "signIn", user, locale: "en", redirectPage: null, paymentPage: null } as const;
    return signInDestination({ ...here, query: new URLSearchParams(query), ...arrival });
  };
  const page = (path: string) => ({ to: "page", path });

  it("is the page the gateway allows, with the rest of the query", () => {
    expect(
      go("redirectPage=/en/x/&survey=true&error=R100", { kind: "signUp", redirectPage: "/en/payment/annual/" }),
    ).toEqual(page("/en/payment/annual/?survey=true"));
  });

  it("ignores a redirectPage that the gateway did not allow", () => {
    expect(go("redirectPage=/en/payment/annual/", { kind: "signUp" })).toEqual(page("/en/success-page/"));
    expect(go("redirectPage=//evil.example")).toEqual(page("/en/"));
  });

  it("is the payment page it came from after a sign-in, with the query", () => {
    expect(go("coupon=A", { paymentPage: "/en/payment/monthly/?survey=true" })).toEqual(
      page("/en/payment/monthly/?survey=true&coupon=A"),
    );
    expect(go("", { kind: "signUp", paymentPage: "/en/payment/monthly/" })).toEqual(page("/en/success-page/"));
    expect(go("")).toEqual(page("/en/"));
  });

  it("is the app for regular members, and the coach page for members with a coach", () => {
    expect(go("redirectPage=regular")).toEqual({ to: "app", extra: {} });
    expect(go("redirectPage=regular", { user: coaching })).toEqual(page("/en/coach/"));
    expect(go("redirectPage=regular", { user: both })).toEqual(page("/en/coach/"));
    expect(go("redirectPage=regular", { user: therapy })).toEqual(page("/en/success/counseling-welcome/"));
  });

  it("is the app for redeeming a code", () => {
    expect(go("redirectPage=redeemCode&code=A%26B", { user: coaching })).toEqual({
      to: "app",
      extra: { redirect: "redeemCode", code: "A&B" },
    });
  });

  it("is the therapy welcome page for members in therapy, unless a page was requested", () => {
    expect(go("", { user: therapy, paymentPage: "/en/payment/monthly/" })).toEqual(
      page("/en/success/counseling-welcome/"),
    );
    expect(go("", { user: both })).toEqual(page("/en/"));
    expect(go("redirectPage=/en/x/", { user: therapy, redirectPage: "/en/x/" })).toEqual(page("/en/x/"));
  });

  it("is the same page after a link signed the member in", () => {
    expect(go("", { kind: "autoSignIn", paymentPage: "/en/payment/monthly/" })).toEqual({ to: "stay" });
    expect(go("redirectPage=regular", { kind: "autoSignIn" })).toEqual({ to: "app", extra: {} });
  });

  it("reads an order under both its names", () => {
    expect(orderIdOf(new URLSearchParams("orderId=2&orderid=1"))).toBe("1");
    expect(orderIdOf(new URLSearchParams("orderId=2"))).toBe("2");
    expect(orderIdOf(new URLSearchParams())).toBeNull();
  });
});

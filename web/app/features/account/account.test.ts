import { describe, expect, it } from "vitest";
import { fieldOf } from "./api";
import { destination, orderIdOf } from "./destination";
import { EMPTY_DRAFT, type Rules, validate } from "./validate";

const signUp: Rules = { mode: "signUp", confirmEmail: false, consents: false };
const signIn: Rules = { mode: "signIn", confirmEmail: false, consents: false };
const draft = { ...EMPTY_DRAFT, name: "Ada", email: "ada@example.com", password: "secret" };

describe("the form", () => {
  it("wants name, e-mail and password to sign up, and no name to sign in", () => {
    expect(validate(EMPTY_DRAFT, signUp)).toEqual({ name: "required", email: "required", password: "required" });
    expect(validate({ ...draft, name: "" }, signIn)).toEqual({});
  });

  it.each(["a@", "a@b", "a b@c.de", "@c.de", "a@b..de"])("refuses %s as an address", (email) => {
    expect(validate({ ...draft, email }, signIn)).toEqual({ email: "invalid" });
  });

  it("takes a password of six characters, not of five, however they are stored", () => {
    expect(validate({ ...draft, password: "12345" }, signUp)).toEqual({ password: "short" });
    expect(validate({ ...draft, password: "123456" }, signUp)).toEqual({});
    expect(validate({ ...draft, password: "🌸🌸🌸" }, signUp)).toEqual({ password: "short" });
  });

  it("wants the address twice only where the page asks for it", () => {
    const twice = { ...signUp, confirmEmail: true };
    expect(validate({ ...draft, emailConfirmation: "bob@example.com" }, twice)).toEqual({
      emailConfirmation: "different",
    });
    expect(validate({ ...draft, emailConfirmation: " ada@example.com " }, twice)).toEqual({});
    expect(validate(draft, { ...twice, mode: "signIn" })).toEqual({});
  });

  it("wants both consents of the Russian sign-up", () => {
    expect(validate(draft, { ...signUp, consents: true })).toEqual({ terms: "consent", renewal: "consent" });
    expect(validate({ ...draft, terms: true, renewal: true }, { ...signUp, consents: true })).toEqual({});
  });

  it("knows the gateway's names for its fields", () => {
    expect(fieldOf("email")).toBe("email");
    expect(fieldOf("body.password")).toBe("password");
    expect(fieldOf("order_id")).toBeNull();
  });
});

describe("afterwards", () => {
  const go = (mode: "signUp" | "signIn", query: string, paymentPage: string | null = null) =>
    destination({ mode, locale: "en", query: new URLSearchParams(query), paymentPage });

  it("goes to the page it was asked to, with the rest of the query", () => {
    expect(go("signUp", "redirectPage=/en/payment/annual/&survey=true")).toBe("/en/payment/annual/?survey=true");
  });

  it.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/.//evil.example"])(
    "does not follow %s away from this site",
    (page) => {
      expect(go("signUp", `redirectPage=${encodeURIComponent(page)}`)).toBe("/en/success-page/");
      expect(go("signIn", `redirectPage=${encodeURIComponent(page)}`)).toBe("/en/");
    },
  );

  it("goes back to the payment page it came from after a sign-in", () => {
    expect(go("signIn", "", "/en/payment/monthly/?survey=true")).toBe("/en/payment/monthly/?survey=true");
    expect(go("signUp", "")).toBe("/en/success-page/");
  });

  it("knows an order under both its names", () => {
    expect(orderIdOf(new URLSearchParams("orderId=2&orderid=1"))).toBe("1");
    expect(orderIdOf(new URLSearchParams("orderId=2"))).toBe("2");
    expect(orderIdOf(new URLSearchParams())).toBeNull();
  });
});

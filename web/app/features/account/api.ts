import { knownCountry } from "~/lib/country";
import { type Answer, postJson } from "~/lib/http/request";
import type { Locale } from "~/lib/locale";
import type { User } from "~/lib/session/session";
import { orderIdOf } from "~/lib/survey/order-id";
import type { Draft, Mode } from "./form/validate";

export interface SignedInBody {
  user: User;
  redirectPage: string | null;
}

/** Locale and query of the page with the form. */
export interface FormContext {
  locale: Locale;
  query: URLSearchParams;
}

/** The same key for the same attempt, so that a lost answer does not make the resend fail. */
export type Send<Value> = (draft: Draft, idempotencyKey: string) => Promise<Answer<Value>>;

/** The specified payload of a sign-up by e-mail alone; the server never uses it as a password. */
export const NO_NAME = "User";
export const NO_PASSWORD = "placeholder";

export const actions = {
  signUp: "/api/auth/register",
  signIn: "/api/auth/login",
  secondStep: "/api/account/second-factor/verify",
  emailSignup: "/api/auth/email-signup",
  forgotPassword: "/api/auth/forgot-password",
  resetPassword: "/api/auth/reset-password",
  endSession: "/api/account/sessions/end",
} as const;

export function sendAccount(mode: Mode, context: FormContext): Send<SignedInBody> {
  const path = withRedirect(actions[mode], context.query);
  return ({ name, email, password }, key) => {
    const credentials = { email: email.trim(), password };
    if (mode === "signIn") return postJson(path, { body: credentials });
    const person = { name: name.trim(), lang: context.locale, country: knownCountry() };
    return postJson(path, { body: { ...person, ...credentials, ...order(context.query) }, headers: once(key) });
  };
}

export interface SecondStepAnswer {
  challenge: string;
  code: string;
}

export function sendSecondStep(body: SecondStepAnswer, query: URLSearchParams): Promise<Answer<SignedInBody>> {
  return postJson(withRedirect(actions.secondStep, query), { body });
}

export function sendEmailSignup({ locale, query }: FormContext): Send<SignedInBody> {
  const path = withRedirect(actions.emailSignup, query);
  return ({ email }, key) => {
    const body = { email: email.trim(), lang: locale, name: NO_NAME, password: NO_PASSWORD, ...order(query) };
    return postJson(path, { body, headers: once(key) });
  };
}

export function sendForgotPassword(lang: Locale): Send<null> {
  return ({ email }) => postJson(actions.forgotPassword, { body: { email: email.trim(), lang } });
}

export function sendNewPassword(token: string): Send<null> {
  return ({ password }) => postJson(actions.resetPassword, { body: { token, password } });
}

export function sendEndSession(token: string): Promise<Answer<null>> {
  return postJson(actions.endSession, { body: { token } });
}

const once = (key: string) => ({ "idempotency-key": key });

function order(query: URLSearchParams) {
  const orderid = orderIdOf(query);
  return orderid ? { orderid } : {};
}

/** The gateway decides whether the target is allowed. */
function withRedirect(path: string, query: URLSearchParams): string {
  const redirectPage = query.get("redirectPage");
  return redirectPage === null ? path : `${path}?${new URLSearchParams({ redirectPage: redirectPage })}`;
}

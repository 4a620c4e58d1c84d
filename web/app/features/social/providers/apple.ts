/** Sign in with Apple, in Apple's window. */
import { loadGlobal } from "~/lib/browser/load-script";
import type { Locale } from "~/lib/locale";
import { uuid } from "~/lib/random";
import type { ProviderSettings } from "~/lib/social";
import { claimsOf } from "./claims";
import { CANCELLED, failed, type ProviderResult } from "./provider-result";
import { scriptLocale } from "./script-locale";

interface AppleAnswer {
  authorization: { id_token: string; state?: string };
  /** Only on the first sign-in. */
  user?: { name?: { firstName?: string; lastName?: string } };
}

interface AppleAuth {
  init: (config: Record<string, string | boolean>) => void;
  signIn: () => Promise<AppleAnswer>;
}

declare global {
  interface Window {
    AppleID?: { auth: AppleAuth };
  }
}

export interface AppleRequest {
  clientId: string;
  nonce: string;
  locale: Locale;
}

const CANCELS = ["popup_closed_by_user", "user_cancelled_authorize", "user_trigger_new_signin_flow"];
const BLOCKED = "popup_blocked_by_browser";

/** Names from earlier attempts: Apple sends the name only once. */
const knownNames = new Map<string, string>();

export async function openApple({ scriptUrl }: ProviderSettings, locale: Locale): Promise<AppleAuth> {
  const language = scriptLocale(locale, { az: "en_US", ar: "ar_SA" });
  const defaultUrl = `https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/${language}/appleid.auth.js`;
  return loadGlobal(scriptUrl ?? defaultUrl, () => window.AppleID?.auth);
}

/** Returns the state that Apple must send back. */
export function initApple(auth: AppleAuth, { clientId, nonce }: AppleRequest): string {
  const state = uuid();
  const redirectURI = `${location.origin}/`;
  auth.init({ clientId, scope: "name email", redirectURI, state, nonce, usePopup: true });
  return state;
}

export async function requestAppleSignIn(auth: AppleAuth, visit: AppleRequest): Promise<ProviderResult> {
  const state = initApple(auth, visit);
  let answer: AppleAnswer;
  try {
    answer = await auth.signIn();
  } catch (fault) {
    return refusal(fault);
  }
  const { id_token: token, state: returned } = answer.authorization;
  if (returned !== state) return failed("refused");
  const { sub = "", email = "" } = claimsOf(token);
  const { firstName = "", lastName = "" } = answer.user?.name ?? {};
  const name = `${firstName} ${lastName}`.trim() || knownNames.get(sub);
  if (name) knownNames.set(sub, name);
  return {
    kind: "payload",
    payload: { lang: visit.locale, email, appleID: sub, token, ...(name ? { name } : {}) },
  };
}

function refusal(fault: unknown): ProviderResult {
  const code = typeof fault === "object" && fault !== null && "error" in fault ? String(fault.error) : "";
  if (CANCELS.includes(code)) return CANCELLED;
  return failed(code === BLOCKED ? "blocked" : "unavailable");
}

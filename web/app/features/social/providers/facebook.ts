/** Facebook Login, in Facebook's window. */
import { loadGlobal } from "~/lib/browser/load-script";
import type { Locale } from "~/lib/locale";
import type { ProviderSettings } from "~/lib/social";
import { CANCELLED, failed, type ProviderResult } from "./provider-result";
import { scriptLocale } from "./script-locale";

interface LoginAnswer {
  status: string;
  authResponse: { accessToken: string; userID: string } | null;
}

interface Person {
  name?: string;
  email?: string;
  error?: { code?: number };
}

interface FacebookSdk {
  init: (config: Record<string, string | boolean>) => void;
  login: (done: (answer: LoginAnswer) => void, options: Record<string, string>) => void;
  api: (path: string, parameters: Record<string, string>, done: (person: Person) => void) => void;
}

declare global {
  interface Window {
    FB?: FacebookSdk;
  }
}

const GRAPH_VERSION = "v24.0";
const SCOPE = "public_profile,email";
/** Facebook's code for an invalid token. */
const TOKEN_INVALID = 190;

/** Set when the address was withheld: Facebook asks again only on request. */
let isEmailMissing = false;

export function rerequestEmail(): void {
  isEmailMissing = true;
}

export async function openFacebook({ clientId, scriptUrl }: ProviderSettings, locale: Locale): Promise<FacebookSdk> {
  const language = scriptLocale(locale, { ar: "ar_AR", es: "es_LA" });
  const defaultUrl = `https://connect.facebook.net/${language}/sdk.js`;
  const facebook = await loadGlobal(scriptUrl ?? defaultUrl, () => window.FB);
  // No cookie, no rendering and no automatic sign-in.
  facebook.init({ appId: clientId, version: GRAPH_VERSION, cookie: false, xfbml: false, status: false });
  return facebook;
}

export async function requestFacebookSignIn(facebook: FacebookSdk): Promise<ProviderResult> {
  const { status, authResponse } = await new Promise<LoginAnswer>((done) => {
    facebook.login(done, { scope: SCOPE, ...(isEmailMissing ? { auth_type: "rerequest" } : {}) });
  });
  if (status !== "connected" || !authResponse) return CANCELLED;
  const { accessToken: token, userID: facebookID } = authResponse;
  const person = await new Promise<Person>((done) => facebook.api("/me", { fields: "name,email" }, done));
  if (person.error) return failed(person.error.code === TOKEN_INVALID ? "refused" : "unavailable");
  return { kind: "payload", payload: { name: person.name ?? "", email: person.email ?? "", facebookID, token } };
}

import { type Answer, NETWORK_FAILURE, type Problem, postJson } from "~/lib/http/request";
import type { Locale } from "~/lib/locale";
import { uuid } from "~/lib/random";
import type { User } from "~/lib/session/session";
import type { Provider } from "~/lib/social";
import { orderIdOf } from "~/lib/survey/order-id";
import type { Fault, Payload } from "./providers/provider-result";

export interface SignedIn {
  user: User;
  redirectPage: string | null;
}

/** Allows for the provider's network and ours. */
const TIMEOUT_MS = 30_000;

/** Locale and query of the page. The payloads are fully specified, so further values go into the query. */
export interface SignInContext {
  lang: Locale;
  search: string;
  /** The page has not asked for the consents that a sign-up needs: no account is created. */
  existingOnly: boolean;
}

export function sendPayload(provider: Provider, payload: Payload, context: SignInContext): Promise<Answer<SignedIn>> {
  return postJson(`/api/auth/social/${provider}?${queryOf(context)}`, {
    body: payload,
    headers: { "idempotency-key": uuid() },
    timeoutMs: TIMEOUT_MS,
  });
}

export interface PasswordProof {
  email: string;
  password: string;
  lang: string;
  /** The provider whose identity is linked. */
  joinProvider: Provider;
}

/** The account's password authorises linking the social identity that waits in this browser. */
export function sendPasswordProof(proof: PasswordProof, search: string): Promise<Answer<SignedIn>> {
  return postJson(`/api/auth/login${redirectQuery(search)}`, { body: proof });
}

function queryOf({ lang, search, existingOnly }: SignInContext): URLSearchParams {
  const query = new URLSearchParams(search);
  const redirectPage = query.get("redirectPage");
  const orderid = orderIdOf(query);
  return new URLSearchParams({
    ...(redirectPage === null ? {} : { redirectPage }),
    ...(orderid ? { orderid } : {}),
    ...(existingOnly ? { existingOnly: "true" } : {}),
    lang,
  });
}

function redirectQuery(search: string): string {
  const page = new URLSearchParams(search).get("redirectPage");
  return page === null ? "" : `?${new URLSearchParams({ redirectPage: page })}`;
}

const FAULTS: Record<string, Fault> = {
  SOCIAL_TOKEN_INVALID: "refused",
  SOCIAL_EMAIL_MISSING: "emailMissing",
  SOCIAL_EMAIL_UNVERIFIED: "emailUnverified",
  SOCIAL_ACCOUNT_MISSING: "accountMissing",
  SOCIAL_UNAVAILABLE: "unavailable",
  [NETWORK_FAILURE]: "network",
};

export function faultOf({ code, status }: Problem): Fault {
  return FAULTS[code] ?? (status === 429 ? "tooMany" : "generic");
}

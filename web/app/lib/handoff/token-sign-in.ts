/** Signs a visitor in with the token of the URL, once, unless a block of the page uses it. */
import { track } from "../analytics";
import { postJson } from "../http/request";
import { signUpUrl } from "../links/sign-up-url";
import { localeOf } from "../locale";
import { fetchAnsweredSession, type RawUser, setMember, setSession } from "../session/session";
import { clearUrlToken } from "../session/url-token";
import { storeTokenSignIn } from "./token-sign-in-result";

interface Validated {
  data: RawUser | null;
  error_code: string | number | null;
  /** The browser had a session of the same member, which stays. */
  already_signed_in?: boolean;
  redirectPage?: string | null;
}

/** Expired or already used. */
const EXPIRED = "2";

const BLOCKS_WITH_OWN_TOKEN = ["AccountLink", "EndSession", "ForgotPassword", "GympassPage", "RegisterBusinessUser"];

export async function signInWithToken(token: string): Promise<void> {
  if (BLOCKS_WITH_OWN_TOKEN.some((kind) => document.querySelector(`[data-kind=${kind}]`))) return;
  const answer = await postJson<Validated>(`/validate-token${redirectQuery()}`, { body: { token } });
  clearUrlToken();
  if (!answer.ok) return console.warn("Token validation failed:", answer.problem.code);
  const { data, error_code, already_signed_in, redirectPage } = answer.value;
  if (data) {
    setMember(data);
    if (!already_signed_in) track("auto_signin");
    return storeTokenSignIn({ redirectPage: redirectPage ?? null, pathname: location.pathname });
  }
  if (await isAlreadyMember()) return;
  if (String(error_code) === EXPIRED) return leaveForSignUp();
  setSession({ state: "visitor" });
}

/** The gateway decides whether the target is allowed. */
function redirectQuery(): string {
  const redirectPage = new URLSearchParams(location.search).get("redirectPage");
  return redirectPage === null ? "" : `?${new URLSearchParams({ redirectPage: redirectPage })}`;
}

/** An invalid token does not end an existing session. */
async function isAlreadyMember(): Promise<boolean> {
  return (await fetchAnsweredSession({ anew: true })).state === "member";
}

/** Never settles, so that nothing on the page acts on the session any more. */
function leaveForSignUp(): Promise<void> {
  const { pathname, search } = location;
  location.replace(signUpUrl(localeOf(pathname), pathname, new URLSearchParams(search)));
  return new Promise(() => undefined);
}

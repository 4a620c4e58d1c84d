/** Somebody arrives with a token. It opens their session, once, unless a block of the page has a use of its own for it. */
import { track } from "../analytics";
import { postJson } from "../http/request";
import { signUpUrl } from "../links/sign-up-url";
import { localeOf } from "../locale";
import { askSession, type SpelledUser, setSession, signedIn } from "../session/session";
import { forgetToken } from "../session/url-token";
import { keepArrival } from "./token-sign-in-result";

interface Validated {
  data: SpelledUser | null;
  error_code: string | number | null;
  redirectPage?: string | null;
}

/** It came too late or was used already. */
const EXPIRED = "2";

const OWN_USES = ["AccountLink", "ForgotPassword", "GympassPage", "RegisterBusinessUser"];

export async function land(token: string): Promise<void> {
  if (OWN_USES.some((kind) => document.querySelector(`[data-kind=${kind}]`))) return;
  const answer = await postJson<Validated>(`/validate-token${wish()}`, { body: { token } });
  forgetToken();
  if (!answer.ok) return console.warn("A token could not be looked at:", answer.problem.code);
  const { data, error_code, redirectPage } = answer.value;
  if (data) {
    signedIn(data);
    track("auto_signin");
    return keepArrival({ redirectPage: redirectPage ?? null, pathname: location.pathname });
  }
  if (await isMemberAnyway()) return;
  if (String(error_code) === EXPIRED) return leaveForSignUp();
  setSession({ state: "visitor" });
}

/** The gateway alone judges where it may lead. */
function wish(): string {
  const wanted = new URLSearchParams(location.search).get("redirectPage");
  return wanted === null ? "" : `?${new URLSearchParams({ redirectPage: wanted })}`;
}

/** A token that is none does not end the session that the browser has. */
async function isMemberAnyway(): Promise<boolean> {
  return (await askSession({ anew: true })).state === "member";
}

/** Never settles: nothing on the page is to act on who is here any more. */
function leaveForSignUp(): Promise<void> {
  const { pathname, search } = location;
  location.replace(signUpUrl(localeOf(pathname), pathname, new URLSearchParams(search)));
  return new Promise(() => undefined);
}

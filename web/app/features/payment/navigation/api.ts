import { getJson, postJson } from "~/lib/http/request";
import { resolveRedirect } from "~/lib/links/resolve-redirect";

/**
 * The allowed target of `soul_redirection_url`; null: none. If the grant fails, the payment still counts and its
 * webhook grants the access.
 */
export async function grantTemporaryPremium(language: string, requestedUrl: string): Promise<string | null> {
  const query = new URLSearchParams({ subscriptionType: "soul", soul_redirection_url: requestedUrl });
  const answer = await getJson<{ redirectUrl: string | null }>(`/users/temporary-premium?${query}`, { lang: language });
  return answer.ok ? answer.value.redirectUrl : resolveRedirect("soul_redirection_url", requestedUrl);
}

/** A single-use token for the therapy app, valid for minutes; null on errors. */
export async function fetchTherapyToken(): Promise<string | null> {
  const answer = await postJson<{ token: string }>("/api/auth/handoff-tokens", { body: { purpose: "therapy" } });
  return answer.ok ? answer.value.token : null;
}

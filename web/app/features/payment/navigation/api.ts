import { getJson, postJson } from "~/lib/http/request";
import { resolveRedirect } from "~/lib/links/resolve-redirect";

/**
 * Answers where `soul_redirection_url` leads; null: nowhere. Nothing granted keeps nobody here: the payment stands either way,
 * and what it grants comes with the word of it.
 */
export async function grantTemporaryPremium(language: string, requestedUrl: string): Promise<string | null> {
  const query = new URLSearchParams({ subscriptionType: "soul", soul_redirection_url: requestedUrl });
  const answer = await getJson<{ redirectUrl: string | null }>(`/users/temporary-premium?${query}`, { lang: language });
  return answer.ok ? answer.value.redirectUrl : resolveRedirect("soul_redirection_url", requestedUrl);
}

/** A token for the therapy app, minutes long and good once; null where none is to be had. */
export async function fetchTherapyToken(): Promise<string | null> {
  const answer = await postJson<{ token: string }>("/api/auth/handoff-tokens", { body: { purpose: "therapy" } });
  return answer.ok ? answer.value.token : null;
}

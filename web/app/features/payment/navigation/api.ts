import { getJson, postJson } from "~/lib/http/request";
import { askRedirect } from "~/lib/redirects";

/**
 * Answers where `soul_redirection_url` leads; null: nowhere. Nothing granted keeps nobody here: the payment stands either way,
 * and what it grants comes with the word of it.
 */
export async function grantTemporaryPremium(language: string, wanted: string): Promise<string | null> {
  const query = new URLSearchParams({ subscriptionType: "soul", soul_redirection_url: wanted });
  const answer = await getJson<{ redirectUrl: string | null }>(`/users/temporary-premium?${query}`, { lang: language });
  return answer.ok ? answer.value.redirectUrl : askRedirect("soul_redirection_url", wanted);
}

/** A token for the therapy app, minutes long and good once; null where none is to be had. */
export async function therapyToken(): Promise<string | null> {
  const answer = await postJson<{ token: string }>("/api/auth/handoff-tokens", { body: { purpose: "therapy" } });
  return answer.ok ? answer.value.token : null;
}

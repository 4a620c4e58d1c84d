import { getJson } from "../http/request";

export type RedirectParameter = "redirectPage" | "nextPage" | "soul_redirection_url" | "url";

/** The gateway's allowed target of a redirect parameter; null: not allowed, or no response. */
export async function resolveRedirect(parameter: RedirectParameter, to: string): Promise<string | null> {
  const answer = await getJson<{ to: string | null }>(`/api/redirects?${new URLSearchParams({ parameter, to })}`);
  return answer.ok ? answer.value.to : null;
}

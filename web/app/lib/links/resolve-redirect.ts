import { getJson } from "../http/request";

export type RedirectParameter = "redirectPage" | "nextPage" | "soul_redirection_url" | "url";

/** Where a parameter of the address leads, as the gateway decides; null: nowhere, also when it does not answer. */
export async function resolveRedirect(parameter: RedirectParameter, to: string): Promise<string | null> {
  const answer = await getJson<{ to: string | null }>(`/api/redirects?${new URLSearchParams({ parameter, to })}`);
  return answer.ok ? answer.value.to : null;
}

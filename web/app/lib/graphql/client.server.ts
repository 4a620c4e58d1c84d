import type { TypedDocumentString } from "~/gen/graphql";
import { settings } from "../server/settings.server";

const TIMEOUT_MS = 5_000;

export class ContentUnavailable extends Error {
  override name = "ContentUnavailable";
}

interface GraphqlBody<Data> {
  data?: Data | null;
  errors?: { message: string }[];
}

/**
 * Sends one query to the gateway. Throws `ContentUnavailable` unless the answer is complete. With the `token` of a
 * preview link the gateway returns the draft of one page.
 */
export async function query<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  token: string | null = null,
): Promise<Data> {
  const { graphqlUrl, contentReadToken } = settings();
  const response = await fetch(graphqlUrl, {
    method: "POST",
    headers: {
      accept: "application/graphql-response+json, application/json",
      authorization: `Bearer ${token ?? contentReadToken}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ query: document.toString(), variables }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new ContentUnavailable("The gateway did not answer the page query", { cause });
  });
  const body = (await response.json().catch(() => ({}))) as GraphqlBody<Data>;
  if (!response.ok || !body.data || body.errors?.length) {
    const reason = body.errors?.map((error) => error.message).join("; ") ?? `HTTP ${response.status}`;
    throw new ContentUnavailable(`The page query failed: ${reason}`);
  }
  return body.data;
}

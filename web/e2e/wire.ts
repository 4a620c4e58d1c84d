/** What goes between a page and the servers behind it. */
import type { Page, Request, Route } from "@playwright/test";
import { sandboxUrl } from "./stillpoint.ts";

/** The browser's own lines about a card that was declined, and a script that a test withholds. */
export const refusedOrWithheld = /status of 402|net::ERR_FAILED/;

interface Asked {
  path: string;
  body: Record<string, string>;
  key: string | undefined;
}

/** What the page asks our server, from now on. */
export function listen(page: Page) {
  const asked: Asked[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "POST" || !pathname.startsWith("/api/")) return;
    const isForm = request.headers()["content-type"]?.includes("form-urlencoded");
    const text = request.postData() ?? "{}";
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
    asked.push({ path: pathname, body, key: request.headers()["idempotency-key"] });
  });
  return { to: (path: string) => asked.filter((one) => one.path === path) };
}

/** What is asked of the gateway, in order. */
export function calls(page: Page, wanted: RegExp): Request[] {
  const seen: Request[] = [];
  page.on("request", (request) => {
    if (wanted.test(new URL(request.url()).pathname)) seen.push(request);
  });
  return seen;
}

interface Intent {
  id: string;
  object: string;
  status: string;
  setup_future_usage: string | null;
}

/** The provider's word on what was opened by the answers that came to this page. */
export function intents(page: Page) {
  const secrets = new Set<string>();
  page.on("response", async (response) => {
    if (!/create-intent|create-payment-intent|addition\/confirm/.test(response.url())) return;
    const { clientSecret } = await response.json().catch(() => ({ clientSecret: null }));
    if (clientSecret) secrets.add(clientSecret);
  });
  return {
    count: () => secrets.size,
    all: () =>
      Promise.all(
        [...secrets].map(async (secret) => {
          const id = secret.split("_secret")[0];
          const address = `${sandboxUrl}/stripe/v1/payment_intents/${id}?client_secret=${secret}`;
          const answer = await page.request.get(address, { headers: { authorization: "Bearer pk_test_stillpoint" } });
          return (await answer.json()) as Intent;
        }),
      ),
  };
}

/** Answers in the place of a server, and leaves all that follows to it. */
export async function once(page: Page, url: string, answer: (route: Route) => Promise<void>) {
  await page.route(url, answer, { times: 1 });
}

/** What goes between a page and the servers behind it. */
import { createHmac } from "node:crypto";
import type { BrowserContext, Page, Request, Response, Route } from "@playwright/test";
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

const OPENS = /\/api\/(create-subscription-fixed|(one-time\/)?create-[a-z-]*intent|addition\/confirm)$/;

/** The provider's word on what was opened by the answers that came to this page, or to all of a browser's. */
export function intents(source: Page | BrowserContext) {
  const secrets = new Set<string>();
  const listening: { on: (event: "response", listener: (response: Response) => void) => void } = source;
  listening.on("response", async (response) => {
    if (!OPENS.test(new URL(response.url()).pathname)) return;
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
          const answer = await source.request.get(address, { headers: { authorization: "Bearer pk_test_stillpoint" } });
          return (await answer.json()) as Intent;
        }),
      ),
  };
}

interface Listed<Thing> {
  data: Thing[];
}

/** The number of charges at the card provider for this e-mail address. */
export async function chargesOf(context: BrowserContext, email: string): Promise<number> {
  const ask = async <Thing>(path: string, params: Record<string, string>) => {
    const headers = { authorization: "Bearer sk_test_stillpoint" };
    const answer = await context.request.get(`${sandboxUrl}/stripe/v1/${path}`, { headers, params });
    return ((await answer.json()) as Listed<Thing>).data;
  };
  const customers = await ask<{ id: string }>("customers", { email });
  const lists = await Promise.all(customers.map(({ id }) => ask<Intent>("payment_intents", { customer: id })));
  return lists.flat().filter(({ status }) => status === "succeeded").length;
}

interface Logged {
  params: { payment_method_options?: { card?: { network?: string } } };
}

/** What arrived at the provider of what this browser asked it to confirm. */
export function confirmations(context: BrowserContext) {
  const paths: string[] = [];
  context.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/\/stripe\/v1\/\w+\/\w+\/confirm$/.test(pathname)) paths.push(pathname);
  });
  const arrived = async (path: string) => {
    const answer = await context.request.get(`${sandboxUrl}/sandbox/requests`, { params: { method: "POST", path } });
    return ((await answer.json()) as Logged[]).reverse();
  };
  return {
    /** Of each call, the network that was chosen. */
    async networks() {
      const calls = await Promise.all([...new Set(paths)].map(arrived));
      return calls.flat().map(({ params }) => params.payment_method_options?.card?.network);
    },
  };
}

/** Answers in the place of a server, and leaves all that follows to it. */
export async function once(page: Page, url: string, answer: (route: Route) => Promise<void>) {
  await page.route(url, answer, { times: 1 });
}

/** Holds calls back until `release`: simulates slow servers. */
export async function hold(page: Page, url: RegExp) {
  const gate = Promise.withResolvers<void>();
  const held: string[] = [];
  await page.route(url, async (route) => {
    held.push(new URL(route.request().url()).pathname);
    await gate.promise;
    await route.continue();
  });
  return { held, release: () => gate.resolve() };
}

/** Checkout's default key for signing quotes. */
const quoteKey = (process.env.CHECKOUT_QUOTE_KEYS ?? "stillpoint-quotes-in-development").split(",")[0] ?? "";
const MAC_BYTES = 32;
const HOUR_SECS = 60 * 60;

/** The same quote as our server would have signed it an hour earlier: whole, its own, and over for half an hour. */
export function aged(quote: string): string {
  const fields = JSON.parse(Buffer.from(quote, "base64url").subarray(MAC_BYTES).toString("utf8")) as unknown[];
  fields.push(Number(fields.pop()) - HOUR_SECS);
  const body = Buffer.from(JSON.stringify(fields));
  const mac = createHmac("sha256", quoteKey).update("stillpoint quote 1\n").update(body).digest();
  return Buffer.concat([mac, body]).toString("base64url");
}

/** The next offer of the page is an hour old. */
export async function ageNextOffer(page: Page) {
  await page.route(
    /\/api\/web-campaign(-landing)?$/,
    async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      await route.fulfill({ response, json: { ...rest, data: { ...data, quote: aged(data.quote) } } });
    },
    { times: 1 },
  );
}

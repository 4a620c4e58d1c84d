import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { smoke } from "../support/passes.ts";
import { alive, baseUrl, expect, expectAccessible, test, visit } from "../support/stillpoint.ts";

const PATH = "/v1/external/chats/ai";

interface Call {
  key: string;
  lastEventId: string | undefined;
  body: string;
}

/** A network between the page and Stillpoint whose first connections break in the middle of the text. */
async function breakingNetwork(page: Page, cuts: number) {
  const calls: Call[] = [];
  const network = createServer((incoming, outgoing) => {
    const call: Call = {
      key: String(incoming.headers["idempotency-key"]),
      lastEventId: incoming.headers["last-event-id"] as string | undefined,
      body: "",
    };
    const isCut = calls.push(call) <= cuts;
    // As they would be without the detour.
    const headers = { ...incoming.headers, host: new URL(baseUrl).host, "sec-fetch-site": "same-origin" };
    const onward = ask(`${baseUrl}${PATH}`, { method: "POST", headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      let events = 0;
      answer.on("data", (bytes: Buffer) => {
        outgoing.write(bytes);
        events += bytes.toString().split("\n\n").length - 1;
        if (isCut && events > 8) {
          onward.destroy();
          // What was said arrives, and its end does not.
          outgoing.socket?.destroySoon();
        }
      });
      answer.on("end", () => outgoing.end());
      answer.on("error", () => outgoing.destroy());
    });
    onward.on("error", () => outgoing.destroy());
    incoming.on("data", (bytes: Buffer) => {
      call.body += bytes.toString();
      onward.write(bytes);
    });
    incoming.on("end", () => onward.end());
  });
  await new Promise<void>((resolve) => network.listen(0, "127.0.0.1", resolve));
  const { port } = network.address() as AddressInfo;
  await page.route(`**${PATH}`, (route) => route.continue({ url: `http://127.0.0.1:${port}${PATH}` }));
  return { calls, close: () => network.close() };
}

async function askFor(page: Page, question: string) {
  const button = page.getByRole("button", { name: "Read what it may mean" });
  await alive(button);
  await page.getByRole("textbox").fill(question);
  await button.click();
}

const reply = (page: Page) => page.getByRole("region", { name: "The reply" });

const isComplete = (page: Page) =>
  expect(page.getByRole("status").filter({ hasText: "The reply is complete." })).toHaveCount(1);

/** The text of a stream of events. */
function textOf(events: string): string {
  return events
    .split("\n\n")
    .filter((event) => event.includes("data:") && !event.includes("event:"))
    .map((event) => {
      const lines = event.split("\n").filter((line) => line.startsWith("data: "));
      return lines.map((line) => line.slice("data: ".length)).join("\n");
    })
    .join("");
}

test("a person asks, sees that an AI writes, and reads a growing text", smoke, async ({ page }) => {
  await visit(page, "/en/love-language/");
  await expect(page.getByText("The reply is written by an AI")).toBeVisible();
  await expect(page.getByRole("heading", { name: "If you want to go on from here" })).toHaveCount(0);

  await askFor(page, `A walk home with my sister, ${Date.now()}`);
  await expect(page.getByRole("status").filter({ hasText: "The AI is writing." })).toHaveCount(1);
  await expect(reply(page)).toContainText("describe");
  const early = (await reply(page).textContent()) ?? "";
  await isComplete(page);
  expect(((await reply(page).textContent()) ?? "").length).toBeGreaterThan(early.length);
  await expect(page.getByRole("heading", { name: "If you want to go on from here" })).toBeVisible();
  await expect(page.getByAltText("Two lotus flowers on one stem")).toBeVisible();
  await expectAccessible(page);
});

test.describe("on a network that breaks", () => {
  test.use({ expected: /net::ERR_/ });

  test("a person reads the same text as if it had not", async ({ page, request }) => {
    const network = await breakingNetwork(page, 2);
    await visit(page, "/en/love-language/");
    await askFor(page, `We were on the phone until late, ${Date.now()}`);
    await isComplete(page);
    network.close();

    const { calls } = network;
    expect(calls).toHaveLength(3);
    expect(calls[0]?.lastEventId).toBeUndefined();
    for (const { lastEventId } of calls.slice(1)) expect(lastEventId).toMatch(/^air_[0-9a-f]{32}\.\d+$/);
    expect(new Set(calls.map(({ key }) => key)).size).toBe(1);

    const whole = await request.post(PATH, {
      headers: { "content-type": "application/json", "idempotency-key": calls[0]?.key ?? "" },
      data: calls[0]?.body,
    });
    const text = textOf(await whole.text());
    expect(text.length).toBeGreaterThan(200);
    const shown = reply(page).locator("[dir=auto]");
    expect(await shown.evaluate((node) => node.textContent)).toBe(text);
  });
});

test("a person stops a text and asks for it anew", async ({ page }) => {
  await visit(page, "/en/love-language/");
  await askFor(page, `He made tea before I was up, ${Date.now()}`);
  await expect(reply(page)).toContainText("describe");
  await page.getByRole("button", { name: "Stop" }).click();
  const stopped = (await reply(page).locator("[dir=auto]").textContent()) ?? "";
  await expect(page.getByRole("heading", { name: "If you want to go on from here" })).toBeVisible();

  await page.getByRole("button", { name: "Ask again" }).click();
  await isComplete(page);
  const whole = (await reply(page).locator("[dir=auto]").textContent()) ?? "";
  expect(whole.startsWith(stopped.trim())).toBe(true);
  expect(whole.length).toBeGreaterThan(stopped.length);
});

// By language in `helplines.rs`.
test("a person in distress is shown where help is, above the reply", async ({ page }) => {
  await visit(page, "/en/love-language/");
  await askFor(page, "I do not want to live any more");

  const card = page.getByRole("main").getByRole("alert");
  await expect(card.locator('a[href^="tel:988"]').first()).toBeVisible();
  await expect(card.locator('a[href="https://findahelpline.com"]')).toBeVisible();
  const text = page.getByRole("main").locator("[dir=auto][aria-busy=false]");
  await expect(text).toBeVisible();
  const [above, below] = [await card.boundingBox(), await text.boundingBox()];
  expect(above?.y ?? 0).toBeLessThan(below?.y ?? 0);
  await expectAccessible(page);
});

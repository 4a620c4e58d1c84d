import type { BrowserContext, Page } from "@playwright/test";
import { mailedLink } from "../support/mail.ts";
import { join, type Member } from "../support/member.ts";
import { desktop, smoke } from "../support/passes.ts";
import { alive, expect, expectAccessible, footer, test } from "../support/stillpoint.ts";

/** The account page, and the header before and after hydration: no frame shows another member, or a member as a visitor. */

const main = (page: Page) => page.getByRole("main");
const banner = (page: Page) => page.getByRole("banner");
const account = (page: Page) => banner(page).getByRole("button", { name: "Your account" });
const wayIn = (page: Page) => main(page).getByRole("link", { name: "Sign in" });

async function signIn(context: BrowserContext, { email, password }: Member) {
  const answer = await context.request.post("/api/auth/login", { data: { email, password } });
  expect(answer.status()).toBe(200);
}

async function openAccount(page: Page, path = "/en/profile/") {
  await page.goto(path);
  await alive(main(page).locator("form"));
}

interface Seen {
  /** Frames with a header in which the account could be seen, and in which it could not. */
  member: number;
  visitor: number;
  /** Frames with a link to sign in that could be seen. */
  signIn: number;
}

declare global {
  interface Window {
    seen: Seen;
  }
}

/** Observes every frame and every change from the first on. */
function watchHeader() {
  const seen: Seen = { member: 0, visitor: 0, signIn: 0 };
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  const look = () => {
    const header = document.querySelector("header");
    if (!header?.querySelector("[popovertarget]") || document.readyState === "loading") return;
    const isMember = [...header.querySelectorAll("button:has(use[href$='#person'])")].some(isShown);
    seen[isMember ? "member" : "visitor"] += 1;
    if ([...header.querySelectorAll("a[href$='/signin/']")].some(isShown)) seen.signIn += 1;
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
  const everyFrame = () => {
    look();
    requestAnimationFrame(everyFrame);
  };
  requestAnimationFrame(everyFrame);
  window.seen = seen;
}

/** The page is hydrated and has loaded the session. */
async function settled(page: Page) {
  await alive(footer(page).getByRole("button").first());
  await page.waitForLoadState("networkidle");
}

const PACES = [
  { pace: "at once", delayMs: 0 },
  { pace: "late", delayMs: 400 },
];

for (const { pace, delayMs } of PACES) {
  test.describe(`when scripts come ${pace}`, () => {
    test.beforeEach(async ({ page }) => {
      await page.addInitScript(watchHeader);
      await page.route("**/assets/*.js", async (route) => {
        await new Promise((done) => setTimeout(done, delayMs));
        await route.continue();
      });
    });

    test(
      "a member reloads and no frame shows them as a visitor",
      desktop("sign-in link and account button in the bar"),
      async ({ page, context }) => {
        await join(context);
        for (const path of ["/en/", "/ar/", "/en/profile/"]) {
          await page.goto(path);
          await settled(page);
          const seen = await page.evaluate(() => window.seen);
          expect({ path, ...seen, member: seen.member > 0 }).toEqual({ path, member: true, visitor: 0, signIn: 0 });
        }
      },
    );

    test("a visitor never sees an account", async ({ page }) => {
      await page.goto("/en/");
      await settled(page);
      const seen = await page.evaluate(() => window.seen);
      expect({ ...seen, visitor: seen.visitor > 0 }).toMatchObject({ member: 0, visitor: true });
    });
  });
}

test("a member reaches the account before any script has run", async ({ browser, baseURL }) => {
  const context = await browser.newContext(baseURL ? { baseURL } : {});
  const page = await context.newPage();
  await join(context);
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto("/en/");
  await account(page).click();
  await banner(page).getByRole("link", { name: "Your account" }).click();
  await expect(page).toHaveURL(/\/en\/profile\/$/);
  await expect(main(page).getByRole("status").filter({ hasText: "Loading your account" })).toBeVisible();
  await expect(wayIn(page)).toBeHidden();
  await context.close();
});

test("a member whose session ended elsewhere is a visitor again", async ({ page, context }) => {
  await join(context);
  const [session] = (await context.cookies()).filter(({ name }) => name === "stillpoint_session");
  expect(session?.httpOnly).toBe(true);
  await context.addCookies([{ ...session, name: "stillpoint_session", value: "over" } as NonNullable<typeof session>]);
  await page.goto("/en/profile/");
  await expect(wayIn(page)).toBeVisible();
  await expect(account(page)).toBeHidden();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain("stillpoint_member");
});

test(
  "a member opens the menu of the account and leaves by it",
  desktop("the menu below a button with a name"),
  async ({ page, context }) => {
    const { name, email } = await join(context);
    await page.goto("/en/");
    await settled(page);
    await account(page).click();
    await expect(banner(page).getByText(name).filter({ visible: true })).toBeVisible();
    await expect(banner(page).getByText(email).filter({ visible: true })).toBeVisible();
    await expectAccessible(page);
    await banner(page).getByRole("button", { name: "Sign out" }).click();
    await expect(account(page)).toBeHidden();
    const session = await page.request.get("/api/auth/session");
    expect(await session.json()).toMatchObject({ logged_in: false });
  },
);

test("a visitor gets a sign-in link and returns after signing in", async ({ page, context }) => {
  const member = await join(context);
  await context.clearCookies();
  await page.goto("/en/profile/");
  await expectAccessible(page);
  await expect(wayIn(page)).toHaveAttribute("href", "/en/signin/?redirectPage=%2Fen%2Fprofile%2F");
  await wayIn(page).click();
  const form = page.getByRole("tabpanel");
  await alive(form.getByRole("textbox", { name: "E-mail" }));
  await form.getByRole("textbox", { name: "E-mail" }).fill(member.email);
  await form.getByLabel("Password", { exact: true }).fill(member.password);
  await form.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/en\/profile\/$/);
  await expect(main(page).getByLabel("E-mail", { exact: true })).toHaveValue(member.email);
});

test("a member changes name, address and password, and signs in with them", async ({ page, context }) => {
  const before = await join(context);
  await openAccount(page);
  const field = (label: string) => main(page).getByLabel(label, { exact: true });
  await expect(field("E-mail")).toHaveValue(before.email);
  await expect(field("Name")).toHaveValue(before.name);
  await expectAccessible(page);

  await field("Name").fill("");
  await main(page).getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("alert")).toHaveText("Please check these fields: Name, Password");
  await expect(field("Name")).toBeFocused();
  await expectAccessible(page);

  const after = { name: "Ada Loud", email: `loud-${before.email}`, password: `loud-${before.password}` };
  await field("Name").fill(after.name);
  await field("E-mail").fill(after.email);
  await field("Password").fill(after.password);
  const sent = page.waitForRequest((request) => request.method() === "PUT");
  await main(page).getByRole("button", { name: "Save changes" }).click();
  expect((await sent).postDataJSON()).toEqual({ fullname: after.name, email: after.email, password: after.password });
  const saved = main(page).getByRole("status").filter({ hasText: "Saved." });
  await expect(saved).toContainText(`We have sent a link to ${after.email}`);
  await expect(field("E-mail")).toHaveValue(before.email);
  await expectAccessible(page);

  await page.goto(await mailedLink(page.request, { email: after.email, part: "emailToken" }));
  await main(page).getByRole("button", { name: "Confirm the address" }).click();
  await expect(field("E-mail")).toHaveValue(after.email);
  await expectAccessible(page);

  await context.clearCookies();
  await signIn(context, after);
  await page.reload();
  await expect(field("Name")).toHaveValue(after.name);
});

test.describe(() => {
  // The browser's own line about a refusal.
  test.use({ expected: /status of 4\d\d/ });

  test(
    "a member signs out another device, and then every one",
    desktop("a dialog over the page, not below it"),
    async ({ page, context, browser, baseURL }) => {
      const member = await join(context);
      const other = await browser.newContext(baseURL ? { baseURL } : {});
      await signIn(other, member);
      await openAccount(page);
      const rows = main(page)
        .getByRole("listitem")
        .filter({ hasText: /This device|Last used/ });
      await expect(rows).toHaveCount(2);
      await expectAccessible(page);

      await rows.filter({ hasText: "Last used" }).getByRole("button").click();
      await expect(main(page).getByRole("status").filter({ hasText: "is signed out" })).toBeVisible();
      await expect(rows).toHaveCount(1);
      expect(await (await other.request.get("/api/auth/session")).json()).toMatchObject({ logged_in: false });

      await signIn(other, member);
      await main(page).getByRole("button", { name: "Sign out everywhere" }).click();
      const dialog = page.getByRole("alertdialog");
      await expect(dialog).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await main(page).getByRole("button", { name: "Sign out everywhere" }).click();
      await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
      await expect(wayIn(page)).toBeVisible();
      expect(await (await other.request.get("/api/auth/session")).json()).toMatchObject({ logged_in: false });
      await other.close();
    },
  );

  test("a member downloads their data", smoke, async ({ page, context }) => {
    const { email } = await join(context);
    await openAccount(page);
    const download = page.waitForEvent("download");
    await main(page).getByRole("button", { name: "Download my data" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("stillpoint-data.json");
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    expect(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString("utf8")).auth)).toContain(email);
    await expect(main(page).getByRole("status").filter({ hasText: "in your downloads" })).toBeVisible();
  });

  test("a member deletes the account and gets a receipt", smoke, async ({ page, context }) => {
    const member = await join(context);
    await openAccount(page);
    await main(page).getByRole("button", { name: "Delete my account" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete your account?" });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel("Your password").fill("not this one");
    await dialog.getByRole("button", { name: "Delete for good" }).click();
    await expect(dialog.getByText("This password is not right.")).toBeVisible();
    await expectAccessible(page);

    await dialog.getByLabel("Your password").fill(member.password);
    await dialog.getByRole("button", { name: "Delete for good" }).click();
    await expect(page).toHaveURL(/\?erasure=/);
    await expectAccessible(page);
    await expect(page.getByRole("heading", { level: 1, name: "Your account is deleted" })).toBeVisible();
    await expect(account(page)).toBeHidden();
    await expectAccessible(page);

    await page.reload();
    await expect(page.getByRole("heading", { level: 1, name: "Your account is deleted" })).toBeVisible();
    const { email, password } = member;
    expect((await context.request.post("/api/auth/login", { data: { email, password } })).status()).toBe(401);
  });
});

test(
  "the account page runs from right to left",
  desktop("titles to the right of their buttons"),
  async ({ page, context, isMobile }) => {
    await join(context);
    await openAccount(page, "/ar/profile/");
    await expect(main(page).getByRole("listitem").first()).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (!isMobile) {
      const section = main(page)
        .locator("section", { has: page.getByRole("listitem") })
        .last();
      const [title, button] = await Promise.all([
        section.getByRole("heading").boundingBox(),
        section.getByRole("button").first().boundingBox(),
      ]);
      expect(title?.x ?? 0).toBeGreaterThan(button?.x ?? 0);
    }
  },
);

test.describe("with a token in the address", () => {
  async function handedOver(context: BrowserContext): Promise<string> {
    const answer = await context.request.post("/api/auth/handoff-tokens", { data: { purpose: "autologin" } });
    expect(answer.status()).toBe(201);
    return (await answer.json()).token;
  }

  test("a token signs in once and leaves the address", async ({ page, context, browser, baseURL }) => {
    const member = await join(context);
    const token = await handedOver(context);
    await context.clearCookies();
    await page.goto(`/en/autosignin/?token=${token}&utm_source=app`);
    await expect(main(page).getByText(member.name)).toBeVisible();
    await expect(page).toHaveURL(/\/en\/autosignin\/\?utm_source=app$/);
    await expectAccessible(page);
    const [arrow] = await main(page).getByRole("link").all();
    await expect(arrow as NonNullable<typeof arrow>).toHaveAttribute("href", "/en/");

    const other = await browser.newContext(baseURL ? { baseURL } : {});
    const second = await other.newPage();
    await second.goto(`/en/payment/monthly/?token=${token}`);
    await expect(second).toHaveURL(/\/en\/signup\/\?redirectPage=%2Fen%2Fpayment%2Fmonthly%2F$/);
    await other.close();
  });

  test("a token leads to the page that the address names, and to no other site", async ({ page, context }) => {
    await join(context);
    const [wanted, refused] = [await handedOver(context), await handedOver(context)];
    await context.clearCookies();
    await page.goto(`/en/autosignin/?token=${wanted}&redirectPage=/en/pricing/&utm_source=app`);
    await expect(page).toHaveURL(/\/en\/pricing\/\?utm_source=app$/);
    await context.clearCookies();
    await page.goto(`/en/autosignin/?token=${refused}&redirectPage=https://evil.example/`);
    await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/en\/(\?|$)/);
  });

  test("an invalid token neither signs in nor out, and emits no event", async ({ page, context }) => {
    await join(context);
    await page.goto("/en/payment/monthly/?token=rubbish");
    await expect(page).toHaveURL(/\/en\/payment\/monthly\/$/);
    await settled(page);
    const events = await page.evaluate(() => (window.dataLayer ?? []).map(({ event }) => event));
    expect(events).not.toContain("auto_signin");
    const answer = await context.request.get("/api/auth/session");
    expect(await answer.json()).toMatchObject({ logged_in: true });
  });

  test("a token works on a payment page", async ({ page, context }) => {
    const member = await join(context);
    const token = await handedOver(context);
    await context.clearCookies();
    await page.goto(`/en/payment/monthly/?token=${token}`);
    await expect(main(page).getByText(member.email)).toBeVisible();
    await expect(page).toHaveURL(/\/en\/payment\/monthly\/$/);
  });
});

test.describe("on an iPhone", () => {
  test.use({ userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148" });

  test("a member whose link asks for it goes on into the app", async ({ page, context }) => {
    await join(context);
    await page.goto("/en/success-page/?isAutosignin=1");
    await expect(page).toHaveURL(/\/app\/autologin$/);
    await expect(page.locator("[data-field=lang]")).toHaveText("en");
    const token = await page.locator("[data-field=token]").textContent();
    await context.clearCookies();
    const arrived = await context.request.post("/validate-token", { data: { token } });
    expect(await arrived.json()).toMatchObject({ data: { fullName: "Ada Quiet" }, error_code: null });
  });
});

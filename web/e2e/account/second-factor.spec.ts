import type { BrowserContext, Page } from "@playwright/test";
import { Authenticator } from "../support/authenticator.ts";
import { mailedLink } from "../support/mail.ts";
import { join, type Member } from "../support/member.ts";
import { smoke } from "../support/passes.ts";
import { alive, expect, expectAccessible, test } from "../support/stillpoint.ts";

/** Two-step sign-in, step-up, and the end of a session by a mailed link. */

const ENROL = "/api/account/second-factor/enrol";
const CONFIRM = "/api/account/second-factor/confirm";
const BACK = "redirectPage=%2Fen%2Fprofile%2F";

const main = (page: Page) => page.getByRole("main");
const field = (page: Page, label: string) => main(page).getByLabel(label, { exact: true });
const press = (page: Page, name: string) => main(page).getByRole("button", { name, exact: true }).click();
const heading = (page: Page, name: string) => main(page).getByRole("heading", { name });

// The browser's own line about a refusal.
test.use({ expected: /status of 4\d\d/ });

async function isSignedIn(context: BrowserContext): Promise<boolean> {
  const answer = await context.request.get("/api/auth/session");
  return ((await answer.json()) as { logged_in: boolean }).logged_in;
}

/** Enrols on the account page. Returns the app and the recovery codes. */
async function turnOn(page: Page) {
  await page.goto("/en/profile/");
  await alive(main(page).locator("form"));
  const enrolled = page.waitForResponse((response) => response.url().endsWith(ENROL));
  await press(page, "Turn on two-step sign-in");
  const { secret } = (await (await enrolled).json()) as { secret: string };
  await expect(heading(page, "Connect your authenticator app")).toBeFocused();
  await expect(main(page).getByRole("img", { name: /^QR code with the key/ })).toBeVisible();
  await expectAccessible(page);

  const app = new Authenticator(secret);
  await field(page, "Code from your app").fill(app.code());
  await press(page, "Confirm and turn on");
  await expect(heading(page, "Your recovery codes")).toBeFocused();
  await expectAccessible(page);
  const codes = await main(page).locator("[data-print] li").allTextContents();
  expect(codes).toHaveLength(10);
  await press(page, "I have kept the codes");
  await expect(main(page).getByText("Two-step sign-in is on")).toBeVisible();
  return { app, codes };
}

/** Passes the first step, which leads to the second. */
async function firstStep(page: Page, { email, password }: Member) {
  await page.goto(`/en/signin/?${BACK}`);
  const form = page.getByRole("tabpanel");
  await alive(form.getByRole("textbox", { name: "E-mail" }));
  await form.getByRole("textbox", { name: "E-mail" }).fill(email);
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(heading(page, "One more step")).toBeVisible();
}

test(
  "a member turns on two-step sign-in, and signs in with a code and with a recovery code",
  smoke,
  async ({ page, context }) => {
    const member = await join(context);
    const { app, codes } = await turnOn(page);

    await context.clearCookies();
    await firstStep(page, member);
    expect(await isSignedIn(context)).toBe(false);
    await expect(field(page, "Code from your app")).toBeFocused();
    await expectAccessible(page);
    await field(page, "Code from your app").fill("000000");
    await press(page, "Sign in");
    await expect(field(page, "Code from your app")).toHaveAccessibleDescription(/This code is not right/);
    await field(page, "Code from your app").fill(app.code());
    await press(page, "Sign in");
    await expect(page).toHaveURL(/\/en\/profile\/$/);
    await expect(main(page).getByText("Recovery codes left: 10")).toBeVisible();

    await context.clearCookies();
    await firstStep(page, member);
    await press(page, "Use a recovery code");
    await field(page, "Recovery code").fill(codes[0] ?? "");
    await press(page, "Sign in");
    await expect(page).toHaveURL(/\/en\/profile\/$/);
    await expect(main(page).getByText("Recovery codes left: 9")).toBeVisible();
  },
);

test("a member confirms the password before the e-mail changes", async ({ page, context }) => {
  const member = await join(context);
  // A session by a token proves nothing.
  const answer = await context.request.post("/api/auth/handoff-tokens", { data: { purpose: "autologin" } });
  const { token } = (await answer.json()) as { token: string };
  await context.clearCookies();
  await page.goto(`/en/autosignin/?token=${token}`);
  await expect(main(page).getByText(member.name)).toBeVisible();

  await page.goto("/en/profile/");
  await alive(main(page).locator("form"));
  const email = `moved-${member.email}`;
  await field(page, "E-mail").fill(email);
  // Not the present one, which would be a proof.
  await field(page, "Password").fill(`${member.password} again`);
  await press(page, "Save changes");
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(dialog.getByLabel("Your password")).toBeFocused();
  await expectAccessible(page);

  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(main(page).getByRole("alert")).toHaveText("Please confirm first that it is you, then try again.");
  await press(page, "Save changes");
  await dialog.getByLabel("Your password").fill("not this one");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByText("This password is not right.")).toBeVisible();
  await dialog.getByLabel("Your password").fill(member.password);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(main(page).getByRole("status").filter({ hasText: "Saved." })).toContainText(email);
  await expect(dialog).toBeHidden();
});

test("a member ends a session from the mail about a new sign-in", async ({ page, context, browser, baseURL }) => {
  const { email, password } = await join(context);
  const stranger = await browser.newContext(baseURL ? { baseURL } : {});
  const signIn = await stranger.request.post("/api/auth/login", { data: { email, password } });
  expect(signIn.status()).toBe(200);
  expect(await isSignedIn(stranger)).toBe(true);

  const link = await mailedLink(page.request, { email, part: "/account/end-session" });
  const opened = await page.goto(link);
  expect(opened?.headers()).toMatchObject({ "cache-control": expect.stringContaining("no-store") });
  await expect(page).not.toHaveURL(/token/);
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
  const button = main(page).getByRole("button", { name: "End the session" });
  await alive(button);
  await expectAccessible(page);
  expect(await isSignedIn(stranger), "the link alone ends nothing").toBe(true);

  await button.click();
  await expect(main(page).getByRole("status").filter({ hasText: "The session is ended." })).toBeFocused();
  await expect(main(page).getByRole("link", { name: "Choose a new password" })).toBeVisible();
  await expectAccessible(page);
  expect(await isSignedIn(stranger)).toBe(false);
  expect(await isSignedIn(context), "no other session ends").toBe(true);

  await page.goto(link);
  await alive(button);
  await button.click();
  await expect(main(page).getByRole("alert")).toContainText("used before or is too old");
  await stranger.close();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a member signs in with a code", async ({ page, context }) => {
    const member = await join(context);
    const { secret } = (await (await context.request.post(ENROL)).json()) as { secret: string };
    const app = new Authenticator(secret);
    expect((await context.request.post(CONFIRM, { data: { code: app.code() } })).status()).toBe(200);

    await context.clearCookies();
    await page.goto(`/en/signin/?${BACK}`);
    await field(page, "E-mail").fill(member.email);
    await field(page, "Password").fill(member.password);
    await press(page, "Sign in");
    await expect(heading(page, "One more step")).toBeVisible();
    await expect(field(page, "E-mail")).toBeHidden();
    await field(page, "Code from your app, or a recovery code").fill(app.code());
    await press(page, "Sign in");
    await expect(page).toHaveURL(/\/en\/profile\/$/);
    expect(await isSignedIn(context)).toBe(true);
  });
});

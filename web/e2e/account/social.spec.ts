import type { Page } from "@playwright/test";
import { pressIn } from "../support/buyer.ts";
import { smoke } from "../support/passes.ts";
import { alive, expect, expectAccessible, footer, test, visit } from "../support/stillpoint.ts";

type Provider = "Apple" | "Google" | "Facebook";

const PROVIDERS: Provider[] = ["Apple", "Google", "Facebook"];
const GOAL = "/en/success-page/";

interface Person {
  email: string;
  /** The case that the provider's window plays. */
  case?: string;
  isUnverified?: boolean;
}

const newPerson = (): Person => ({ email: `ada-${crypto.randomUUID()}@example.org` });

/** What the browser itself says of a refusal, and of a script that was blocked. */
test.use({ expected: /the server responded with a status of (401|409|422)|net::ERR_FAILED/ });

async function open(page: Page, tab: "signin" | "signup" = "signin") {
  await visit(page, `/en/${tab}/?redirectPage=${encodeURIComponent(GOAL)}`);
  // Google has drawn its button over ours: all scripts are there.
  await expect(page.locator("button[inert]")).toHaveText(/Google/);
}

function buttonOf(page: Page, provider: Provider, words = "Sign in with") {
  return page.locator("button:not([inert])", { hasText: `${words} ${provider}` });
}

async function windowOf(page: Page, provider: Provider, words?: string) {
  const [opened] = await Promise.all([page.waitForEvent("popup"), buttonOf(page, provider, words).click()]);
  await expect(opened.getByRole("heading", { name: `Sign in with ${provider}` })).toBeVisible();
  return opened;
}

async function chooseIn(opened: Page, { email, case: wanted, isUnverified }: Person) {
  if (wanted) await opened.getByLabel("What happens").selectOption(wanted);
  await opened.getByText("Another person").click();
  await opened.getByLabel("First name").fill("Ada");
  await opened.getByLabel("Last name").fill("Yılmaz");
  await opened.getByLabel("E-mail").fill(email);
  if (isUnverified) await opened.getByLabel("has verified").uncheck();
  await pressIn(opened, "Continue");
}

async function goThrough(page: Page, provider: Provider, person: Person) {
  await chooseIn(await windowOf(page, provider), person);
}

const session = (page: Page) => page.evaluate(async () => (await fetch("/api/auth/session")).json());
const signOut = (page: Page) => page.evaluate(async () => (await fetch("/api/auth/logout", { method: "POST" })).status);

async function register(page: Page, email: string, password: string) {
  const body = { name: "Ada", email, password, lang: "en", country: "TR" };
  const status = await page.evaluate(async (sent) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/api/auth/register", { method: "POST", headers, body: JSON.stringify(sent) });
    await fetch("/api/auth/logout", { method: "POST" });
    return answer.status;
  }, body);
  expect(status).toBe(201);
}

const KEYS: Record<Provider, string[]> = {
  Apple: ["appleID", "email", "lang", "name", "token"],
  Google: ["email", "fullName", "googleID", "name", "picturePath", "token"],
  Facebook: ["email", "facebookID", "name", "token"],
};

for (const provider of PROVIDERS) {
  test(`a new person signs up with ${provider}, and comes back with it`, smoke, async ({ page }) => {
    const ada = newPerson();
    await open(page, "signup");
    const sent = page.waitForRequest((request) => new RegExp(`/api/auth/social/${provider}`, "i").test(request.url()));
    await chooseIn(await windowOf(page, provider, "Sign up with"), ada);
    expect(Object.keys((await sent).postDataJSON()).sort()).toEqual(KEYS[provider]);
    await expect(page).toHaveURL(new RegExp(GOAL));
    const first = await session(page);
    expect(first).toMatchObject({ logged_in: true, user: { email: ada.email, fullName: "Ada Yılmaz" } });

    await signOut(page);
    await open(page);
    await goThrough(page, provider, ada);
    await expect(page).toHaveURL(new RegExp(GOAL));
    expect((await session(page)).user.user_id).toBe(first.user.user_id);
  });
}

// Google's are joined in `linking.rs`.
for (const provider of ["Apple", "Facebook"] as const) {
  test(`an account with a password is joined with ${provider} by that password only`, async ({ page }) => {
    const ada = newPerson();
    await open(page);
    await register(page, ada.email, "calm-and-quiet-1");
    await goThrough(page, provider, ada);

    const dialog = page.getByRole("dialog", { name: "You already have an account" });
    await expect(dialog).toContainText(`you can sign in with ${provider} as well`);
    await expectAccessible(page);
    await dialog.getByLabel("Password", { exact: true }).fill("a guess at it");
    await dialog.getByRole("button", { name: `Sign in and connect ${provider}` }).click();
    await expect(dialog).toContainText("This is not the password of that account.");
    expect(await session(page)).toMatchObject({ logged_in: false });

    await dialog.getByLabel("Password", { exact: true }).fill("calm-and-quiet-1");
    await dialog.getByRole("button", { name: `Sign in and connect ${provider}` }).click();
    await expect(page).toHaveURL(new RegExp(GOAL));
    const joined = await session(page);

    await signOut(page);
    await open(page);
    await goThrough(page, provider, ada);
    await expect(page).toHaveURL(new RegExp(GOAL));
    expect((await session(page)).user.user_id).toBe(joined.user.user_id);
  });
}

test("leaving a provider's window leaves the page unchanged", async ({ page }) => {
  await open(page);
  for (const leave of ["Cancel", "close"]) {
    const opened = await windowOf(page, "Apple");
    await expect(buttonOf(page, "Apple")).toHaveAttribute("aria-busy", "true");
    if (leave === "Cancel") await pressIn(opened, leave);
    else await opened.close();
    await expect(buttonOf(page, "Apple")).not.toHaveAttribute("aria-busy");
    await expect(page.getByRole("alert")).toHaveCount(0);
  }
  await goThrough(page, "Apple", newPerson());
  await expect(page).toHaveURL(new RegExp(GOAL));
});

// What else is refused is tested by provider and case in `sign_in_socially/attacks.rs` and `linking.rs`; every reason shown, in
// `social-buttons.test.tsx`.
test("what a provider's window says is refused with the reason, and the next answer counts", async ({ page }) => {
  const ada = newPerson();
  await open(page);
  await goThrough(page, "Apple", { ...newPerson(), case: "forged" });
  await expect(page.getByRole("alert")).toContainText("We could not confirm what Apple told us.");
  await expect(page.getByRole("alert")).toContainText("You can also use your e-mail address.");
  await expectAccessible(page);
  await goThrough(page, "Facebook", { ...newPerson(), case: "no_email" });
  await expect(page.getByRole("alert")).toContainText("Facebook did not tell us your e-mail address.");

  await register(page, ada.email, "calm-and-quiet-1");
  await goThrough(page, "Google", { ...ada, isUnverified: true });
  await expect(page.getByRole("alert")).toContainText("Google has not confirmed your e-mail address");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await session(page)).toMatchObject({ logged_in: false });

  await goThrough(page, "Apple", newPerson());
  await expect(page).toHaveURL(new RegExp(GOAL));
});

test("a blocked script is explained when its button is pressed, and e-mail still works", async ({ page }) => {
  const ada = newPerson();
  await page.route(/appleid\.auth\.js|\/apple\/.*\.js/, (route) => route.abort());
  await page.goto(`/en/signin/?redirectPage=${encodeURIComponent(GOAL)}`);
  await expect(page.locator("button[inert]")).toHaveText(/Google/);
  await register(page, ada.email, "calm-and-quiet-1");
  await buttonOf(page, "Apple").click();
  await expect(page.getByRole("alert")).toContainText("Apple could not be loaded.");
  const form = page.getByRole("tabpanel");
  await form.getByLabel("E-mail").fill(ada.email);
  await form.getByLabel("Password", { exact: true }).fill("calm-and-quiet-1");
  await form.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(GOAL));
});

test("the providers' scripts come to pages with their buttons and to no others", async ({ page }) => {
  const scripts: string[] = [];
  const ofProvider = /appleid\.auth\.js|\/(?:apple|google|facebook)\/.*(?:js|client)$/;
  page.on("request", (request) => {
    if (ofProvider.test(request.url())) scripts.push(request.url());
  });
  await page.clock.install();
  await page.goto("/en/");
  await alive(footer(page).getByRole("button").first());
  // Whatever the page puts off has begun; its requests are over when nothing is on its way.
  await page.clock.runFor(10_000);
  await page.waitForLoadState("networkidle");
  expect(scripts).toEqual([]);
  await open(page);
  expect(scripts).toHaveLength(3);
});

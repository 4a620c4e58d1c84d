import { smoke } from "../support/passes.ts";
import { test as base, expect } from "../support/stillpoint.ts";
import { Visitor } from "../support/visitor.ts";

/** Sign-up, sign-in and password recovery, with and without scripts. */

const WRONG = "E-mail or password is not right.";

// The browser logs a refused call.
const test = base.extend<{ scripts: boolean; visitor: Visitor }>({
  scripts: [true, { option: true }],
  javaScriptEnabled: ({ scripts }, use) => use(scripts),
  visitor: ({ page, scripts }, use) => use(new Visitor(page, scripts)),
  expected: /the server responded with a status of (401|409|422|429)/,
});

for (const scripts of [true, false]) {
  test.describe(scripts ? "with scripts" : "without scripts", () => {
    test.use({ scripts });

    test(
      "a visitor signs up and is led to the page they wanted, with what they brought along",
      smoke,
      async ({ page, visitor }) => {
        await visitor.signUp("/en/signup/?redirectPage=%2Fen%2Fpricing%2F&utm_source=letter");
        await expect(page).toHaveURL(/\/en\/pricing\/\?utm_source=letter$/);
        expect(await visitor.isSignedIn()).toBe(true);
      },
    );

    test("a visitor begins with nothing but an address", async ({ page, visitor }) => {
      await visitor.open("/en/email-signup/?redirectPage=%2Fen%2Fpricing%2F");
      await visitor.box("E-mail").fill(visitor.email);
      await visitor.press("Continue");
      await expect(page).toHaveURL(/\/en\/pricing\/$/);
      expect(await visitor.isSignedIn()).toBe(true);
    });

    test(
      "a member who forgot the password gets a link, sets another one and signs in",
      smoke,
      async ({ page, visitor }) => {
        await visitor.signUp();
        await expect(page).toHaveURL(/success-page/);
        await visitor.leaves();

        await visitor.open("/en/forgot-password/");
        await visitor.box("E-mail").fill(visitor.email);
        await visitor.press("Send the link");
        await expect(page.getByRole("status").filter({ hasText: "the link is on its way" })).toBeVisible();
        await visitor.looksRight();

        const link = await visitor.mailedLink(page.request);
        await visitor.open(link);
        if (scripts) expect(page.url()).not.toContain("token");
        visitor.password = `calmer-${crypto.randomUUID()}`;
        await visitor.box("New password").fill(visitor.password);
        await visitor.press("Save the password");
        await expect(page.getByRole("status").filter({ hasText: "Your new password is saved." })).toBeVisible();
        expect(page.url()).not.toContain("token");
        await visitor.looksRight();

        await visitor.signIn();
        await expect(page).toHaveURL(/\/en\/$/);
        expect(await visitor.isSignedIn()).toBe(true);

        await visitor.leaves();
        await visitor.open(link);
        await visitor.box("New password").fill("a third quiet place");
        await visitor.press("Save the password");
        await visitor.seesNotice("This link was used before or is too old.");
      },
    );

    // With scripts, `login-register.test.tsx`, `forgot-password.test.tsx` and `account.test.ts` hold the same.
    if (scripts) return;

    test("a visitor who wanted no page in particular is welcomed", async ({ page, visitor }) => {
      await visitor.signUp();
      await expect(page).toHaveURL(/\/en\/success-page\/$/);
    });

    test("a redirect to another site is ignored", async ({ page, visitor }) => {
      await visitor.signUp("/en/signup/?redirectPage=%2F%2Fevil.example%2F");
      await expect(page).toHaveURL(/\/en\/success-page\/$/);
    });

    test("an address that has an account is offered to sign in", async ({ page, visitor }) => {
      await visitor.signUp();
      await expect(page).toHaveURL(/success-page/);
      await visitor.leaves();
      await visitor.signUp();
      await visitor.seesNotice("There is already an account with this e-mail address.");
      await page.getByRole("alert").getByRole("link", { name: "Sign in instead" }).click();
      await expect(page).toHaveURL(/\/en\/signin\//);
    });

    test("a wrong password is rejected, and the right one signs in", async ({ page, visitor }) => {
      await visitor.signUp();
      await expect(page).toHaveURL(/success-page/);
      await visitor.leaves();
      await visitor.signIn("/en/signin/?redirectPage=%2Fen%2Fpricing%2F", "not this one");
      await visitor.seesNotice(WRONG);
      expect(page.url()).not.toContain(encodeURIComponent(visitor.email));
      await visitor.box("E-mail").fill(visitor.email);
      await visitor.box("Password").fill(visitor.password);
      await visitor.press("Sign in");
      await expect(page).toHaveURL(/\/en\/pricing\/$/);
      expect(await visitor.isSignedIn()).toBe(true);
    });

    test("a password that too many people use is refused", async ({ visitor }) => {
      visitor.password = "password1";
      await visitor.signUp();
      await visitor.seesNotice("This password is known from data leaks.");
    });

    test("an unknown address gets the same answer", async ({ page, visitor }) => {
      await visitor.open("/en/forgot-password/");
      await visitor.box("E-mail").fill(visitor.email);
      await visitor.press("Send the link");
      await expect(page.getByRole("status").filter({ hasText: "the link is on its way" })).toBeVisible();
    });
  });
}

test("errors stand beside their fields, and the first field has the focus", async ({ page, visitor }) => {
  await visitor.open("/en/signup/");
  await visitor.press("Create account");
  await visitor.seesNotice("Please check these fields: Name, E-mail, Password");
  await expect(visitor.box("Name")).toBeFocused();
  await expect(visitor.box("Name")).toHaveAccessibleDescription("Please fill this in.");
  await visitor.box("Name").fill("Ada");
  await page.keyboard.press("Enter");
  await expect(visitor.box("E-mail")).toBeFocused();
});

test.describe("without a network", () => {
  test.use({ expected: /ERR_INTERNET_DISCONNECTED|status of 401/ });

  test("a notice appears, and the typed text stays", async ({ page, context, visitor }) => {
    await visitor.open("/en/signin/");
    await visitor.box("E-mail").fill(visitor.email);
    await visitor.box("Password").fill(visitor.password);
    await context.setOffline(true);
    await visitor.press("Sign in");
    await expect(page.getByRole("alert")).toContainText("We could not reach our server.");
    await context.setOffline(false);
    await visitor.press("Sign in");
    await visitor.seesNotice(WRONG);
    await expect(visitor.box("E-mail")).toHaveValue(visitor.email);
  });
});

test("what was typed before the page came alive is still there afterwards", async ({ page, visitor }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/en/signin/", { waitUntil: "domcontentloaded" });
  await visitor.box("E-mail").fill(visitor.email);
  await visitor.box("Password").fill(visitor.password);
  release();
  await visitor.expectForm();
  await expect(visitor.box("E-mail")).toHaveValue(visitor.email);
  await visitor.press("Sign in");
  await visitor.seesNotice(WRONG);
});

test("a form that is sent before the page is alive is answered all the same", async ({ page, visitor }) => {
  // The scripts of this page never come; those of the page that answers do.
  let isHeld = true;
  await page.route("**/assets/*.js", (route) => (isHeld ? undefined : route.continue()));
  await page.goto("/en/signin/", { waitUntil: "domcontentloaded" });
  await visitor.box("E-mail").fill(visitor.email);
  await visitor.box("Password").fill(visitor.password);
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.isNavigationRequest());
  await visitor.press("Sign in");
  await sent;
  isHeld = false;
  await visitor.seesNotice(WRONG);
});

test("Russian visitors agree to both before they can sign up", async ({ page, visitor }) => {
  await visitor.open("/ru/signup/");
  const names = [
    "Создать аккаунт",
    "Зарегистрироваться через Apple",
    "Зарегистрироваться через Facebook",
    "Зарегистрироваться через Google",
  ];
  const buttons = names.map((name) => visitor.main.locator("button").filter({ hasText: name }).first());
  for (const button of buttons) await expect(button).toHaveAttribute("aria-disabled", "true");
  const [first, ...rest] = await page.getByRole("checkbox").all();
  await first?.check();
  for (const button of buttons) await expect(button).toHaveAttribute("aria-disabled", "true");
  for (const box of rest) await box.check();
  for (const button of buttons) await expect(button).not.toHaveAttribute("aria-disabled");
  await visitor.looksRight();
});

test("the token of a mailed link goes nowhere but into its form", async ({ page, visitor }) => {
  const sent: string[] = [];
  page.on("request", async (request) => {
    const headers = await request.allHeaders().catch(() => ({}));
    const isDocument = request.isNavigationRequest() && request.method() === "GET";
    if (!isDocument && /\/api\//.test(request.url()))
      sent.push(request.url(), JSON.stringify(headers), request.postData() ?? "");
  });
  await page.clock.install();
  await visitor.open("/en/forgot-password/?token=a-secret-of-the-mail");
  await expect(page).toHaveURL(/\/en\/forgot-password\/$/);
  await expect(visitor.main.getByRole("heading", { level: 1, name: "Set a new password" })).toBeVisible();
  // The page view leaves after a second and is sent two seconds later.
  await page.clock.runFor(5_000);
  await expect.poll(() => sent.join("\n")).toContain("/api/analytics/");
  expect(sent.join("\n")).not.toContain("a-secret-of-the-mail");
  expect(await page.evaluate(() => JSON.stringify(window.dataLayer))).not.toContain("a-secret-of-the-mail");
});

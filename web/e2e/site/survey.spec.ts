import { findEvent } from "../support/outside.ts";
import { smoke } from "../support/passes.ts";
import { alive, expect, expectAccessible, test, visit } from "../support/stillpoint.ts";

const SURVEY_ORDER_CREATED = "stillpoint.checkout.survey_order.created";
const START = "/en/survey/start/";

test(
  "a visitor chooses up to three categories, and the survey begins with an order of its own",
  smoke,
  async ({ page }) => {
    await visit(page, `${START}?utm_source=letter&adid=7&token=secret`);
    const choice = (name: string) => page.getByRole("button", { name });
    await alive(choice("Falling asleep"));

    for (const name of ["Worrying less", "Falling asleep", "Getting through work"]) await choice(name).click();
    await expect(page.getByRole("status").filter({ hasText: "3 of 3 chosen" })).toBeVisible();
    const fourth = choice("Keeping my attention");
    await expect(fourth).toHaveAttribute("aria-disabled", "true");
    await fourth.dispatchEvent("click");
    await expect(fourth).toHaveAttribute("aria-pressed", "false");
    await choice("Getting through work").click();
    await expect(choice("Getting through work")).toHaveAttribute("aria-pressed", "false");
    await fourth.click();
    await expect(fourth).toHaveAttribute("aria-pressed", "true");
    await expectAccessible(page);

    const ordered = page.waitForRequest("**/api/survey/orders");
    await choice("Continue").click();
    const order = await ordered;
    expect(order.postDataJSON()).toEqual({
      flow: 0,
      variant: 15,
      producttype: "programme",
      lang: "en",
      utm_source: "letter",
      adid: "7",
    });
    expect((await order.response())?.status()).toBe(201);

    await expect(page).toHaveURL(
      /\/en\/survey\/\?categories=102,101,103&flow=0&variant=15&nextPage=%2Fcreating-program$/,
    );
    const stored = await page.evaluate(() =>
      ["mdOrderId", "LAST_SURVEY_DATA", "surveySelectedCategory"].map((key) => localStorage.getItem(key)),
    );
    const [orderId, survey, category] = stored;
    expect(JSON.parse(survey ?? "")).toEqual({ variant: 15, orderid: orderId });
    expect(category).toBe("102");

    const event = await findEvent(SURVEY_ORDER_CREATED, ({ data }) => data.surveyOrderId === orderId);
    expect(event.data).toMatchObject({ flow: 0, variant: 15, productType: "programme" });
    expect(event.data.tracking).toEqual({ parameters: { utm_source: "letter", adid: "7" } });
  },
);

test("a visitor answers, comes back after a reload, and is led to the programme that fits", async ({ page }) => {
  await visit(page, START);
  const category = page.getByRole("button", { name: "Falling asleep" });
  await alive(category);
  await category.click();
  await page.getByRole("button", { name: "Continue" }).click();

  const question = (name: string) => page.getByRole("heading", { level: 1, name });
  const next = page.getByRole("button", { name: /^(Continue|See my suggestion|Skip this question)$/ });
  await expect(question("How is the time before sleep, mostly?")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("radio", { name: "I lie awake for half an hour or more" }).press("Space");
  await next.press("Enter");
  await expect(question("Have you meditated before?")).toBeFocused();
  await next.click();

  await expect(question("When does your day have room for it?")).toBeVisible();
  await page.reload();
  await expect(question("When does your day have room for it?")).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("radio", { name: "I lie awake for half an hour or more" })).toBeChecked();
  const titles = [
    "How is the time before sleep, mostly?",
    "Have you meditated before?",
    "When does your day have room for it?",
    "How many minutes are realistic?",
    "What has been in the way so far?",
  ];
  for (const title of titles) {
    await expect(question(title)).toBeVisible();
    await next.click();
  }
  await expect(page).toHaveURL(/\/en\/creating-program\/\?orderid=svo_/);

  await page.goto("/en/suggested-program/");
  await expect(question("Sleep, gently")).toBeVisible();
  await expect(page.getByText("You lie awake for a while")).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole("link", { name: "Try seven days free" })).toHaveAttribute(
    "href",
    /^\/en\/payment\/annual\//,
  );
  await page.goto("/en/your-program/");
  await expect(question("Sleep, gently")).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the whole survey is one form that leads on", async ({ page }) => {
    await page.goto("/en/survey/");
    await page.getByRole("group", { name: "Have you meditated before?" }).getByText("Now and then").click();
    await page.getByRole("button", { name: "See my suggestion" }).click();
    await expect(page).toHaveURL(/\/en\/creating-program\/$/);
    await page.getByRole("link", { name: "Continue without waiting" }).click();
    await expect(page).toHaveURL(/\/en\/suggested-program\/$/);
  });
});

/** The actions of a buyer, by the visible labels. */
import type { Page } from "@playwright/test";
import { join, newPerson } from "./member.ts";
import { alive, expect, expectAccessible, sandboxUrl } from "./stillpoint.ts";

export const cards = {
  good: "4242 4242 4242 4242",
  another: "5555 5555 5555 4444",
  declined: "4000 0000 0000 0002",
  asksForProof: "4000 0025 0000 3155",
  alwaysAsks: "4000 0027 6000 3184",
  ofTwoNetworks: "4000 0025 0000 1001",
};

/** Of the bank that the offer TEB40 is for: what happens with each card above happens with one of these. */
export const cardsOfTheBank: Record<string, string> = {
  [cards.good]: "4407 7600 0000 0000",
  [cards.another]: "4407 7600 0000 0000",
  [cards.declined]: "4407 7600 0000 0018",
  [cards.asksForProof]: "4407 7600 0000 0026",
  [cards.ofTwoNetworks]: "4407 7600 0000 0000",
};

/** In a window that closes upon it: at times before the press is reported as done. */
export async function pressIn(window: Page, name: string) {
  await window
    .getByRole("button", { name })
    .click()
    .catch((error: unknown) => {
      if (!window.isClosed()) throw error;
    });
}

export class Buyer {
  readonly name: string;
  readonly email: string;
  readonly password: string;

  constructor(readonly page: Page) {
    ({ name: this.name, email: this.email, password: this.password } = newPerson());
  }

  /** As a member, straight to the page where a plan is paid. */
  async opens(path = "/en/payment/monthly/") {
    await join(this.page.context(), this);
    await this.page.goto(path);
  }

  /** From the home page to the payment page, with the account made on the way. */
  async choose(plan: "Monthly" | "Annual") {
    await this.page.goto("/en/");
    const option = this.page.getByRole("radio", { name: plan });
    await alive(option);
    await option.check({ force: true });
    await this.page.getByRole("link", { name: `Choose ${plan.toLowerCase()}` }).click();

    await expect(this.page).toHaveURL(/\/en\/signup\/\?.*redirectPage=/);
    await expect(this.page.getByRole("status").filter({ hasText: "Create an account or sign in first" })).toBeVisible();
    await expectAccessible(this.page);
    await this.register();
    await expect(this.page).toHaveURL(new RegExp(`/en/payment/${plan.toLowerCase()}/`));
  }

  private async register() {
    const form = this.page.getByRole("tabpanel");
    await alive(form.getByLabel("Name"));
    await form.getByLabel("Name").fill(this.name);
    await form.getByLabel("E-mail").fill(this.email);
    await form.getByLabel("Password", { exact: true }).fill(this.password);
    await form.getByRole("button", { name: "Create account" }).click();
  }

  async seesTotal(dueToday: string) {
    const main = this.page.getByRole("main");
    await expect(main.getByText(this.email)).toBeVisible();
    const total = main.getByRole("region", { name: "Order summary" }).locator("dl").last();
    await expect(total).toHaveText(`Due today${dueToday}`);
  }

  /** Where other ways to pay stand before the card, its fields are asked for first. */
  async fillIn(card: string) {
    const toggle = this.page.getByRole("button", { name: "Continue with card" });
    await expect(toggle.or(this.page.locator('iframe[title*="card number" i]')).first()).toBeVisible();
    if ((await toggle.count()) > 0 && (await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
    const field = (label: string) => this.page.frameLocator(`iframe[title*="${label}" i]`).getByRole("textbox");
    await field("card number").fill(card);
    await field("expir").fill("12 / 34");
    await field("CVC").fill("123");
  }

  /** A wallet is the device's, not the shop's: it is given to this browser on the sandbox's own page. */
  async owns(wallet: "Apple Pay" | "Google Pay") {
    await this.page.goto(`${sandboxUrl}/sandbox/`);
    await this.page.getByLabel("Wallet").selectOption(wallet);
  }

  /** The wallet's window, over the page. */
  async opensWallet(wallet: "Apple Pay" | "Google Pay") {
    await this.page.getByRole("button", { name: wallet }).click();
    return this.page.getByRole("dialog", { name: wallet }).locator("iframe").contentFrame();
  }

  async opensPaypal() {
    const [opened] = await Promise.all([
      this.page.waitForEvent("popup"),
      this.page.getByRole("button", { name: "PayPal Subscribe" }).click(),
    ]);
    // Until then the page is still making the subscription, and does not listen.
    await expect(opened.getByRole("button", { name: "Agree and subscribe" })).toBeVisible();
    return opened;
  }

  async submit() {
    await this.page.getByRole("button", { name: /Subscribe and pay|Start free trial|Pay once/ }).click();
  }

  async answersTheBank(answer: "Complete authentication" | "Fail authentication") {
    const bank = this.page.getByRole("dialog", { name: "3D Secure authentication" });
    await bank.locator("iframe").contentFrame().getByRole("button", { name: answer }).click();
  }

  async arrives() {
    await expect(this.page).toHaveURL(/\/en\/success-page\//);
    await expect(this.page.getByRole("heading", { level: 1, name: "Welcome to Stillpoint" })).toBeVisible();
    await expectAccessible(this.page);
  }
}

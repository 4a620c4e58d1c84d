/** Every form that takes a card, and the way to it. `checkout/payment-matrix.spec.ts` uses each. */
import type { Page } from "@playwright/test";
import { Buyer, cardsOfTheBank } from "./buyer.ts";
import { alive, expect } from "./stillpoint.ts";

const main = (page: Page) => page.getByRole("main");

export interface Form {
  name: string;
  /** The label of its button. */
  pay: RegExp;
  /** Navigates to the form as a buyer does. */
  comes: (page: Page) => Promise<void>;
  /** Needs no account. */
  isForAll?: true;
  /** Cards it takes in place of the usual ones, which it refuses. */
  cards?: Record<string, string>;
  /** Fills the fields beside the card. */
  fills?: (page: Page, buyer: Buyer) => Promise<void>;
  /** When and by which call the server prepares the payment. */
  opens: { at: "load" | "press"; by: string };
  /** The page after the payment. */
  arrives: RegExp;
  /** The subscriptions afterwards; none for a one-time purchase. */
  has: string[];
  /** What the button says once its free trial is used up. */
  paysWithoutTrial?: RegExp;
  /** The number of charges. */
  charges: number;
}

const LOADED = { at: "load" } as const;
const PRESSED = { at: "press" } as const;
const WELCOME = /\/en\/success-page\//;

const opens = (path: string) => async (page: Page) => {
  await page.goto(path);
};

async function byBankOffer(page: Page) {
  await page.goto("/en/offers/TEB40/");
  const check = page.getByRole("button", { name: "Check" });
  await alive(check);
  await page.getByLabel("First digits of your card").fill("440776");
  await check.click();
  await page.getByRole("link", { name: "Go to payment" }).click();
}

async function byLanding(page: Page) {
  await page.goto("/en/landing/sleep/");
  const option = page.getByRole("radio", { name: /^Monthly/ });
  await alive(option);
  await option.check({ force: true });
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/en\/payment\/monthly\/welcome\//);
}

async function saysWho(page: Page, guest: Buyer) {
  await main(page).getByLabel("Your name").fill(guest.name);
  await main(page).getByLabel("E-mail address").fill(guest.email);
}

async function agrees(page: Page) {
  for (const box of await main(page).getByRole("checkbox").all()) await box.check();
}

const subscription = { opens: { ...PRESSED, by: "/api/create-subscription-fixed" }, arrives: WELCOME } as const;
const intent = { opens: { ...LOADED, by: "/api/create-payment-intent" }, arrives: WELCOME } as const;
const once = { pay: /^Pay \$/, has: [] as string[], charges: 1 } as const;
const addition = { ...once, opens: { ...PRESSED, by: "/api/create-payment-intent" } } as const;

export const forms: readonly Form[] = [
  {
    ...subscription,
    name: "PaymentForm",
    pay: /^Subscribe and pay$/,
    comes: opens("/en/payment/monthly/"),
    has: ["active"],
    charges: 1,
  },
  {
    ...subscription,
    name: "PaymentForm, from a campaign's landing page",
    pay: /^Subscribe and pay$/,
    comes: byLanding,
    has: ["active"],
    charges: 1,
  },
  {
    ...subscription,
    name: "PaymentForm, from a bank's offer",
    pay: /^Start free trial$/,
    paysWithoutTrial: /^Pay now$/,
    comes: byBankOffer,
    cards: cardsOfTheBank,
    has: ["trialing"],
    charges: 0,
  },
  {
    ...subscription,
    name: "TwoColPaymentForm",
    pay: /^Start free trial$/,
    paysWithoutTrial: /^Pay now$/,
    comes: opens("/en/payment/annual-plus/"),
    has: ["trialing"],
    charges: 0,
  },
  {
    ...intent,
    name: "PaymentForm, a trial that costs something",
    pay: /^Pay and begin$/,
    comes: opens("/en/payment/trial/"),
    opens: { ...LOADED, by: "/api/create-trial-price-intent" },
    has: ["trialing"],
    charges: 1,
  },
  {
    ...intent,
    name: "PaymentForm, sold for good",
    pay: /^Pay once$/,
    comes: opens("/en/payment/lifetime/"),
    has: [],
    charges: 1,
  },
  {
    ...once,
    name: "OneTimePaymentForm",
    comes: opens("/en/payment/live-program/"),
    isForAll: true,
    fills: saysWho,
    opens: { ...PRESSED, by: "/api/one-time/create-intent" },
    arrives: /\/en\/success\/live-program\/$/,
  },
  {
    ...addition,
    name: "OneTimePaymentWithAdditionForm, soul",
    comes: opens("/en/payment/coaching-session/"),
    arrives: /\/en\/success-coaching-new\/$/,
  },
  {
    ...addition,
    name: "OneTimePaymentWithAdditionForm, therapy",
    comes: opens("/en/payment/therapy-session/"),
    fills: agrees,
    arrives: /\/en\/success\/counseling-welcome\//,
  },
];

/** One buyer on one form. */
export class Visit extends Buyer {
  constructor(
    page: Page,
    readonly form: Form,
    /** The same person as in another tab. */
    readonly who?: Buyer,
  ) {
    super(page);
  }

  private get buyer(): Buyer {
    return this.who ?? this;
  }

  get main() {
    return main(this.page);
  }

  get button() {
    const { pay, paysWithoutTrial } = this.form;
    const button = (name: RegExp) => this.main.getByRole("button", { name });
    return paysWithoutTrial ? button(pay).or(button(paysWithoutTrial)) : button(pay);
  }

  get refusal() {
    return this.main.getByRole("alert");
  }

  get bank() {
    return this.page.getByRole("dialog", { name: "3D Secure authentication" });
  }

  /** Until the card, or what stands before it, can be chosen. */
  async comes() {
    await this.form.comes(this.page);
    await this.isReady();
  }

  async isReady() {
    const toggle = this.main.getByRole("button", { name: "Continue with card" });
    await expect(this.button.or(toggle).first()).toBeVisible();
    await expect(this.main.locator("[aria-busy]")).toHaveCount(0);
  }

  /** With the card's fields there; typed anew where the page has begun anew. */
  async shows() {
    const toggle = this.main.getByRole("button", { name: "Continue with card" });
    if ((await toggle.count()) > 0 && (await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
    await expect(this.button).toBeVisible();
    await this.form.fills?.(this.page, this.buyer);
  }

  async clears() {
    for (const label of ["card number", "expir", "CVC"]) {
      await this.page.frameLocator(`iframe[title*="${label}" i]`).getByRole("textbox").clear();
    }
  }

  async pays(card: string) {
    await this.shows();
    await this.fillIn(this.form.cards?.[card] ?? card);
    await this.button.click();
  }

  override async arrives() {
    await expect(this.page).toHaveURL(this.form.arrives);
    await expect(this.page.getByRole("heading", { level: 1 })).toBeVisible();
  }
}

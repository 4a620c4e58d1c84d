/** The actions of a visitor who signs up, signs in or recovers a password, by the visible labels. */
import type { APIRequestContext, Page } from "@playwright/test";
import { mailedLink } from "./mail.ts";
import { alive, expect, expectAccessible } from "./stillpoint.ts";

export class Visitor {
  readonly name = "Ada Quiet";
  readonly email = `ada-${crypto.randomUUID()}@example.org`;
  password = `calm-${crypto.randomUUID()}`;

  constructor(
    readonly page: Page,
    /** Whether the pages come alive; without scripts the browser sends the forms itself. */
    readonly scripts: boolean,
  ) {}

  get main() {
    return this.page.getByRole("main");
  }

  /** Opens a page of an account and waits until its form can be used. */
  async open(path: string) {
    const response = await this.page.goto(path);
    expect(response?.status(), path).toBe(200);
    await this.expectForm();
  }

  async expectForm() {
    if (this.scripts) await alive(this.main.locator("form input:not([type=hidden])").first());
    await this.looksRight();
  }

  /** No page here may keep people out, whatever state it is in. Where no scripts run, none can look either. */
  async looksRight() {
    if (this.scripts) await expectAccessible(this.page);
  }

  box(label: string) {
    return this.main.getByLabel(label, { exact: true });
  }

  async press(name: string) {
    await this.main.getByRole("button", { name, exact: true }).click();
  }

  async signUp(path = "/en/signup/") {
    await this.open(path);
    await this.box("Name").fill(this.name);
    await this.box("E-mail").fill(this.email);
    await this.box("Password").fill(this.password);
    await this.press("Create account");
  }

  async signIn(path = "/en/signin/", password = this.password) {
    await this.open(path);
    await this.box("E-mail").fill(this.email);
    await this.box("Password").fill(password);
    await this.press("Sign in");
  }

  /** Scripts say it over the page, style sheets within it. */
  async seesNotice(words: string | RegExp) {
    await expect(this.page.getByRole("alert").filter({ hasText: words })).toBeVisible();
    await this.looksRight();
  }

  /** Signs out by deleting the cookies of this browser. */
  async leaves() {
    await this.page.context().clearCookies();
  }

  async isSignedIn() {
    const response = await this.page.request.get("/api/auth/session");
    const { user } = (await response.json()) as { user: { email: string } | null };
    return user?.email === this.email;
  }

  /** The link to a new password in the latest mail to this address. */
  async mailedLink(request: APIRequestContext, before = 0): Promise<string> {
    return mailedLink(request, { email: this.email, part: "/forgot-password/", before });
  }
}

// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** The state is in modules, so each test loads its own. */
async function open() {
  vi.resetModules();
  const { Consent } = await import("./consent");
  const { ConsentSettings } = await import("~/ui/consent-settings/consent-settings");
  const { TextsProvider } = await import("~/lib/i18n");
  const { catalogues } = await import("~/lib/i18n/catalogues.server");
  const { consentStatus } = await import("~/lib/analytics/consent");
  render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <Consent />
      <ConsentSettings />
    </TextsProvider>,
  );
  return consentStatus;
}

/** The bar is a chunk of its own: its first import can take longer than the default second. */
const bar = () => screen.findByRole("region", { name: "May we recognise you?" }, { timeout: 10_000 });
/** A bar that was to be shown is shown then. */
const loaded = () => act(() => vi.dynamicImportSettled());
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

describe("asking for consent", () => {
  beforeEach(() => localStorage.setItem("country", "DE"));
  afterEach(() => {
    cleanup();
    localStorage.clear();
    vi.unstubAllGlobals();
  });

  it.each([
    ["Agree", "granted"],
    ["No, thanks", "refused"],
  ])("accepts %s and does not ask again", async (button, expected) => {
    const consentStatus = await open();
    await bar();
    press(button);
    expect(consentStatus()).toBe(expected);
    expect(screen.queryByRole("region")).toBeNull();
    cleanup();
    await open();
    await loaded();
    expect(screen.queryByRole("region")).toBeNull();
  });

  it("gives both answers the same weight", async () => {
    await open();
    await bar();
    const [no, yes] = ["No, thanks", "Agree"].map((name) => screen.getByRole("button", { name }));
    expect(no?.className).toBe(yes?.className);
  });

  it("does not ask where the law does not require it", async () => {
    localStorage.setItem("country", "US");
    const consentStatus = await open();
    await loaded();
    expect(screen.queryByRole("region")).toBeNull();
    expect(consentStatus()).toBe("granted");
  });

  it("can be reopened, and shows the present choice", async () => {
    localStorage.setItem("consent", `accepted ${Date.now()}`);
    const consentStatus = await open();
    const settings = screen.getByRole("button", { name: "Privacy choices" });
    settings.focus();
    fireEvent.click(settings);
    const question = await bar();
    expect(document.activeElement).toBe(question);
    expect(screen.getByText("You have agreed.")).toBeTruthy();
    press("No, thanks");
    expect(consentStatus()).toBe("refused");
    expect(document.activeElement).toBe(settings);
  });

  it("respects the browser's signal", async () => {
    vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { globalPrivacyControl: true }));
    const consentStatus = await open();
    press("Privacy choices");
    await bar();
    expect(screen.getByText(/Your browser asks sites not to follow you/)).toBeTruthy();
    press("Agree");
    expect(consentStatus()).toBe("refused");
  });
});

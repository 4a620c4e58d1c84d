// @vitest-environment jsdom
import { render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { all, scripts } from "./fake-providers";
import { GoogleButton } from "./google-button";

const WIDTH_PX = 440;

class FixedWidth {
  readonly #report: () => void;
  constructor(report: () => void) {
    this.#report = report;
  }
  observe(target: Element) {
    Object.defineProperty(target, "clientWidth", { value: WIDTH_PX });
    this.#report();
  }
  disconnect() {}
}

const button = (blockedBy?: string) => (
  <TextsProvider locale="ru" catalogue={catalogues.ru}>
    <GoogleButton
      settings={all.google}
      mode="signUp"
      locale="ru"
      scriptsWanted
      round={0}
      busy={false}
      blockedBy={blockedBy}
      onAsk={onAsk}
    />
  </TextsProvider>
);
const onAsk = vi.fn();

afterEach(() => vi.unstubAllGlobals());

it("Google's own button is removed when a box is unticked, and drawn again when it is ticked", async () => {
  const renderButton = vi.fn((place: HTMLElement) => {
    place.append(Object.assign(document.createElement("button"), { textContent: "Google's own" }));
  });
  scripts();
  window.google = { accounts: { id: { initialize: vi.fn(), renderButton } } };
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal("ResizeObserver", FixedWidth);
  vi.stubGlobal("fetch", async () => Response.json({ nonce: "n-1" }, { status: 201 }));
  const ours = () =>
    screen.getByRole("button", { name: catalogues.ru.social.signUp.replace("{{provider}}", "Google") });

  const { rerender } = render(button());
  await screen.findByText("Google's own");
  await waitFor(() => expect(ours().hasAttribute("inert")).toBe(true));
  rerender(button("hint"));
  expect(screen.queryByText("Google's own")).toBeNull();
  expect(ours().hasAttribute("inert")).toBe(false);
  expect(ours().getAttribute("aria-disabled")).toBe("true");
  rerender(button());
  await screen.findByText("Google's own");
  await waitFor(() => expect(ours().hasAttribute("inert")).toBe(true));
});

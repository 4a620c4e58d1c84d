/** Renders the social buttons in jsdom, with fake providers and a stubbed gateway. */
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { all, credential, user } from "./fake-providers";
import { spendNonce } from "./providers/nonce";
import { SocialButtons } from "./social-buttons";

export const apple = { init: vi.fn(), signIn: vi.fn() };
export const facebook = { init: vi.fn(), login: vi.fn(), api: vi.fn() };
export const google = { initialize: vi.fn(), renderButton: vi.fn() };

interface Scene {
  providers?: Parameters<typeof SocialButtons>[0]["providers"];
  mode?: "signIn" | "signUp";
  url?: string;
  heldBy?: string;
}

export function show({ providers = all, mode = "signIn", url = "/en/signin/", heldBy }: Scene = {}) {
  const onSignedIn = vi.fn();
  const onSecondStep = vi.fn();
  const props = { providers, mode, onSignedIn, onSecondStep, blockedBy: heldBy };
  const element = <SocialButtons {...props} />;
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [url] });
  const { container } = render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  return { onSignedIn, onSecondStep, container };
}

/** Responses of the gateway by path. */
export function answering(answers: Record<string, () => Response>) {
  const fetched = vi.fn(async (path: string, _request: RequestInit) => {
    const known = Object.entries({ "/api/auth/social/nonce": nonce, ...answers }).find(([start]) =>
      path.startsWith(start),
    );
    return known ? known[1]() : new Response(null, { status: 404 });
  });
  vi.stubGlobal("fetch", fetched);
  const callsOf = (start: string) => fetched.mock.calls.filter(([path]) => path.startsWith(start));
  return { callsOf, bodyOf: (start: string) => JSON.parse(String(callsOf(start)[0]?.[1].body)) };
}

let nonces = 0;
const nonce = () => {
  nonces += 1;
  return Response.json({ nonce: `n-${nonces}` }, { status: 201 });
};
export const signedIn = (status: number) => () => Response.json({ user, redirectPage: "/en/coach/" }, { status });
export const refusing = (status: number, code: string) => () => Response.json({ code, detail: "No." }, { status });
export const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
export const appleAnswers = () =>
  apple.signIn.mockImplementation(async () => ({
    authorization: { id_token: credential, state: apple.init.mock.lastCall?.[0].state },
  }));

beforeEach(() => {
  vi.clearAllMocks();
  nonces = 0;
  spendNonce();
  window.AppleID = { auth: apple };
  window.FB = facebook;
  window.google = { accounts: { id: google } };
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal("ResizeObserver", Sized);
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      this.open = false;
      this.dispatchEvent(new Event("close"));
    },
  });
  google.renderButton.mockImplementation((place: HTMLElement) => {
    place.append(Object.assign(document.createElement("button"), { textContent: "Google's own" }));
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

class Sized {
  readonly #report: () => void;
  constructor(report: () => void) {
    this.#report = report;
  }
  observe(target: Element) {
    Object.defineProperty(target, "clientWidth", { value: 440 });
    this.#report();
  }
  disconnect() {}
}

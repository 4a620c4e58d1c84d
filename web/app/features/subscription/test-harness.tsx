/** Renders the account page in jsdom, with a stubbed gateway and a Stripe that accepts every card. */
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import type { Locale } from "~/lib/locale";
import { setSession } from "~/lib/session/session";
import type { ButtonContent } from "~/ui/button/content-button";
import { sample } from "./subscription-fixture";
import { SubscriptionPage } from "./subscription-page";

const stripe = vi.hoisted(() => ({
  createPaymentMethod: vi.fn(),
  load: vi.fn(),
}));

vi.mock("~/lib/payment/stripe", () => ({ stripeFor: stripe.load, stripeLocale: (locale: string) => locale }));
vi.mock("@stripe/react-stripe-js", () => ({
  Elements: ({ children }: { children: ReactNode }) => children,
  CardNumberElement: () => <input id="card-number" />,
  CardExpiryElement: () => <input id="card-expiry" />,
  CardCvcElement: () => <input id="card-cvc" />,
  useStripe: () => stripe,
  useElements: () => ({ getElement: () => ({ is: "the card" }) }),
}));

const ada = {
  user_id: "usr_1",
  fullName: "Ada",
  email: "ada@example.org",
  isCoachingUser: false,
  isTherapyUser: false,
};

type Reply = [status: number, body: object | null] | "lost";

interface Gateway {
  replies: Record<string, Reply>;
  calls: { call: string; body: unknown }[];
  /** Responses wait for this promise. */
  gate: Promise<void> | null;
}

// Hoisted declarations cannot be exported in place.
export { stripe };

export const gateway: Gateway = { replies: {}, calls: [], gate: null };
export const sentTo = (call: string) => gateway.calls.filter((sent) => sent.call === call).map(({ body }) => body);
export const LIST = "GET /api/subscriptions";
export const PURCHASES = "GET /api/purchases";
export const actionCall = (action: string) => `POST /api/subscriptions/sub_1/${action}`;
export const has = (...subscriptions: object[]) => {
  gateway.replies[LIST] = [200, { subscriptions }];
};

const toThePlans: ButtonContent = {
  text: "See the plans",
  url: "/pricing",
  color: null,
  borderColor: null,
  backgroundColor: null,
  noFollow: false,
  disabled: false,
  link: false,
  primary: true,
  secondary: false,
  small: false,
  width: null,
  deepLink: null,
  info: null,
  eventName: null,
  eventSection: null,
};

const props = {
  title: "Your subscription",
  description: null,
  empty: {
    title: "Nothing runs",
    text: "Choose a plan.",
    button: toThePlans,
  },
  seller: "Stillpoint Example Ltd\n1 Quiet Lane",
  stripe: { publishableKey: "pk_1", scriptUrl: null },
};

export function show(locale: Locale = "en") {
  const router = createMemoryRouter([{ path: "*", element: <SubscriptionPage {...props} /> }], {
    initialEntries: [`/${locale}/account/`],
  });
  render(
    <TextsProvider locale={locale} catalogue={catalogues[locale]}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
}

export const named = (name: string) => screen.getByRole("button", { name });
export const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));
export const decide = (answer: "confirm" | "cancel") =>
  act(() => screen.getByRole<HTMLDialogElement>("alertdialog").close(answer));
/** The notice after an action has the focus. */
export const findFocusedNotice = async (text: string) => {
  const line = await screen.findByText(text);
  await waitFor(() => expect(line.closest("[tabindex]")).toBe(document.activeElement));
  return line.closest("[role]")?.getAttribute("role");
};

beforeEach(() => {
  gateway.calls = [];
  gateway.gate = null;
  gateway.replies = {
    "GET /api/auth/session": [200, { logged_in: true, user: ada }],
    [PURCHASES]: [200, { purchases: [] }],
  };
  has(sample());
  vi.useFakeTimers({ now: new Date("2026-11-22T10:00:00Z"), toFake: ["Date"] });
  vi.stubGlobal("fetch", async (path: string, { method, body }: { method: string; body?: string }) => {
    const call = `${method} ${path}`;
    gateway.calls.push({ call, body: body && JSON.parse(body) });
    await gateway.gate;
    const reply = gateway.replies[call] ?? [404, {}];
    if (reply === "lost") throw new TypeError("Failed to fetch");
    return new Response(reply[1] && JSON.stringify(reply[1]), { status: reply[0] });
  });
  vi.stubGlobal("matchMedia", () => new EventTarget());
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement, returnValue = "") {
      this.returnValue = returnValue;
      this.open = false;
      this.dispatchEvent(new Event("close"));
    },
  });
  stripe.load.mockReset().mockResolvedValue(stripe);
  stripe.createPaymentMethod.mockReset().mockResolvedValue({ paymentMethod: { id: "pm_new" } });
  setSession({ state: "member", user: ada });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

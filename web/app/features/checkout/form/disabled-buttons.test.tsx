// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { campaign } from "~/features/payment/offer/offer-fixtures";
import { viewOrder } from "~/features/payment/order/order-view";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import type { PaymentMethods } from "../methods/use-payment-methods";
import type { Consents } from "../terms";
import { YookassaPlatronPanel } from "../yookassa-platron/yookassa-platron-panel";
import { PayForm } from "./pay-form";
import type { PayPanelProps } from "./pay-panel";

const stripe = vi.hoisted(() => ({ useStripe: () => ({}), useElements: () => null }));
vi.mock("@stripe/react-stripe-js", async (load) => ({ ...(await load<object>()), ...stripe }));
vi.mock("./card-form", () => ({ CardForm: ({ children }: { children: ReactNode }) => <form>{children}</form> }));

const offer = campaign(12.99);
const asked = { retry: vi.fn(), cardChanged: vi.fn(), tellWidget: vi.fn(), leave: vi.fn() };
const common = (consents: Consents) => ({
  order: viewOrder(offer, "en", new Date("2026-11-23T10:00:00Z")),
  holder: { name: "Ada Quiet", email: "ada@example.org" },
  consents,
});

function draw(element: ReactNode) {
  vi.stubGlobal("fetch", async () => Response.json({ countryCode: "US" }));
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: ["/en/payment/monthly/"] });
  render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
}

/** The card form without wallet and PayPal. */
function cardForm(consents: Consents) {
  const checkout = { ...asked, state: { step: "ready", campaign: offer, fault: null } } as unknown;
  const ways: PaymentMethods = { layout: "cardOnly", wallet: null, paypal: null };
  const props = { ...common(consents), checkout, submitLabel: null } as PayPanelProps;
  draw(<PayForm {...props} methods={ways} />);
}

function yookassaPlatronPanel(consents: Consents) {
  const providers = { redirectUrl: "/away", widgetToken: "token", hasSubscription: false, isUnreachable: false };
  const state = { step: "providerChoice", campaign: offer, offer: providers, fault: null } as const;
  const checkout = { ...asked, state } as unknown as PayPanelProps["checkout"];
  draw(<YookassaPlatronPanel {...common(consents)} checkout={checkout} state={state} widgetUrl="/widget.js" />);
}

/** The descriptions that screen readers announce for disabled buttons. */
const reasons = () =>
  screen
    .getAllByRole("button")
    .filter((button) => button.getAttribute("aria-disabled") === "true")
    .map((button) => document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent);

describe.each([
  { form: "the card form", show: cardForm, closed: 1 },
  { form: "the panel of Russian providers", show: yookassaPlatronPanel, closed: 2 },
])("a disabled button of $form", ({ show, closed }) => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it.each([
    { consents: { terms: true, gdpr: false }, says: "Tick the box to continue." },
    { consents: { terms: false, gdpr: "<p>Keep my data.</p>" }, says: "Tick the box to continue." },
    { consents: { terms: "<p>I agree.</p>", gdpr: true }, says: "Tick both boxes to continue." },
  ])("says which boxes to tick ($says, %#)", ({ consents, says }) => {
    show(consents);
    expect(reasons()).toEqual(Array.from({ length: closed }, () => says));
    for (const box of screen.getAllByRole("checkbox")) fireEvent.click(box);
    expect(reasons()).toEqual([]);
    // The hint keeps its space, so nothing moves while a box is ticked.
    expect(screen.getByText(says).className).toContain("invisible");
  });

  it("is absent when there is no box to tick", () => {
    show({ terms: false, gdpr: false });
    expect(reasons()).toEqual([]);
    expect(screen.queryByText(/^Tick /)).toBeNull();
  });
});

// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { button } from "~/blocks/samples/parts";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import type { Locale } from "~/lib/locale";
import { setSession } from "~/lib/session";
import { overdue, sample } from "./sample";
import { SubscriptionPage } from "./subscription-page";

const stripe = vi.hoisted(() => ({
  createPaymentMethod: vi.fn(),
  load: vi.fn(),
}));

vi.mock("~/lib/stripe", () => ({ stripeFor: stripe.load, stripeLocale: (locale: string) => locale }));
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

let replies: Record<string, Reply> = {};
let calls: { call: string; body: unknown }[] = [];
/** Set: answers wait for it. */
let gate: Promise<void> | null = null;
const sentTo = (call: string) => calls.filter((sent) => sent.call === call).map(({ body }) => body);
const LIST = "GET /api/subscriptions";
const wishCall = (wish: string) => `POST /api/subscriptions/sub_1/${wish}`;
const has = (...subscriptions: object[]) => {
  replies[LIST] = [200, { subscriptions }];
};

const props = {
  title: "Your subscription",
  description: null,
  empty: {
    title: "Nothing runs",
    text: "Choose a plan.",
    button: { ...button, text: "See the plans", url: "/pricing" },
  },
  stripe: { publishableKey: "pk_1", scriptUrl: null },
};

function show(locale: Locale = "en") {
  const router = createMemoryRouter([{ path: "*", element: <SubscriptionPage {...props} /> }], {
    initialEntries: [`/${locale}/account/`],
  });
  render(
    <TextsProvider locale={locale} catalogue={catalogues[locale]}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
}

const named = (name: string) => screen.getByRole("button", { name });
const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));
const decide = (answer: "confirm" | "cancel") =>
  act(() => screen.getByRole<HTMLDialogElement>("alertdialog").close(answer));
/** The notice that a wish leaves has the focus. */
const told = async (text: string) => {
  const line = await screen.findByText(text);
  await waitFor(() => expect(line.closest("[tabindex]")).toBe(document.activeElement));
  return line.closest("[role]")?.getAttribute("role");
};

beforeEach(() => {
  calls = [];
  gate = null;
  replies = { "GET /api/auth/session": [200, { logged_in: true, user: ada }] };
  has(sample());
  vi.useFakeTimers({ now: new Date("2026-11-22T10:00:00Z"), toFake: ["Date"] });
  vi.stubGlobal("fetch", async (path: string, { method, body }: { method: string; body?: string }) => {
    const call = `${method} ${path}`;
    calls.push({ call, body: body && JSON.parse(body) });
    await gate;
    const reply = replies[call] ?? [404, {}];
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

describe("before anybody has been asked", () => {
  it("the page holds both, for styles to choose: the way in, with the way back, and the shape of what comes", () => {
    setSession({ state: "unknown" });
    show();
    const wayIn = screen.getByRole("link", { name: "Sign in" });
    expect(wayIn.getAttribute("href")).toBe("/en/signin/?redirectPage=%2Fen%2Faccount%2F");
    expect(wayIn.closest("[class*='member:hidden']")).not.toBeNull();
    expect(screen.getByText("Loading your subscription").closest("[class*='visitor:hidden']")).not.toBeNull();
    expect(sentTo(LIST)).toEqual([]);
  });
});

describe("what a member sees", () => {
  it("is the plan, its price, what happens next, the card and what was paid", async () => {
    has(sample({ period_months: 1 }));
    show();
    const plan = within(await screen.findByRole("article", { name: "Stillpoint Premium" }));
    expect(plan.getByText("$9.99 every month")).toBeTruthy();
    expect(plan.getByText("Active")).toBeTruthy();
    expect(plan.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
    expect(screen.getByText("Visa, ending in 4242")).toBeTruthy();
    const receipt = screen.getByRole("listitem");
    expect(receipt.textContent).toBe("November 10, 2026First payment$9.99Paid");
  });

  it.each([
    [sample({ status: "trialing" }), "First payment on December 10, 2026: $9.99. Cancel before then and pay nothing."],
    [sample({ cancel_at: "2026-12-10T12:00:00Z" }), "Ends on December 10, 2026. You keep everything until then."],
    [sample({ paused_until: "2027-01-22T12:00:00Z" }), "Paused until January 22, 2027. Nothing is charged until then."],
    [
      sample({ status: "past_due", overdue }),
      "We could not charge $9.99. We try again, and you keep everything until December 24, 2026.",
    ],
    [
      sample({ overdue: { ...overdue, needs_new_card: true } }),
      "We could not charge $9.99, and your bank asks for another card. You keep everything until December 24, 2026.",
    ],
    [
      sample({ current_period_end: "2026-11-22T09:59:00Z" }),
      "Your renewal is under way. This page shows it as soon as it is paid.",
    ],
  ])("says what is next (%#)", async (subscription, text) => {
    has(subscription);
    show();
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it("is in the words, dates and amounts of the language", async () => {
    has(sample({ price: 59.99, currency: "TRY", period_months: 12 }));
    show("tr");
    expect(await screen.findByText("12 ayda bir 59,99 ₺")).toBeTruthy();
    expect(screen.getByText("10 Aralık 2026 tarihinde 59,99 ₺ karşılığında yenilenir.")).toBeTruthy();
  });

  it("leads to the plans where there is nothing, and keeps what was paid before", async () => {
    has(
      sample({ status: "canceled", current_period_end: null }),
      sample({ subscription_id: "sub_0", status: "expired" }),
    );
    show();
    expect((await screen.findByRole("link", { name: "See the plans" })).getAttribute("href")).toBe("/en/pricing/");
    expect(screen.getByRole("heading", { name: "Nothing runs" })).toBeTruthy();
    expect(screen.getByText("This subscription has ended.")).toBeTruthy();
    expect(screen.getAllByRole("listitem")).toHaveLength(1);
    expect(screen.queryByRole("button", { name: "Cancel subscription" })).toBeNull();
  });

  it("asks for patience while a payment is not confirmed", async () => {
    has(sample({ status: "incomplete", created_at: "2026-11-22T09:30:00Z", current_period_end: null, receipts: [] }));
    show();
    await screen.findByText(/A payment of yours is not confirmed yet/);
    expect(screen.queryByText("Nothing runs")).toBeNull();
  });

  it("folds receipts of long ago", async () => {
    const [receipt] = sample().receipts;
    has(
      sample({
        receipts: Array.from({ length: 9 }, (_, index) => ({ ...receipt, payment_id: `pay_${index}` })) as never,
      }),
    );
    show();
    const earlier = (await screen.findByText("Earlier payments")).closest("details");
    expect(within(earlier as HTMLElement).getAllByRole("listitem", { hidden: true })).toHaveLength(3);
  });

  it("can be asked for again where it did not come", async () => {
    replies[LIST] = "lost";
    show();
    expect((await screen.findByRole("alert")).textContent).toContain("We could not reach our server.");
    has(sample());
    await press("Try again");
    await screen.findByRole("article", { name: "Stillpoint Premium" });
  });

  it("is nothing once the session has ended elsewhere", async () => {
    replies[LIST] = [401, { code: "V100" }];
    show();
    await screen.findByRole("link", { name: "Sign in" });
  });
});

describe("cancelling", () => {
  it("takes two clicks, the second of which says what stays and until when", async () => {
    replies[wishCall("cancel")] = [200, sample({ cancel_at: "2026-12-10T12:00:00Z" })];
    show();
    await press("Cancel subscription");
    const dialog = within(screen.getByRole("alertdialog", { name: "Cancel your subscription?" }));
    expect(
      dialog.getByText(
        "You keep everything until December 10, 2026, and nothing more is charged. Until then you can change your mind.",
      ),
    ).toBeTruthy();
    expect(dialog.getByRole("button", { name: "Yes, cancel" })).toBeTruthy();
    decide("confirm");
    expect(await told("Cancelled. You keep everything until December 10, 2026.")).toBe("status");
    expect(sentTo(wishCall("cancel"))).toEqual([{}]);
    expect(screen.getByText("Ends on December 10, 2026. You keep everything until then.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Cancel subscription" })).toBeNull();
    expect(named("Keep my subscription")).toBeTruthy();
  });

  it("does nothing where somebody thinks again", async () => {
    show();
    await press("Cancel subscription");
    decide("cancel");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(calls.map(({ call }) => call)).toEqual([LIST]);
  });

  it("can be undone", async () => {
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    replies[wishCall("keep")] = [200, sample()];
    show();
    await press("Keep my subscription");
    await told("Good to have you. Your subscription goes on.");
    expect(screen.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
  });

  it("of what is not paid ends at once, and says so before", async () => {
    has(sample({ status: "past_due", overdue }));
    const ended = sample({ status: "canceled", current_period_end: null });
    replies[wishCall("cancel")] = [200, ended];
    show();
    await press("Cancel subscription");
    expect(screen.getByText(/It ends at once/)).toBeTruthy();
    decide("confirm");
    await told("Cancelled. Nothing more is charged.");
    expect(screen.getByRole("heading", { name: "Nothing runs" })).toBeTruthy();
  });

  it("of what rests says that it does not go on", async () => {
    has(sample({ paused_until: "2027-01-22T09:00:00Z" }));
    show();
    await press("Cancel subscription");
    expect(screen.getByText("It does not go on after the break, and nothing more is charged.")).toBeTruthy();
  });

  it("waits for a provider that has not answered, and keeps asking", async () => {
    replies[wishCall("cancel")] = [200, sample({ open_wish: "cancel" })];
    has(sample());
    show();
    await press("Cancel subscription");
    has(sample({ open_wish: "cancel" }));
    decide("confirm");
    await told(
      "Your wish is written down. The payment provider has not answered yet; this page shows the answer as soon as it is here.",
    );
    expect(named("Cancel subscription").getAttribute("aria-disabled")).toBe("true");
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    await screen.findByText("Cancelled. You keep everything until December 10, 2026.", {}, { timeout: 3_000 });
  });
});

describe("double clicks", () => {
  it("wish once", async () => {
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    replies[wishCall("keep")] = [200, sample()];
    show();
    await screen.findByRole("button", { name: "Keep my subscription" });
    let open = () => {};
    gate = new Promise((done) => {
      open = done;
    });
    await press("Keep my subscription");
    await press("Keep my subscription");
    expect(named("Keep my subscription").getAttribute("aria-busy")).toBe("true");
    expect(named("Use another card").getAttribute("aria-disabled")).toBe("true");
    open();
    await told("Good to have you. Your subscription goes on.");
    expect(sentTo(wishCall("keep"))).toHaveLength(1);
  });
});

describe("a connection that breaks", () => {
  const cancel = async () => {
    await press("Cancel subscription");
    replies[wishCall("cancel")] = "lost";
    decide("confirm");
  };

  it("is asked about: what the server says counts", async () => {
    show();
    await screen.findByRole("button", { name: "Cancel subscription" });
    has(sample({ cancel_at: "2026-12-10T12:00:00Z" }));
    await cancel();
    await told("Cancelled. You keep everything until December 10, 2026.");
    expect(sentTo(wishCall("cancel"))).toHaveLength(1);
  });

  it("that took the wish with it leaves everything as it was", async () => {
    show();
    await cancel();
    await told("We do not see your change. This is how your subscription stands now; try again if you like.");
    expect(screen.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
    expect(named("Cancel subscription").getAttribute("aria-disabled")).toBeNull();
  });

  it("and stays broken says that nobody knows, and lets nobody wish", async () => {
    show();
    await screen.findByRole("button", { name: "Cancel subscription" });
    replies[LIST] = "lost";
    await cancel();
    await told("The connection was lost. Whether your change arrived is not known yet.");
    expect(named("Cancel subscription").getAttribute("aria-disabled")).toBe("true");
  });
});

describe("a refusal", () => {
  it.each([
    ["SUBSCRIPTION_ENDED", "This subscription has ended already."],
    ["SUBSCRIPTION_PAST_DUE", "A payment is overdue. Save another card first."],
    ["SUBSCRIPTION_ENDING", "This subscription is cancelled. Keep it first."],
    ["SUBSCRIPTION_PAUSED", "This subscription is paused. Go on with it first."],
    ["SUBSCRIPTION_ON_TRIAL", "This can be done once the free trial is over."],
    ["PAUSE_TOO_LONG", "A break can be three months at most. Please choose again."],
    ["CHANGE_IN_PROGRESS", "Another change is still under way. Please try again in a moment."],
    ["UNKNOWN_SUBSCRIPTION", "We cannot find this subscription any more."],
    ["resource_missing", "Something went wrong on our side. Please try again."],
  ])("by %s is said in words, and how it stands is asked again", async (code, text) => {
    replies[wishCall("cancel")] = [422, { code }];
    show();
    await press("Cancel subscription");
    decide("confirm");
    expect(await told(text)).toBe("alert");
    await waitFor(() => expect(sentTo(LIST)).toHaveLength(2));
  });

  it.each([
    [
      "SUBSCRIPTION_NOT_BEGUN",
      "This subscription has not begun yet, or it is managed where you bought it, for example at PayPal.",
    ],
    ["MANAGED_ELSEWHERE", "You pay for this subscription elsewhere, for example at PayPal. Change or cancel it there."],
  ])("by %s says where it is managed, and offers nothing here any more", async (code, text) => {
    replies[wishCall("cancel")] = [422, { code }];
    show();
    await press("Cancel subscription");
    decide("confirm");
    await told(text);
    expect(screen.queryByRole("button", { name: "Cancel subscription" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Use another card" })).toBeNull();
  });

  it("for haste asks to wait", async () => {
    replies[wishCall("cancel")] = [429, { code: "RATE_LIMITED" }];
    show();
    await press("Cancel subscription");
    decide("confirm");
    await told("Too many attempts. Please wait a minute and try again.");
  });
});

describe("a pause", () => {
  it("is of one, two or three months, and says what it means", async () => {
    const until = "2027-01-22T09:00:00.000Z";
    replies[wishCall("pause")] = [200, sample({ paused_until: until })];
    show();
    await press("Take a break");
    const dialog = screen.getByRole<HTMLDialogElement>("dialog", { name: "Take a break" });
    expect(within(dialog).getAllByRole("radio")).toHaveLength(3);
    expect(within(dialog).getByText(/stays open until December 10, 2026/)).toBeTruthy();
    fireEvent.click(within(dialog).getByRole("radio", { name: /2 months/ }));
    act(() => dialog.close("confirm"));
    await screen.findByText("Paused");
    expect(sentTo(wishCall("pause"))).toEqual([{ until }]);
    expect(named("Go on now")).toBeTruthy();
  });

  it("is not offered where it would spare no payment", async () => {
    has(sample({ current_period_end: "2027-11-10T12:00:00Z" }));
    show();
    await screen.findByRole("button", { name: "Cancel subscription" });
    expect(screen.queryByRole("button", { name: "Take a break" })).toBeNull();
  });

  it("is not begun by whoever thinks again", async () => {
    show();
    await press("Take a break");
    act(() => screen.getByRole<HTMLDialogElement>("dialog").close("cancel"));
    expect(calls.map(({ call }) => call)).toEqual([LIST]);
  });

  it("ends when one wants", async () => {
    has(sample({ paused_until: "2027-01-22T00:00:00Z" }));
    replies[wishCall("resume")] = [200, sample()];
    show();
    await press("Go on now");
    await told("Your subscription runs again.");
  });
});

describe("a new card", () => {
  const open = async () => {
    await press("Use another card");
    await screen.findByRole("button", { name: "Save this card" });
  };

  it("goes to the provider, and only its id comes to us", async () => {
    replies[wishCall("card")] = [200, sample({ card_brand: "mastercard", card_last4: "4444" })];
    show();
    expect(stripe.load).not.toHaveBeenCalled();
    await open();
    await press("Save this card");
    await told("Your new card is saved.");
    expect(stripe.createPaymentMethod).toHaveBeenCalledWith({
      type: "card",
      card: { is: "the card" },
      billing_details: { name: "Ada", email: "ada@example.org" },
    });
    expect(sentTo(wishCall("card"))).toEqual([{ payment_method_id: "pm_new" }]);
    expect(screen.getByText("Mastercard, ending in 4444")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Save this card" })).toBeNull();
  });

  it("is not sent where the provider finds a fault in it", async () => {
    stripe.createPaymentMethod.mockResolvedValue({
      error: { type: "validation_error", message: "The number is incomplete." },
    });
    show();
    await open();
    await press("Save this card");
    expect((await screen.findByRole("alert")).textContent).toBe("The number is incomplete.");
    expect(sentTo(wishCall("card"))).toEqual([]);
  });

  it.each([409, 422])("that the bank declines (%i) leaves the form open for another one", async (status) => {
    replies[wishCall("card")] = [status, { code: "card_declined" }];
    show();
    await open();
    await press("Save this card");
    await told("Your bank did not accept this card. Try another one, or ask your bank.");
    expect(screen.getByText("Visa, ending in 4242")).toBeTruthy();
    expect(named("Save this card")).toBeTruthy();
  });

  it("says what it is charged for at once", async () => {
    has(sample({ status: "past_due", overdue }));
    replies[wishCall("card")] = [200, sample({ card_last4: "4444" })];
    show();
    await open();
    expect(screen.getByText("$9.99 could not be charged before. It is charged to this card at once.")).toBeTruthy();
    await press("Save this card");
    await told("Your new card is saved.");
    expect(screen.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
  });

  it("can be tried again where the provider's script did not come", async () => {
    stripe.load.mockRejectedValueOnce(new Error("blocked"));
    show();
    await press("Use another card");
    expect((await screen.findByRole("alert")).textContent).toContain("The secure card form did not load.");
    await press("Try again");
    await screen.findByRole("button", { name: "Save this card" });
  });

  it("is not needed by whoever thinks again: the focus is back where it was", async () => {
    show();
    await open();
    expect(document.activeElement?.textContent).toBe("New card");
    await press("Not now");
    await waitFor(() => expect(document.activeElement).toBe(named("Use another card")));
  });
});
